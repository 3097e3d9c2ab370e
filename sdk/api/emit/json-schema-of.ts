import { type DefinedKind, type Definition, Definitions } from './definitions';
import { type JsonSchema, toJsonSchema } from './json-schema';

function schemaOf(definition: Definition): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    apiVersion: { type: 'string', maxLength: 64 },
    kind: { type: 'string', maxLength: 64 },
    metadata: { type: 'object' },
    spec: toJsonSchema(definition.spec),
  };
  if (definition.status !== undefined) properties.status = toJsonSchema(definition.status);
  return {
    type: 'object',
    description: definition.description,
    properties,
    ...(definition.specOptional ? {} : { required: ['spec'] }),
    ...(definition.rules.length > 0 ? { 'x-kubernetes-validations': [...definition.rules] } : {}),
  };
}

/** JSON Schema of a whole object of the kind, the same that its CRD holds; spec and status stand under `properties`. A new copy each time. */
export function jsonSchemaOf(kind: DefinedKind): JsonSchema {
  return schemaOf(Definitions[kind]);
}
