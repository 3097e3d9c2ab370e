import type { Json } from '../json';

/** The part of JSONSchemaProps that structural schemas of our CRDs use. */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  enum?: Json[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  nullable?: boolean;
  default?: Json;
  description?: string;
  title?: string;
  'x-kubernetes-validations'?: ValidationRule[];
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
}

export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  fieldPath?: string;
}

const known = new Set<string>([
  'type', 'format', 'properties', 'additionalProperties', 'items', 'required', 'enum', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength',
  'minItems', 'maxItems', 'minProperties', 'maxProperties', 'nullable', 'default', 'description', 'title', 'x-kubernetes-validations', 'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type',
]);

/** Refuses a schema with a keyword that the plane would silently not enforce. @throws Error naming keyword and path. */
export function assertSupported(schema: Schema, path: string): void {
  const foreign = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (foreign) throw new Error(`${path}: the development plane does not enforce the schema keyword "${foreign}"`);
  for (const [name, child] of Object.entries(schema.properties ?? {})) assertSupported(child, `${path}.${name}`);
  if (typeof schema.additionalProperties === 'object') assertSupported(schema.additionalProperties, `${path}.*`);
  if (schema.items) assertSupported(schema.items, `${path}[]`);
}

/** The schema of one member of an object, or undefined where the schema knows no such member. */
export function memberSchema(schema: Schema, name: string): Schema | undefined {
  return schema.properties?.[name] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
}
