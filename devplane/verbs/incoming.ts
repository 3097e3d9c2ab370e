import type { ApiObject, Json, JsonObject, ObjectMeta } from '../json';
import { clone, isRecord } from '../json';
import { apiVersionOf } from '../resources/definition';
import { applyDefaults, prune } from '../schema/prune';
import { validate } from '../schema/validate';
import { badRequest, Undecodable } from '../server/status-error';
import type { Call } from './call';

const metadataFields = new Set([
  'name', 'namespace', 'generateName', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds',
  'finalizers', 'ownerReferences', 'labels', 'annotations',
]);

/** A null in a map of texts is the empty text to Go. */
const texts = (map: JsonObject): JsonObject => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));

/** managedFields and selfLink are dropped without a word: the plane keeps neither, and clients send them back. */
function readMetadata(metadata: ObjectMeta): { metadata: ObjectMeta; unknown: string[] } {
  const entries = Object.entries(metadata).filter(([name, value]) => value !== null && value !== undefined && metadataFields.has(name));
  const unknown = Object.keys(metadata).filter((name) => !metadataFields.has(name) && name !== 'managedFields' && name !== 'selfLink');
  return { metadata: { name: '', ...Object.fromEntries(entries.map(([name, value]) => [name, isRecord(value) ? texts(value) : value])) }, unknown: unknown.map((name) => `metadata.${name}`) };
}

/** Kinds of Kubernetes may leave kind and version out, since the URL names them; custom resources may not. */
function assertKind({ definition }: Call, source: JsonObject): void {
  const apiVersion = apiVersionOf(definition);
  const shown = JSON.stringify(source).slice(0, 200);
  if (definition.custom && !source.kind) throw badRequest(`the object provided is unrecognized (must be of type ${definition.kind}): Object 'Kind' is missing in '${shown}'`);
  const { kind = definition.kind, apiVersion: version = definition.custom ? '' : apiVersion } = source;
  if (version !== apiVersion) throw badRequest(`the API version in the data (${JSON.stringify(version)}) does not match the expected API version (${apiVersion})`);
  if (kind !== definition.kind) throw badRequest(`the object provided is unrecognized (must be of type ${definition.kind}): its kind is ${JSON.stringify(kind)}`);
}

const jsonType = (value: Json | undefined) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value);

/** Fields of the metadata that would not fit the types of Go. */
function assertTyped({ definition }: Call, metadata: JsonObject): void {
  const refuse = (value: Json | undefined, field: string, type: string) => new Undecodable(`${definition.kind} in version "${definition.version}" cannot be handled as a ${definition.kind}: json: cannot unmarshal ${jsonType(value)} into Go struct field ObjectMeta.${field} of type ${type}`);
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field] ?? {};
    if (!isRecord(map)) throw refuse(map, field, 'map[string]string');
    const odd = Object.values(map).find((value) => typeof value !== 'string' && value !== null);
    if (odd !== undefined) throw refuse(odd, field, 'string');
  }
  const { finalizers, ownerReferences } = metadata;
  if (finalizers && !(Array.isArray(finalizers) && finalizers.every((each) => typeof each === 'string'))) throw refuse(finalizers, 'finalizers', '[]string');
  if (ownerReferences && !(Array.isArray(ownerReferences) && ownerReferences.every(isRecord))) throw refuse(ownerReferences, 'ownerReferences', '[]v1.OwnerReference');
  const text = ['name', 'namespace', 'generateName', 'uid', 'resourceVersion'].find((field) => !['string', 'undefined'].includes(typeof (metadata[field] ?? undefined)));
  if (text !== undefined) throw refuse(metadata[text], text, 'string');
}

/**
 * The object of a request as the server decodes it: of the right kind, pruned, with defaults, namespace filled.
 * Unknown fields are a warning, or a refusal when the client asks for strict validation.
 */
export function decode(call: Call, source: unknown): ApiObject {
  const { definition } = call;
  if (!isRecord(source)) throw badRequest('the request body must be a JSON object');
  const apiVersion = apiVersionOf(definition);
  assertKind(call, source);
  if (source.metadata !== undefined && source.metadata !== null && !isRecord(source.metadata)) throw new Undecodable(`${definition.kind} in version "${definition.version}" cannot be handled as a ${definition.kind}: json: cannot unmarshal ${jsonType(source.metadata)} into Go value of type v1.ObjectMeta`);
  const sent: JsonObject = isRecord(source.metadata) ? source.metadata : {};
  assertTyped(call, sent);
  const { metadata, unknown } = readMetadata(clone(sent as ObjectMeta));
  if (call.namespace !== undefined && (metadata.namespace ?? call.namespace) !== call.namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
  const object: ApiObject = { ...clone(source), apiVersion, kind: definition.kind, metadata: { ...metadata, ...(call.namespace && { namespace: call.namespace }) } };
  reportUnknown(call, [...unknown, ...settle(call, object)]);
  assertReadable(call, object);
  return object;
}

/** Kinds of Kubernetes have Go types: a value of another type, or an instant that is none, is no such object at all. */
function assertReadable({ definition }: Call, { apiVersion: _version, kind: _kind, metadata: _metadata, ...body }: ApiObject): void {
  if (definition.custom || !definition.schema) return;
  const odd = validate(body, definition.schema).find(({ reason, message }) => reason === 'FieldValueTypeInvalid' || message.includes('must be of type'));
  if (odd) throw new Undecodable(`${definition.kind} in version "${definition.version}" cannot be handled as a ${definition.kind}: ${odd.field}: ${odd.message}`);
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
