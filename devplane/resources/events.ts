import type { ApiObject, Json, JsonObject } from '../json';
import { at, isRecord, textAt } from '../json';
import type { Cause } from '../schema/cause';
import type { Strategy, View } from './definition';

/** A field of an event in v1, and its name in events.k8s.io/v1. What is not named here is called the same in both. */
const names: readonly (readonly [core: string, modern: string])[] = [
  ['involvedObject', 'regarding'], ['message', 'note'], ['reportingComponent', 'reportingController'], ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'], ['lastTimestamp', 'deprecatedLastTimestamp'], ['count', 'deprecatedCount'],
];

function renamed(source: JsonObject, pairs: readonly (readonly [from: string, to: string])[], apiVersion: string): JsonObject {
  const known = new Map(pairs);
  const entries = Object.entries(source).map(([name, value]) => [known.get(name) ?? name, value] as const);
  return { ...Object.fromEntries(entries), ...(source.apiVersion !== undefined && { apiVersion }) };
}

const required = ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason', 'type'];

/** `events.k8s.io/v1` shows the events of `v1` under newer names: one store, two faces. */
export const modernEvents: View = {
  inward: (body) => (isRecord(body) ? renamed(body, names.map(([core, modern]) => [modern, core] as const), 'v1') : body),
  outward: (object) => renamed(object, names, 'events.k8s.io/v1') as ApiObject,
  faults: (body) => required.filter((field) => !at(body, field)).map((field): Cause => ({ reason: 'FieldValueRequired', field, message: 'Required value' })),
};

const wrong = (field: string, value: Json, rule: string): Cause => ({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${rule}` });

/** An event stands in the namespace of what it is about; what has none is spoken of in `default`. */
function validate(event: ApiObject): Cause[] {
  const about = textAt(event, 'involvedObject', 'namespace');
  const { namespace = '' } = event.metadata;
  return about === namespace || (about === '' && ['default', 'kube-system'].includes(namespace)) ? [] : [wrong('involvedObject.namespace', about, 'does not match event.namespace')];
}

export const eventStrategy: Strategy = { validate };
