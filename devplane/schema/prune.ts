import type { Json } from '../json';
import { isRecord } from '../json';
import { memberSchema, type Schema } from './schema';

/** Removes in place what the schema does not know. @returns the paths removed. */
export function prune(value: Json | undefined, schema: Schema, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => (schema.items ? prune(item, schema.items, `${path}[${index}]`) : []));
  if (!isRecord(value)) return [];
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  return Object.keys(value).flatMap((name) => {
    const here = path ? `${path}.${name}` : name;
    const member = memberSchema(schema, name);
    if (member) return prune(value[name], member, here);
    if (open) return [];
    delete value[name];
    return [here];
  });
}

/** Fills in place what is absent and has a default. A null counts as absent where the schema forbids null, and goes where there is no default. */
export function applyDefaults(value: Json | undefined, schema: Schema): void {
  if (Array.isArray(value)) {
    for (const item of value) if (schema.items) applyDefaults(item, schema.items);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member.default === undefined) continue;
    if (value[name] === undefined || (value[name] === null && !member.nullable)) value[name] = structuredClone(member.default);
  }
  for (const name of Object.keys(value)) {
    const member = memberSchema(schema, name);
    if (!member) continue;
    if (value[name] === null && !member.nullable) delete value[name];
    else applyDefaults(value[name], member);
  }
}
