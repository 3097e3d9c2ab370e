import { z } from 'zod';
import type { CelRule } from '../cel';

/** JSON Schema as Kubernetes accepts it in a CRD: the structural part of OpenAPI 3.0. */
export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  default?: unknown;
  nullable?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  readOnly?: boolean;
  'x-kubernetes-validations'?: CelRule[];
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
}

/** What zod adds and a CRD does not take, or takes with another meaning. */
function adapt(schema: JsonSchema): void {
  if (schema.properties !== undefined) delete schema.additionalProperties;
  // The server stores none, and kubectl would apply the CRD anew each time.
  if (schema.properties !== undefined && Object.keys(schema.properties).length === 0) delete schema.properties;
  delete schema.readOnly;
  if (schema.type === 'integer') {
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    schema.format ??= 'int64';
  }
  // `\/` is how JavaScript prints a slash in a pattern; Go reads both.
  if (schema.pattern !== undefined) schema.pattern = schema.pattern.replaceAll('\\/', '/');
}

/** The schema of what a client sends (defaulted fields are optional). Throws where zod has no JSON Schema for a type. */
export function toJsonSchema(type: z.ZodType): JsonSchema {
  const schema = z.toJSONSchema(type, {
    target: 'openapi-3.0', io: 'input', reused: 'inline', unrepresentable: 'throw',
    override: ({ jsonSchema }) => { adapt(jsonSchema as JsonSchema); },
  });
  // zod marks its result with symbols and shares sub-objects, which a YAML printer would turn into anchors.
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
