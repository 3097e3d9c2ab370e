import { decode, encode } from '@msgpack/msgpack';
import type { Planned, Schema } from '../schema/schema';
import { object, type Type } from '../schema/types';
import type { DynamicValue } from './dynamic-value';
import { extensionCodec } from './extension';
import { conform } from './conform';
import { fromWire, toWire } from './exact-number';
import type { Value } from './value';

/** The row in a message; null when there is no object (nothing before a create, nothing after a destroy). */
export function decodeRow<S extends Schema>(value: DynamicValue | null | undefined, schema: S): Planned<S> | null {
  if (!value?.msgpack?.length) return null;
  const wire: unknown = decode(value.msgpack, { extensionCodec, useBigInt64: true });
  return conform(wire, object(schema.attributes), fromWire) as Planned<S> | null;
}

/**
 * The row as a message, with every attribute of the schema: what is missing in `row` goes out as null. A value
 * that the schema does not allow, or an attribute that it lacks, is a bug of the caller and throws with its path.
 */
export function encodeRow(row: Readonly<Record<string, unknown>> | null, schema: Schema): DynamicValue {
  const wire = conform(row, object(schema.attributes), toWire);
  return { msgpack: encode(wire, { extensionCodec }) };
}

/** A value that is no row: an argument of a function. */
export function decodeValue(value: DynamicValue, type: Type): Value {
  return conform(decode(value.msgpack ?? new Uint8Array(), { extensionCodec, useBigInt64: true }), type, fromWire);
}

export function encodeValue(value: Value, type: Type): DynamicValue {
  return { msgpack: encode(conform(value, type, toWire), { extensionCodec }) };
}
