import type { ApiObject, Json } from '../json';
import { at, isEqual, isRecord, listAt, textAt } from '../json';
import { qualifiedResource, type ResourceDefinition, storeKey } from '../resources/definition';
import { StatusError } from '../server/status-error';
import { call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { remove } from '../verbs/delete';
import { finalize } from '../verbs/subresources';
import { change } from '../verbs/update';
import { WorkQueue } from './queue';

const user = { name: 'system:serviceaccount:kube-system:namespace-controller', groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'] };
const key = '/namespaces';

interface Remaining {
  definition: ResourceDefinition;
  objects: ApiObject[];
}

function contents(plane: Plane, namespace: string): Remaining[] {
  const namespaced = plane.resources.all().filter((definition) => definition.namespaced);
  return namespaced.map((definition) => ({ definition, objects: plane.store.list(storeKey(definition), namespace) })).filter(({ objects }) => objects.length > 0);
}

/** Pods go first, and nothing else is touched while one is left, as in Kubernetes since 1.33. */
function nextToGo(plane: Plane, namespace: string): Remaining[] {
  const all = contents(plane, namespace);
  const pods = all.filter(({ definition }) => definition.group === '' && definition.resource === 'pods');
  return pods.length > 0 ? pods : all;
}

/** A deletion that admission refuses leaves the object; it is tried again with the whole namespace. @returns the refusal */
async function empty(plane: Plane, namespace: string): Promise<StatusError | undefined> {
  let refusal: StatusError | undefined;
  for (const { definition, objects } of nextToGo(plane, namespace)) {
    for (const { metadata } of objects.filter((object) => !object.metadata.deletionTimestamp)) {
      await remove(plane, call(user, definition, { namespace, name: metadata.name })).catch((error: unknown) => {
        if (!(error instanceof StatusError)) throw error;
        if (error.code !== 404) refusal = error;
      });
    }
  }
  return refusal;
}

function counted(words: Map<string, number>, suffix: string): string {
  return [...words].map(([word, count]) => `${word} ${suffix.replace('%', String(count))}`).join(', ');
}

/** The conditions by which kubectl and people see why a namespace stays. */
function conditionsOf(remaining: Remaining[], now: string, refusal: StatusError | undefined): Json[] {
  const kinds = new Map(remaining.map(({ definition, objects }) => [definition.group ? qualifiedResource(definition) : `${definition.resource}.`, objects.length]));
  const finalizers = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ objects }) => objects.flatMap((object) => object.metadata.finalizers ?? []))) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  const condition = (type: string, troubled: [reason: string, message: string] | false, fine: [reason: string, message: string]): Json => {
    const [reason, message] = troubled || fine;
    return { type, status: troubled ? 'True' : 'False', reason, message, lastTransitionTime: now };
  };
  return [
    condition('NamespaceDeletionContentFailure', refusal !== undefined && ['ContentDeletionFailed', `Failed to delete all resource types, 1 remaining: ${refusal.message}`],
      ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization']),
    condition('NamespaceContentRemaining', kinds.size > 0 && ['SomeResourcesRemain', `Some resources are remaining: ${counted(kinds, 'has % resource instances')}`],
      ['ContentRemoved', 'All content successfully removed']),
    condition('NamespaceFinalizersRemaining', finalizers.size > 0 && ['SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${counted(finalizers, 'in % resource instances')}`],
      ['ContentHasNoFinalizers', 'All content-preserving finalizers finished']),
  ];
}

/** Keeps the time of a condition that has not changed, so that a pass without news writes nothing. */
function settled(fresh: Json[], old: Json[]): Json[] {
  return fresh.map((condition) => {
    const was = old.find((candidate) => textAt(candidate, 'type') === textAt(condition, 'type'));
    return was && isRecord(condition) && isEqual({ ...condition, lastTransitionTime: at(was, 'lastTransitionTime') }, was) ? was : condition;
  });
}

async function sync(plane: Plane, name: string): Promise<void> {
  const namespace = plane.store.get(key, undefined, name);
  if (!namespace?.metadata.deletionTimestamp) return;
  const definition = plane.resources.builtin('namespaces');
  const refusal = await empty(plane, name);
  const remaining = contents(plane, name);
  if (remaining.length === 0) {
    if (listAt(namespace, 'spec', 'finalizers').length > 0) await finalize(plane, call(user, definition, { name, subresource: 'finalize', body: { spec: { finalizers: [] } } }));
    return;
  }
  await change(plane, call(user, definition, { name, subresource: 'status' }), (old) => {
    const conditions = settled(conditionsOf(remaining, plane.clock.stamp(), refusal), listAt(old, 'status', 'conditions'));
    return { ...old, status: { ...(isRecord(old.status) ? old.status : {}), conditions } };
  }, false);
  if (refusal) throw refusal;
}

/** Empties and ends Terminating namespaces. @returns stops it */
export function runNamespaceController(plane: Plane, report: (line: string) => void): () => Promise<void> {
  const queue = new WorkQueue(plane.clock, (name) => sync(plane, name), report);
  const look = (name: string | undefined) => {
    if (name !== undefined && plane.store.get(key, undefined, name)?.metadata.deletionTimestamp) queue.add(name);
  };
  for (const { metadata } of plane.store.list(key)) look(metadata.name);
  const unsubscribe = plane.store.subscribe(({ key: changed, object }) => look(changed === key ? object.metadata.name : object.metadata.namespace));
  return () => {
    unsubscribe();
    return queue.stop();
  };
}
