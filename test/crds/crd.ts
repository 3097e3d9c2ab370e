import { evaluate } from '@marcbachmann/cel-js';
import type { JsonSchema } from '../../sdk/api/emit';
import { environment, toCel } from '../policies/cel';
import { manifests } from '../deploy/manifests';

interface Crd { metadata: { name: string }; spec: { names: { kind: string }; versions: { schema: { openAPIV3Schema: JsonSchema } }[] } }

export type Value = Record<string, unknown>;

const env = environment();
const schemas = new Map(manifests<Crd>('crds').map(({ spec }) => [spec.names.kind, spec.versions[0]?.schema.openAPIV3Schema]));

/** The schema that stands in deploy/crds. */
export function schemaOf(kind: string): JsonSchema {
  const schema = schemas.get(kind);
  if (schema === undefined) throw new Error(`deploy/crds holds no ${kind}`);
  return schema;
}

function isObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as the rules of a CRD see it: instants and durations have types of their own; null is absent. */
function typed(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value === 'string' && schema?.format === 'date-time') return new Date(value);
  if (typeof value === 'string' && schema?.format === 'duration') return evaluate('duration(text)', { text: value });
  if (Array.isArray(value)) return value.map((item) => typed(item, schema?.items));
  if (!isObject(value)) return toCel(value);
  const present = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(present.map(([name, member]) => [name, typed(member, schema?.properties?.[name])]));
}

// The server skips a rule that names oldSelf where there is no old value: on create, and for a value that was unset.
function* walk(schema: JsonSchema, self: unknown, oldSelf: unknown): Generator<string> {
  for (const { rule, message } of schema['x-kubernetes-validations'] ?? []) {
    const needsOld = /\boldSelf\b/.test(rule);
    if (needsOld && (oldSelf === undefined || oldSelf === null)) continue;
    if (env.evaluate(rule, { self: typed(self, schema), oldSelf: typed(oldSelf, schema) }) !== true) yield message;
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const member = isObject(self) ? self[name] : undefined;
    if (member !== undefined && member !== null) yield* walk(property, member, isObject(oldSelf) ? oldSelf[name] : undefined);
  }
}

/** Messages of the rules that refuse a write of `self` over `oldSelf` (undefined: a create). */
export function denials(schema: JsonSchema, self: Value, oldSelf?: Value): string[] {
  return [...walk(schema, self, oldSelf)];
}

/** Every rule of a schema, wherever it stands. */
export function rulesOf(schema: JsonSchema): { rule: string; message: string }[] {
  const own = schema['x-kubernetes-validations'] ?? [];
  const below = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])];
  return [...own, ...below.flatMap(rulesOf)];
}
