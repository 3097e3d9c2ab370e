import type { Json, JsonObject } from '../json';
import { isEqual, isRecord } from '../json';
import type { Cause } from './cause';
import { isFormat } from './formats';
import { memberSchema, type Schema } from './schema';

type Reason = Cause['reason'];
const cause = (reason: Reason, field: string, message: string): Cause => ({ reason, field, message });
const wrong = (field: string, value: Json | undefined, message: string): Cause => cause('FieldValueInvalid', field, `Invalid value: ${JSON.stringify(value)}: ${message}`);

function hasType(value: Json, schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || Number.isInteger(value);
  switch (schema.type) {
    case 'object': return isRecord(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    case 'string': case 'number': case 'boolean': return typeof value === schema.type;
    default: return true;
  }
}

const typeName = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value);

/** Every fault of a value against its schema, as the field errors of Kubernetes. CEL rules are not judged here. */
export function validate(value: Json, schema: Schema, path = ''): Cause[] {
  if (value === null && schema.nullable) return [];
  if (!hasType(value, schema)) {
    const shown = JSON.stringify(typeName(value));
    return [cause('FieldValueTypeInvalid', path, `Invalid value: ${shown}: ${path} in body must be of type ${schema.type ?? 'integer or string'}: ${shown}`)];
  }
  const faults = [...enumFaults(value, schema, path), ...boundFaults(value, schema, path)];
  if (Array.isArray(value)) return [...faults, ...listFaults(value, schema, path)];
  return isRecord(value) ? [...faults, ...memberFaults(value, schema, path)] : faults;
}

function enumFaults(value: Json, schema: Schema, path: string): Cause[] {
  if (!schema.enum || schema.enum.some((allowed) => isEqual(allowed, value))) return [];
  return [cause('FieldValueNotSupported', path, `Unsupported value: ${JSON.stringify(value)}: supported values: ${schema.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`)];
}

function boundFaults(value: Json, schema: Schema, path: string): Cause[] {
  const faults: Cause[] = [];
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = schema;
    if (exclusiveMinimum ? value <= minimum : value < minimum) faults.push(wrong(path, value, `${path} in body should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
    if (exclusiveMaximum ? value >= maximum : value > maximum) faults.push(wrong(path, value, `${path} in body should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (length > (schema.maxLength ?? Infinity)) faults.push(cause('FieldValueTooLong', path, `Too long: may not be more than ${schema.maxLength} bytes`));
    if (length < (schema.minLength ?? 0)) faults.push(wrong(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) faults.push(wrong(path, value, `${path} in body should match '${schema.pattern}'`));
    if (schema.format !== undefined && !isFormat(value, schema.format)) faults.push(wrong(path, value, `${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`));
  }
  return faults;
}

function listFaults(value: Json[], schema: Schema, path: string): Cause[] {
  const faults: Cause[] = [];
  if (value.length > (schema.maxItems ?? Infinity)) faults.push(cause('FieldValueTooMany', path, `Too many: ${value.length}: must have at most ${schema.maxItems} items`));
  if (value.length < (schema.minItems ?? 0)) faults.push(wrong(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
  const keys = schema['x-kubernetes-list-map-keys'];
  const identities = value.map((item) => (keys && isRecord(item) ? keys.map((key) => item[key]) : item)).map((identity) => JSON.stringify(identity));
  if (schema['x-kubernetes-list-type'] === 'map' || schema['x-kubernetes-list-type'] === 'set') {
    identities.forEach((identity, index) => {
      if (identities.indexOf(identity) < index) faults.push(cause('FieldValueDuplicate', `${path}[${index}]`, `Duplicate value: ${identity}`));
    });
  }
  const { items } = schema;
  return items ? [...faults, ...value.flatMap((item, index) => validate(item, items, `${path}[${index}]`))] : faults;
}

function memberFaults(value: JsonObject, schema: Schema, path: string): Cause[] {
  const join = (name: string) => (path ? `${path}.${name}` : name);
  const names = Object.keys(value);
  const faults = (schema.required ?? []).filter((name) => value[name] === undefined).map((name) => cause('FieldValueRequired', join(name), 'Required value'));
  if (names.length > (schema.maxProperties ?? Infinity)) faults.push(cause('FieldValueTooMany', path, `Too many: ${names.length}: must have at most ${schema.maxProperties} items`));
  if (names.length < (schema.minProperties ?? 0)) faults.push(wrong(path, names.length, `${path} in body should have at least ${schema.minProperties} properties`));
  return faults.concat(names.flatMap((name) => {
    const member = memberSchema(schema, name);
    return member && value[name] !== undefined ? validate(value[name], member, join(name)) : [];
  }));
}
