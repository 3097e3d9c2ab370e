export { type CustomResourceDefinition, crdOf } from './crd';
export { type DefinedKind, type Definition, Definitions } from './definitions';
export type { JsonSchema } from './json-schema';
export { jsonSchemaOf } from './json-schema-of';
export { generatedFiles } from './generated-files';
export { structuralFaults } from './structural';
