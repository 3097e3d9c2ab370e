import type { ApiObject, Json } from '../json';
import { isRecord } from '../json';
import { validate } from '../schema/validate';
import { invalid } from '../server/status-error';
import type { Cause } from '../schema/cause';
import type { Call } from './call';
import { finalizerWarnings, metadataFaults } from './metadata';

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
  if (definition.custom) call.warnings.push(...finalizerWarnings(object, old));
  if (faults.length > 0) throw invalid(definition, object.metadata.name, faults);
}

/** Whether anything but metadata and status differs: what `generation` counts. */
export function desiredState(object: ApiObject): Json {
  const { metadata: _metadata, status: _status, ...rest } = object;
  return isRecord(rest) ? rest : {};
}
