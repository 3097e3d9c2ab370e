import type { Schema } from '../schema/schema';

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const texts: Schema = { type: 'array', items: text };
const instant: Schema = { type: 'string', format: 'date-time', nullable: true };
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const map: Schema = { type: 'object', additionalProperties: text };
const amounts: Schema = { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true, format: 'quantity' } };

const closed = (properties: Record<string, Schema>, required: string[] = []): Schema => ({ type: 'object', properties, required });
/** Known in part: what is not named is kept as it came. */
const open = (properties: Record<string, Schema>, required: string[] = []): Schema => ({ ...anything, properties, required });
const list = (items: Schema): Schema => ({ type: 'array', items });
const all = (schema: Schema, ...names: string[]): Record<string, Schema> => Object.fromEntries(names.map((name) => [name, schema]));

const about = closed(all(text, 'kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'));
const rules = list(closed(all(texts, 'verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'), ['verbs']));
const container = open({ name: text, image: text, resources: closed({ limits: amounts, requests: amounts, claims: list(anything) }) }, ['name', 'image']);
const toleration = closed({ ...all(text, 'key', 'operator', 'value', 'effect'), tolerationSeconds: whole });
const taint = closed({ ...all(text, 'key', 'value', 'effect'), timeAdded: instant }, ['key', 'effect']);

/** The parts of the types of Kubernetes that its server would not read otherwise, or without which it refuses an object. */
export const builtinSchemas = {
  namespace: closed({ spec: closed({ finalizers: texts }), status: anything }),
  node: closed({ spec: open({ taints: list(taint), unschedulable: { type: 'boolean' }, podCIDR: text, providerID: text }), status: open({ capacity: amounts, allocatable: amounts, conditions: list(anything) }) }),
  pod: closed({
    spec: open({
      containers: { type: 'array', minItems: 1, items: container }, initContainers: list(container), tolerations: list(toleration), nodeSelector: map, terminationGracePeriodSeconds: whole,
      ...all(text, 'nodeName', 'schedulerName', 'restartPolicy', 'priorityClassName', 'serviceAccountName'),
    }, ['containers']),
    status: open(all(text, 'phase', 'reason', 'message', 'podIP')),
  }, ['spec']),
  event: closed({
    ...all(about, 'involvedObject', 'related'), ...all(text, 'reason', 'message', 'type', 'action', 'reportingComponent', 'reportingInstance'), ...all(instant, 'firstTimestamp', 'lastTimestamp', 'eventTime'), count: whole,
    source: closed(all(text, 'component', 'host')), series: closed({ count: whole, lastObservedTime: instant }),
  }),
  lease: closed({ spec: closed({ ...all(text, 'holderIdentity', 'strategy', 'preferredHolder'), leaseDurationSeconds: { type: 'integer', minimum: 1 }, leaseTransitions: { type: 'integer', minimum: 0 }, ...all(instant, 'acquireTime', 'renewTime') }) }),
  role: closed({ rules, aggregationRule: anything }),
  binding: closed({ subjects: list(closed(all(text, 'kind', 'apiGroup', 'name', 'namespace'), ['kind', 'name'])), roleRef: closed(all(text, 'apiGroup', 'kind', 'name'), ['kind', 'name']) }, ['roleRef']),
} satisfies Record<string, Schema>;
