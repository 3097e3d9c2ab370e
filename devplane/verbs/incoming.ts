import type { ApiObject, ObjectMeta } from '../json';
import { clone, isRecord } from '../json';
import { apiVersionOf } from '../resources/definition';
import { applyDefaults, prune } from '../schema/prune';
import { badRequest } from '../server/status-error';
import type { Call } from './call';

const metadataFields = new Set([
  'name', 'namespace', 'generateName', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds',
  'finalizers', 'ownerReferences', 'labels', 'annotations',
]);

/** managedFields and selfLink are dropped without a word: the plane keeps neither, and clients send them back. */
function readMetadata(metadata: ObjectMeta): { metadata: ObjectMeta; unknown: string[] } {
  const entries = Object.entries(metadata).filter(([name, value]) => value !== null && value !== undefined && metadataFields.has(name));
  const unknown = Object.keys(metadata).filter((name) => !metadataFields.has(name) && name !== 'managedFields' && name !== 'selfLink');
  return { metadata: { name: '', ...Object.fromEntries(entries) }, unknown: unknown.map((name) => `metadata.${name}`) };
}

/**
 * The object of a request as the server decodes it: of the right kind, pruned, with defaults, namespace filled.
 * Unknown fields are a warning, or a refusal when the client asks for strict validation.
 */
export function decode(call: Call, source: unknown): ApiObject {
  const { definition } = call;
  if (!isRecord(source)) throw badRequest('the request body must be a JSON object');
  const apiVersion = apiVersionOf(definition);
  const kind = source.kind ?? definition.kind;
  const version = source.apiVersion ?? apiVersion;
  if (kind !== definition.kind || version !== apiVersion) {
    throw badRequest(`the API version in the data (${JSON.stringify(version)}, kind ${JSON.stringify(kind)}) does not match the expected API version (${apiVersion}, kind ${definition.kind})`);
  }
  const { metadata, unknown } = readMetadata(clone((isRecord(source.metadata) ? source.metadata : {}) as ObjectMeta));
  if (call.namespace !== undefined && (metadata.namespace ?? call.namespace) !== call.namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
  const object: ApiObject = { ...clone(source), apiVersion, kind: definition.kind, metadata: { ...metadata, ...(call.namespace && { namespace: call.namespace }) } };
  reportUnknown(call, [...unknown, ...settle(call, object)]);
  return object;
}

/** Prunes and defaults in place; also after a mutating webhook. @returns pruned paths. */
export function settle(call: Call, object: ApiObject): string[] {
  const { schema } = call.definition;
  if (!schema) return [];
  const body: Record<string, unknown> = object;
  const { apiVersion, kind, metadata, ...rest } = object;
  const pruned = prune(rest, schema);
  applyDefaults(rest, schema);
  for (const name of Object.keys(body)) delete body[name];
  Object.assign(body, { apiVersion, kind, metadata }, rest);
  return pruned;
}

function reportUnknown(call: Call, unknown: string[]): void {
  const mode = call.query.get('fieldValidation') ?? 'Warn';
  const sentences = unknown.map((path) => `unknown field "${path}"`);
  if (mode === 'Strict' && sentences.length > 0) {
    const { kind, version } = call.definition;
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${sentences.join(', ')}`);
  }
  if (mode === 'Warn') call.warnings.push(...sentences);
}
