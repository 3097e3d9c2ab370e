import { celFaults } from './cel-placement';
import type { JsonSchema } from './json-schema';

const TYPES = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const KEYS = new Set([
  'type', 'description', 'format', 'pattern', 'enum', 'default', 'nullable', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems',
  'maxProperties', 'items', 'properties', 'required', 'additionalProperties', 'x-kubernetes-validations', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys',
]);
const FORMATS = new Set(['int32', 'int64', 'date-time', 'duration']);
// What JavaScript reads and Go's RE2 refuses: look-around, back references, lazy-possessive forms, more than 1000 repeats.
const NOT_RE2 = /\(\?[=!<]|\\[1-9]|\\k<|\{[0-9]{4,}|,[0-9]{4,}\}/;

type Fault = string;
type Check = (schema: JsonSchema) => (Fault | false)[];

const hasKnownKeys: Check = (schema) => Object.keys(schema).map((key) => !KEYS.has(key) && `"${key}" is not a key of a structural schema`);

const hasType: Check = ({ type }) => [(type === undefined || !TYPES.has(type)) && 'every value has one type'];

const isBounded: Check = (schema) => [
  schema.type === 'string' && schema.maxLength === undefined && schema.enum === undefined && 'a string has maxLength or enum: the CEL cost budget needs it',
  schema.type === 'array' && schema.maxItems === undefined && 'a list has maxItems: the CEL cost budget needs it',
  schema.additionalProperties !== undefined && schema.maxProperties === undefined && 'a map has maxProperties: the CEL cost budget needs it',
];

const hasPlainProperties: Check = (schema) => [
  typeof schema.additionalProperties === 'boolean' && 'additionalProperties is a schema, never true or false',
  schema.properties !== undefined && schema.additionalProperties !== undefined && 'properties and additionalProperties exclude each other',
  schema.type === 'array' && schema.items === undefined && 'a list names its items',
  (schema.required ?? []).some((name) => schema.properties?.[name] === undefined) && 'required names a property that is not there',
  schema.nullable === true && 'nullable: a null would be a second way to unset a value',
];

const hasPortableText: Check = ({ pattern, format }) => [
  pattern !== undefined && NOT_RE2.test(pattern) && `pattern ${pattern} is not RE2`,
  format !== undefined && !FORMATS.has(format) && `format ${format} is not enforced by the server`,
];

function isMapKey(items: JsonSchema | undefined, key: string): boolean {
  const property = items?.properties?.[key];
  const always = items?.required?.includes(key) === true || property?.default !== undefined;
  return always && property?.type !== 'object' && property?.type !== 'array';
}

const hasListKeys: Check = (schema) => {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  return [
    isMap !== keys.length > 0 && 'list-type map and list-map-keys go together',
    !keys.every((key) => isMapKey(schema.items, key)) && 'a key of a list map is a required scalar of its items',
  ];
};

function isOfType(value: unknown, type: JsonSchema['type']): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null;
}

const hasFittingDefault: Check = (schema) => [
  schema.default !== undefined && !isOfType(schema.default, schema.type) && 'the default has another type',
  schema.default !== undefined && schema.enum !== undefined && !schema.enum.includes(schema.default) && 'the default is not in the enum',
];

const CHECKS: readonly Check[] = [hasKnownKeys, hasType, isBounded, hasPlainProperties, hasPortableText, hasListKeys, hasFittingDefault];

function* walk(schema: JsonSchema, path: string): Generator<Fault> {
  for (const check of CHECKS) for (const fault of check(schema)) if (fault !== false) yield `${path}: ${fault}`;
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* walk(property, `${path}.${name}`);
  if (schema.items !== undefined) yield* walk(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') yield* walk(schema.additionalProperties, `${path}{}`);
}

function rootFaults(root: JsonSchema): Fault[] {
  const metadata = root.properties?.metadata;
  return [
    ...(root.type === 'object' ? [] : ['the root is an object']),
    ...(metadata !== undefined && Object.keys(metadata).join() !== 'type' ? ['metadata belongs to the server: it has no schema of its own'] : []),
  ];
}

/**
 * Faults of a root schema, empty if none. A transcript of the structural rules of apiextensions-apiserver, narrowed to what this
 * project writes (no unions, no nulls, all bounded), plus where CEL may stand. A real API server is the judge.
 */
export function structuralFaults(root: JsonSchema): string[] {
  return [...rootFaults(root), ...walk(root, ''), ...celFaults(root)];
}
