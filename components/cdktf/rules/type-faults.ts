import { Construct } from 'constructs';
import type { AttributeTable, AttributeType } from '../base/attributes';
import { isPlain } from '../base/inputs';
import { noSuchField, unknownFields } from '../../../sdk/rules/unknown-field';
import { isKnown } from '../../../sdk/rules/unknown';
import { isLate, readNumber } from './reading';

/** What a value has to be, in words. */
function wanted(type: AttributeType): string {
  if (typeof type === 'string') return type === 'string' ? 'a text' : type === 'number' ? 'a number' : 'true or false';
  return 'object' in type ? `an object { ${Object.keys(type.object).join(', ')} }` : 'list' in type ? 'a list' : 'a map';
}

/** A value as it may stand in a sentence. */
export function shown(value: unknown): string {
  if (value === undefined) return 'left out';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`;
  // A construct leads to its whole app.
  const { constructor } = (value ?? {}) as { readonly constructor?: { readonly name: string } };
  return typeof value === 'object' && constructor !== undefined && constructor !== Object && constructor !== Array ? `a ${constructor.name}` : JSON.stringify(value);
}

const SCALARS = new Set(['string', 'number', 'boolean']);

/** True for what Terraform takes as a value of the type, by its conversions between texts, numbers and booleans. */
function fits(type: AttributeType, value: unknown): boolean {
  if (type === 'string') return SCALARS.has(typeof value) && !Number.isNaN(value);
  if (type === 'number') return isKnown(readNumber(value));
  if (type === 'boolean') return typeof value === 'boolean' || value === 'true' || value === 'false';
  return 'list' in type ? Array.isArray(value) : isPlain(value);
}

function valueFaults(kind: string, path: string, type: AttributeType, value: unknown): string[] {
  if (isLate(value)) return [];
  if (!fits(type, value)) return [`InvalidValue: ${path} is ${shown(value)}. ${path} is ${wanted(type)}. ${Construct.isConstruct(value) ? 'Write an attribute of the construct, such as its id.' : 'Write it so.'}`];
  return typeof type === 'object' && 'object' in type && isPlain(value) ? objectFaults(kind, type.object, value, `${path}.`) : [];
}

function attributeFaults(kind: string, table: AttributeTable, row: Readonly<Record<string, unknown>>, prefix: string): string[] {
  return Object.entries(table).flatMap(([name, { type, isRequired }]) => {
    const value = row[name];
    const path = `${prefix}${name}`;
    if (value !== undefined && value !== null) return valueFaults(kind, path, type, value);
    return isRequired ? [`InvalidValue: ${path} is ${shown(value)}. ${path} is required, and is ${wanted(type)}. Give it a value.`] : [];
  });
}

function objectFaults(kind: string, table: AttributeTable, row: Readonly<Record<string, unknown>>, prefix: string): string[] {
  const fields = Object.keys(table);
  return [
    ...unknownFields(row, fields).map((field) => `InvalidValue: ${noSuchField(kind, `${prefix}${field}`, fields.map((name) => `${prefix}${name}`))}`),
    ...attributeFaults(kind, table, row, prefix),
  ];
}

/** Fields that do not exist, required ones that are missing, and values that are of no use as what they are given for. */
export function typeFaults(kind: string, table: AttributeTable, row: Readonly<Record<string, unknown>>, unknown: readonly string[]): string[] {
  const fields = Object.keys(table);
  return [...unknown.map((field) => `InvalidValue: ${noSuchField(kind, field, fields)}`), ...attributeFaults(kind, table, row, '')];
}
