import { Construct } from 'constructs';
import type { AttributeTable, AttributeType } from '../base/attributes';
import { fits } from '../base/fit';
import { isPlain } from '../base/inputs';
import { noSuchField, unknownFields } from '../../../sdk/rules/unknown-field';

/** What a value has to be, in words. */
function wanted(type: AttributeType): string {
  if (typeof type === 'string') return type === 'string' ? 'a text' : type === 'number' ? 'a number' : 'true or false';
  return 'object' in type ? `an object { ${Object.keys(type.object).join(', ')} }` : 'list' in type ? 'a list' : 'a map';
}

/** A value as it may stand in a sentence; of what is no plain data only what it is, since a construct leads to its whole app. */
export function shown(value: unknown): string {
  if (value === undefined) return 'left out';
  if (typeof value === 'number') return String(value);
  const { constructor } = (value ?? {}) as { readonly constructor?: { readonly name?: unknown } };
  if (typeof value === 'object' && value !== null && constructor !== Object && constructor !== Array) return typeof constructor?.name === 'string' ? `a ${constructor.name}` : 'an object';
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    // A bigint, or an object that leads back to itself.
    return `a ${typeof value}`;
  }
}

function unfit(path: string, type: AttributeType, value: unknown): string {
  return `InvalidValue: ${path} is ${shown(value)}. ${path} is ${wanted(type)}. ${Construct.isConstruct(value) ? 'Write an attribute of the construct, such as its id.' : 'Write it so.'}`;
}

function valueFaults(kind: string, path: string, type: AttributeType, value: unknown): string[] {
  if (!fits(type, value)) return [unfit(path, type, value)];
  if (typeof type === 'string') return [];
  if ('object' in type) return isPlain(value) ? objectFaults(kind, type.object, value, `${path}.`) : [];
  if ('list' in type) return Array.isArray(value) ? value.flatMap((element, at) => valueFaults(kind, `${path}[${at}]`, type.list, element)) : [];
  return isPlain(value) ? Object.entries(value).flatMap(([key, element]) => valueFaults(kind, `${path}[${JSON.stringify(key)}]`, type.map, element)) : [];
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
