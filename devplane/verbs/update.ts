import type { ApiObject, Json } from '../json';
import { clone, isEqual, isRecord } from '../json';
import { storeKey } from '../resources/definition';
import { badRequest, conflict, invalid, modified, notFound } from '../server/status-error';
import { authorizeCreation } from '../rbac/authorize';
import { type Call, isDryRun } from './call';
import { create } from './create';
import type { Plane } from './plane';
import { decode, settle } from './incoming';
import { desiredState, judge } from './judge';

/** Writes without a resourceVersion are tried again when another write came between, as the real server does. */
const attempts = 5;

export function findExisting(plane: Plane, call: Call): ApiObject {
  const found = plane.store.get(storeKey(call.definition), call.namespace, call.name ?? '');
  if (!found) throw notFound(call.definition, call.name ?? '');
  return found;
}

/** What the server alone says is put back from the old object, whatever the client sent; another uid is a fault that is told with the others. */
function restoreServerFields(next: ApiObject, old: ApiObject): ApiObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, name, namespace } = old.metadata;
  const { deletionTimestamp: _deleted, deletionGracePeriodSeconds: _grace, resourceVersion: _version, ...sent } = next.metadata;
  const metadata = { ...sent, name, uid: sent.uid || uid, creationTimestamp, generation, namespace, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion: old.metadata.resourceVersion };
  return { ...next, metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)) as ApiObject['metadata'] };
}

/** The main resource ignores status; the status subresource ignores all else (built-in kinds let it carry metadata too). */
function confine(call: Call, next: ApiObject, old: ApiObject): ApiObject {
  const { custom, subresources } = call.definition;
  if (call.subresource === 'status') return withStatus({ ...old, metadata: custom ? old.metadata : next.metadata }, next.status);
  return subresources.includes('status') ? withStatus(next, old.status) : next;
}

function withStatus(object: ApiObject, status: Json | undefined): ApiObject {
  const { status: _status, ...rest } = object;
  return status === undefined ? (rest) : ({ ...rest, status });
}

/** Only custom resources and pods count their changes. */
function counted({ definition }: Call, next: ApiObject, old: ApiObject): ApiObject {
  if (!definition.isCounted || isEqual(desiredState(next), desiredState(old))) return next;
  return { ...next, metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}

function assertPreconditions(call: Call, sent: ApiObject, old: ApiObject): void {
  const { name, uid, resourceVersion } = sent.metadata;
  if (name && name !== old.metadata.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${old.metadata.name})`);
  if (uid && uid !== old.metadata.uid) throw conflict(call.definition, old.metadata.name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`);
  if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) throw modified(call.definition, old.metadata.name);
}

/** A Terminating object ends with the write that takes its last finalizer. */
function isFinished(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  const held = isRecord(object.spec) && object.kind === 'Namespace' && Array.isArray(object.spec.finalizers) ? object.spec.finalizers.length : 0;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length + held === 0;
}

/**
 * The way of every change to an existing object: preconditions, admission, schema, policies, compare-and-swap.
 * @param produce the object that the client wants, from the current one.
 * @param isPinned the client named a resourceVersion: a write in between is a conflict, not a reason to try again.
 */
export async function change(plane: Plane, call: Call, produce: (old: ApiObject) => ApiObject, isPinned: boolean): Promise<ApiObject> {
  const key = storeKey(call.definition);
  for (let attempt = 1; ; attempt++) {
    const old = findExisting(plane, call);
    const next = await admitted(plane, call, produce(clone(old)), old);
    if (isDryRun(call)) return next;
    if (!isFinished(next) && isEqual(next, old)) return old;
    const stored = plane.store.commit(key, old, isFinished(next) ? undefined : next);
    if (stored) return stored;
    if (isPinned || attempt === attempts) throw modified(call.definition, old.metadata.name);
  }
}

async function admitted(plane: Plane, call: Call, sent: ApiObject, old: ApiObject): Promise<ApiObject> {
  const prepare = (object: ApiObject) => confine(call, restoreServerFields(object, old), old);
  const next = clone(prepare(sent));
  call.definition.strategy.fill?.(next, old, call.user, call.subresource);
  const attributes = { call, operation: 'UPDATE' as const, oldObject: old, dryRun: isDryRun(call) };
  const mutated = await plane.admission.mutate({ ...attributes, object: next });
  settle(call, mutated);
  const object = counted(call, prepare(mutated), old);
  judge(call, object, old);
  await plane.admission.validate({ ...attributes, object });
  return object;
}

/** PUT. Custom resources demand a resourceVersion; some kinds of Kubernetes are made by it where they are absent. */
export async function replace(plane: Plane, call: Call): Promise<{ object: ApiObject; isNew: boolean }> {
  const sent = decode(call, call.body);
  const { definition, name = '' } = call;
  if (!plane.store.get(storeKey(definition), call.namespace, name) && definition.isMadeByUpdate && sent.metadata.name === name) {
    authorizeCreation(plane, call);
    const { resourceVersion: _version, ...metadata } = sent.metadata;
    return { object: await create(plane, { ...call, body: { ...sent, metadata } }), isNew: true };
  }
  findExisting(plane, call);
  if (definition.custom && !sent.metadata.resourceVersion) {
    throw invalid(definition, name, [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message: 'Invalid value: 0: must be specified for an update' }]);
  }
  const object = await change(plane, call, (old) => {
    assertPreconditions(call, sent, old);
    return clone(sent);
  }, sent.metadata.resourceVersion !== undefined);
  return { object, isNew: false };
}
