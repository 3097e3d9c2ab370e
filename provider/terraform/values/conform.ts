import type { AttributePath } from '../diagnostics';
import { formatPath } from '../diagnostics';
import type { ObjectType, Type } from '../schema/types';
import type { ExactNumber, Value } from './value';
import { isUnknown } from './unknown';

/** Reads a number at the border; undefined when it is none. */
export type NumberReader = (value: unknown) => ExactNumber | undefined;

/**
 * The value in the exact shape of its type: every attribute present, null where absent; numbers read by `number`.
 * Throws, naming the path, on anything that the type does not allow.
 */
export function conform(value: unknown, type: Type, number: NumberReader, path: AttributePath = []): Value {
  if (value === null || value === undefined) return null;
  if (isUnknown(value)) return value;
  switch (type.kind) {
    case 'string':
      return typeof value === 'string' ? value : mismatch(value, 'a string', path);
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(value, 'a bool', path);
    case 'number':
      return number(value) ?? mismatch(value, 'a number', path);
    case 'list':
    case 'set':
      return Array.isArray(value)
        ? value.map((element, index) => conform(element, type.element, number, [...path, index]))
        : mismatch(value, `a ${type.kind}`, path);
    case 'map':
      return mapEntries(recordAt(value, 'a map', path), (element, key) => conform(element, type.element, number, [...path, key]));
    case 'object':
      return conformObject(recordAt(value, 'an object', path), type, number, path);
  }
}

function conformObject(value: Readonly<Record<string, unknown>>, type: ObjectType, number: NumberReader, path: AttributePath): Value {
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(type.attributes, name));
  if (stranger !== undefined) throw new Error(`the schema has no attribute ${formatPath([...path, stranger])}`);
  return mapEntries(type.attributes, (attribute, name) =>
    conform(Object.hasOwn(value, name) ? value[name] : null, attribute.type, number, [...path, name]));
}

function recordAt(value: unknown, wanted: string, path: AttributePath): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : mismatch(value, wanted, path);
}

function mapEntries<V>(record: Readonly<Record<string, V>>, each: (value: V, key: string) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, each(value, key)]));
}

/** Names the kind of what came, never its content, which may be a secret. */
function mismatch(value: unknown, wanted: string, path: AttributePath): never {
  const came = Array.isArray(value) ? 'a list' : typeof value;
  throw new Error(`${formatPath(path) || 'the value'} must be ${wanted} and is ${came}`);
}
