import { randomBytes, randomUUID } from 'node:crypto';
import type { ApiObject } from '../json';
import { storeKey } from '../resources/definition';
import { alreadyExists, badRequest, forbidden, notFound, StatusError } from '../server/status-error';
import { type Call, isDryRun } from './call';
import type { Plane } from './plane';
import { decode, settle } from './incoming';
import { judge } from './judge';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const randomSuffix = () => [...randomBytes(5)].map((byte) => alphabet[byte % alphabet.length]).join('');

function assertNamespaceOpen(plane: Plane, call: Call, name: string): void {
  if (call.namespace === undefined) return;
  const namespaces = { group: '', resource: 'namespaces' };
  const namespace = plane.store.get(storeKey(namespaces), undefined, call.namespace);
  if (!namespace) throw notFound(namespaces, call.namespace);
  if (namespace.metadata.deletionTimestamp) {
    const message = `unable to create new content in namespace ${call.namespace} because it is being terminated`;
    throw forbidden(call.definition, name, message, [{ reason: 'NamespaceTerminating', message: `namespace ${call.namespace} is being terminated`, field: 'metadata.namespace' }]);
  }
}

/** What only the server may say is taken out of what a client sent. */
function withoutServerFields(object: ApiObject): ApiObject {
  const { uid: _uid, creationTimestamp: _created, deletionTimestamp: _deleted, deletionGracePeriodSeconds: _grace, generation: _generation, resourceVersion, ...metadata } = object.metadata;
  if (resourceVersion) throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  return { ...object, metadata };
}

function stamp(plane: Plane, call: Call, object: ApiObject): ApiObject {
  const { generateName = '' } = object.metadata;
  const name = object.metadata.name || (generateName && `${generateName}${randomSuffix()}`);
  const stamped: ApiObject = { ...object, metadata: { ...object.metadata, name, uid: randomUUID(), creationTimestamp: plane.clock.stamp(), ...(call.definition.isCounted && { generation: 1 }) } };
  if (call.definition.custom && call.definition.subresources.includes('status')) delete stamped.status;
  return stamped;
}

/** POST of a whole object. In the order of the real server: decode, mutate, stamp, schema and CEL, policies, validating webhooks, store. */
export async function create(plane: Plane, call: Call): Promise<ApiObject> {
  const { definition, user } = call;
  const sent = withoutServerFields(decode(call, call.body));
  if (call.name !== undefined && sent.metadata.name !== call.name) throw badRequest(`the name of the object (${sent.metadata.name}) does not match the name on the URL (${call.name})`);
  assertNamespaceOpen(plane, call, sent.metadata.name);
  definition.strategy.fill?.(sent, undefined, user, undefined);
  const attributes = { call, operation: 'CREATE' as const, dryRun: isDryRun(call) };
  const mutated = await plane.admission.mutate({ ...attributes, object: sent });
  settle(call, mutated);
  const object = stamp(plane, call, withoutServerFields(mutated));
  const key = storeKey(definition);
  const present = plane.store.get(key, call.namespace, object.metadata.name);
  judge(call, object, undefined);
  await plane.admission.validate({ ...attributes, object });
  if (present) throw alreadyExists(definition, object.metadata.name, present.metadata.deletionTimestamp !== undefined);
  if (isDryRun(call)) return object;
  const stored = plane.store.commit(key, undefined, object);
  if (!stored) throw alreadyExists(definition, object.metadata.name);
  return stored;
}
