import type { ApiObject, Json } from '../json';
import { isRecord } from '../json';
import { validate } from '../schema/validate';
import { invalid } from '../server/status-error';
import type { Cause } from '../schema/cause';
import type { Call } from './call';

const label = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const unfit = (field: string, value: string, rule: string): Cause => ({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${rule}` });

function metadataFaults(call: Call, object: ApiObject, old: ApiObject | undefined): Cause[] {
  const { name, finalizers = [], labels = {} } = object.metadata;
  const faults: Cause[] = [];
  const isFreeForm = call.definition.group === 'rbac.authorization.k8s.io';
  if (!isFreeForm && (!subdomain.test(name) || name.length > 253)) {
    faults.push(unfit('metadata.name', name, "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"));
  }
  for (const [key, value] of Object.entries(labels)) {
    if (label.test(value) && value.length <= 63) continue;
    faults.push(unfit('metadata.labels', value, `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (label ${key})`));
  }
  const added = old?.metadata.deletionTimestamp ? finalizers.filter((finalizer) => !old.metadata.finalizers?.includes(finalizer)) : [];
  if (added.length > 0) {
    const list = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
    faults.push({ reason: 'FieldValueForbidden', field: 'metadata.finalizers', message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${list}` });
  }
  return faults;
}

const blocking = new Set<Cause['reason']>(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany', 'FieldValueTypeInvalid']);

/** Schema first, CEL after; both collect every fault. @throws StatusError 422. */
export function judge(call: Call, object: ApiObject, old: ApiObject | undefined): void {
  const { definition } = call;
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...body } = object;
  const faults = [...metadataFaults(call, object, old), ...(definition.schema ? validate(body, definition.schema) : []), ...(definition.strategy.validate?.(object, old) ?? [])];
  if (definition.rules) {
    if (faults.some(({ reason }) => blocking.has(reason))) {
      const message = 'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
      faults.push({ reason: 'FieldValueInvalid', field: '', message });
    } else {
      const faulty = new Set(faults.map(({ field }) => field));
      faults.push(...definition.rules(object, old, (path) => faulty.has(path)));
    }
  }
  if (faults.length > 0) throw invalid(definition, object.metadata.name, faults);
}

/** Whether anything but metadata and status differs: what `generation` counts. */
export function desiredState(object: ApiObject): Json {
  const { metadata: _metadata, status: _status, ...rest } = object;
  return isRecord(rest) ? rest : {};
}
