import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../json';
import type { ResourceDefinition } from '../resources/definition';
import type { ResourceRegistry } from '../resources/registry';
import { notFound } from './status-error';

const text: Json = { type: 'string' };
const open: Json = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const metadata: Json = { type: 'object', description: 'Standard object metadata.', 'x-kubernetes-preserve-unknown-fields': true };

const groupKind = ({ group, version, kind }: ResourceDefinition): Json => ({ group, version, kind });
const schemaName = ({ group, version, kind }: ResourceDefinition) => [...(group || 'core').split('.').reverse(), version, kind].join('.');
const documentPath = ({ group, version }: ResourceDefinition) => (group ? `apis/${group}/${version}` : `api/${version}`);

/** Kinds of Kubernetes are described as open objects: the plane does not have their schemas. */
function schemaOf(definition: ResourceDefinition): Json {
  const body = (definition.custom ? definition.schema : undefined) as JsonObject | undefined ?? open as JsonObject;
  const properties = { apiVersion: text, kind: text, ...(body.properties as JsonObject | undefined), metadata };
  return { ...body, properties, 'x-kubernetes-group-version-kind': [groupKind(definition)] };
}

const parameters: Json = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({ name, in: 'query', schema: text }));

/** kubectl reads here whether the server validates fields by itself: the parameter `fieldValidation` of a kind's writes. */
function pathsOf(definition: ResourceDefinition): [string, Json][] {
  const collection = `/${documentPath(definition)}/${definition.namespaced ? 'namespaces/{namespace}/' : ''}${definition.resource}`;
  const operation = (action: string): Json => ({ 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': groupKind(definition), parameters });
  return [[collection, { post: operation('post') }], [`${collection}/{name}`, { put: operation('put'), patch: operation('patch') }]];
}

function documentOf(definitions: readonly ResourceDefinition[]): JsonObject {
  return {
    openapi: '3.0.0', info: { title: 'MacRack development plane: no compliance claim', version: 'v1' },
    paths: Object.fromEntries(definitions.flatMap(pathsOf)), components: { schemas: Object.fromEntries(definitions.map((each) => [schemaName(each), schemaOf(each)])) },
  };
}

function index(resources: ResourceRegistry): JsonObject {
  const entries = resources.all().map((definition) => {
    const path = documentPath(definition);
    const hash = createHash('sha256').update(JSON.stringify(document(path, resources))).digest('hex').slice(0, 32).toUpperCase();
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }] as const;
  });
  return { paths: Object.fromEntries(entries) };
}

const document = (path: string, resources: ResourceRegistry) => documentOf(resources.all().filter((definition) => documentPath(definition) === path));

/** `/openapi/v3` lists the documents, `/openapi/v3/apis/<group>/<version>` is one. @throws StatusError 404 */
export function openApi(pathname: string, resources: ResourceRegistry): JsonObject {
  const path = pathname.replace(/^\/openapi\/v3\/?/, '');
  if (path === '') return index(resources);
  if (!resources.all().some((definition) => documentPath(definition) === path)) throw notFound({ group: '', resource: 'openapi' }, path);
  return document(path, resources);
}
