import type { ApiObject } from '../json';
import { storeKey } from '../resources/definition';
import { StatusError } from '../server/status-error';
import { call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { remove } from '../verbs/delete';
import { WorkQueue } from './queue';

const user = { name: 'system:serviceaccount:kube-system:generic-garbage-collector', groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'] };

function isAlive(plane: Plane, uid: string): boolean {
  for (const { object } of plane.store.everything()) if (object.metadata.uid === uid) return true;
  return false;
}

/** An object is garbage when it has owners and none of them exists. */
function isGarbage(plane: Plane, object: ApiObject): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.length > 0 && !owners.some(({ uid }) => isAlive(plane, uid));
}

async function collect(plane: Plane, uid: string): Promise<void> {
  const owned = [...plane.store.everything()].filter(({ object }) => !object.metadata.deletionTimestamp && object.metadata.ownerReferences?.some((owner) => owner.uid === uid));
  for (const { key, object } of owned.filter((candidate) => isGarbage(plane, candidate.object))) {
    const definition = plane.resources.all().find((candidate) => storeKey(candidate) === key);
    if (!definition) continue;
    const { name, namespace } = object.metadata;
    const body = { preconditions: { uid: object.metadata.uid } };
    await remove(plane, call(user, definition, { name, body, ...(namespace && { namespace }) })).catch((error: unknown) => {
      if (!(error instanceof StatusError) || error.code !== 404) throw error;
    });
  }
}

/** Background deletion of what has lost its owners, also of what is created with owners that are gone. @returns stops it */
export function runGarbageCollector(plane: Plane, report: (line: string) => void): () => Promise<void> {
  const queue = new WorkQueue(plane.clock, (uid) => collect(plane, uid), report);
  for (const { object } of plane.store.everything()) for (const { uid } of object.metadata.ownerReferences ?? []) queue.add(uid);
  const unsubscribe = plane.store.subscribe(({ type, object }) => {
    if (type === 'DELETED' && object.metadata.uid) queue.add(object.metadata.uid);
    if (type === 'ADDED') for (const { uid } of object.metadata.ownerReferences ?? []) queue.add(uid);
  });
  return () => {
    unsubscribe();
    return queue.stop();
  };
}
