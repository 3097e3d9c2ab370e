import type { Planned, Schema, Stored } from '../schema/schema';
import type { DynamicValue } from '../values/dynamic-value';
import { decodeRow } from '../values/codec';

/** A row that the protocol promises to be there. */
export function requireRow<R>(row: R | null, field: string): R {
  if (row === null) throw new Error(`the call came without ${field}`);
  return row;
}

/** A row that the protocol promises to be wholly known: a state, or the configuration of a data source that is read. */
export function decodeStored<S extends Schema>(value: DynamicValue | null, schema: S): Stored<S> | null {
  return decodeRow(value, schema) as Planned<S> & Stored<S> | null;
}

export function privateText(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

export function privateBytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}
