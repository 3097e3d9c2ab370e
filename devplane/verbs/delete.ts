import type { ApiObject, Json, JsonObject } from '../json';
import { at, isRecord, textAt } from '../json';
import { storeKey } from '../resources/definition';
import { conflict, modified, notImplemented } from '../server/status-error';
import { selection } from '../store/selectors';
import { type Call, isDryRun } from './call';
import type { Plane } from './plane';
import { findExisting } from './update';

const attempts = 5;

function fromQuery(query: URLSearchParams): JsonObject {
  const [seconds, policy] = [query.get('gracePeriodSeconds'), query.get('propagationPolicy')];
  return { ...(seconds !== null && { gracePeriodSeconds: Number(seconds) }), ...(policy !== null && { propagationPolicy: policy }) };
}

/** Parameters of a delete stand in its body or, where it has none, in the query. */
export function deleteOptions(call: Call): JsonObject {
  const options: JsonObject = isRecord(call.body) ? { ...call.body } : fromQuery(call.query);
  if (!['', 'Background'].includes(textAt(options, 'propagationPolicy'))) throw notImplemented(`propagationPolicy ${textAt(options, 'propagationPolicy')}`);
  return options;
}

function assertPreconditions(call: Call, options: JsonObject, old: ApiObject): void {
  const { name, uid, resourceVersion } = old.metadata;
  const [wantedUid, wantedVersion] = [textAt(options, 'preconditions', 'uid'), textAt(options, 'preconditions', 'resourceVersion')];
  if (wantedUid && wantedUid !== uid) throw conflict(call.definition, name, `Precondition failed: UID in precondition: ${wantedUid}, UID in object meta: ${uid}`);
  if (wantedVersion && wantedVersion !== resourceVersion) {
    throw conflict(call.definition, name, `the ResourceVersion in the precondition (${wantedVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`);
  }
}

function graceOf(call: Call, options: JsonObject, object: ApiObject): number | undefined {
  const longest = call.definition.strategy.gracePeriod?.(object);
  const asked = at(options, 'gracePeriodSeconds');
  return longest === undefined || longest === 0 || typeof asked !== 'number' ? longest : asked;
}

/** The object while it waits for finalizers or for its grace; a later, shorter grace may bring the end nearer, never further. */
function terminating(plane: Plane, old: ApiObject, grace: number): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation = 0 } = old.metadata;
  if (deletionTimestamp && grace >= deletionGracePeriodSeconds) return old;
  const end = new Date(Math.floor(plane.clock.now() / 1000 + grace) * 1000).toISOString().replace('.000Z', 'Z');
  const next: ApiObject = { ...old, metadata: { ...old.metadata, deletionTimestamp: end, deletionGracePeriodSeconds: grace, ...(generation > 0 && { generation: generation + 1 }) } };
  return next.kind === 'Namespace' ? { ...next, status: { ...(isRecord(old.status) ? old.status : {}), phase: 'Terminating' } } : next;
}

/** A kind that ends gracefully is shown as it went: marked as deleted, without grace. */
const last = (plane: Plane, call: Call, object: ApiObject): ApiObject => (call.definition.strategy.gracePeriod ? terminating(plane, object, 0) : object);

function isHeld(object: ApiObject): boolean {
  const own = object.kind === 'Namespace' ? at(object, 'spec', 'finalizers') : undefined;
  return (object.metadata.finalizers ?? []).length > 0 || (Array.isArray(own) && own.length > 0);
}

export interface Deletion {
  object: ApiObject;
  /** False while finalizers or the grace period keep the object. */
  isGone: boolean;
}

/** DELETE of one object. @param admit false only for evictions, which the real server also carries out without DELETE admission. */
export async function remove(plane: Plane, call: Call, admit = true): Promise<Deletion> {
  const options = deleteOptions(call);
  const key = storeKey(call.definition);
  for (let attempt = 1; ; attempt++) {
    const old = findExisting(plane, call);
    assertPreconditions(call, options, old);
    const grace = graceOf(call, options, old);
    const filled: Json = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', ...options, ...(grace !== undefined && { gracePeriodSeconds: grace }) };
    if (admit) await admitDelete(plane, call, old, filled);
    const isGone = !isHeld(old) && (grace ?? 0) === 0;
    const next = isGone ? undefined : terminating(plane, old, grace ?? 0);
    if (isDryRun(call) || next === old) return { object: next ?? last(plane, call, old), isGone };
    const stored = plane.store.commit(key, old, next);
    if (stored) return { object: next ? stored : last(plane, call, stored), isGone };
    if (attempt === attempts) throw modified(call.definition, old.metadata.name);
  }
}

async function admitDelete(plane: Plane, call: Call, oldObject: ApiObject, options: Json): Promise<void> {
  const attributes = { call, operation: 'DELETE' as const, oldObject, options, dryRun: isDryRun(call) };
  await plane.admission.mutate(attributes);
  await plane.admission.validate(attributes);
}

/** DELETE of a collection: each item by itself, admitted without a name in the request, as in Kubernetes. */
export async function removeCollection(plane: Plane, call: Call): Promise<ApiObject[]> {
  deleteOptions(call);
  const selected = plane.store.list(storeKey(call.definition), call.namespace).filter(selection(call.query, call.definition));
  const removed: ApiObject[] = [];
  for (const { metadata } of selected) {
    const one: Call = { ...call, name: metadata.name, ...(metadata.namespace && { namespace: metadata.namespace }), isCollection: true };
    if (plane.store.get(storeKey(call.definition), one.namespace, metadata.name)) removed.push((await remove(plane, one)).object);
  }
  return removed;
}
