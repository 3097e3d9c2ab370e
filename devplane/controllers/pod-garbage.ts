import type { ApiObject } from '../json';
import { isRecord, textAt } from '../json';
import { isTerminal } from '../resources/pods';
import { StatusError } from '../server/status-error';
import { call } from '../verbs/call';
import { remove } from '../verbs/delete';
import type { Plane } from '../verbs/plane';
import { change } from '../verbs/update';
import { WorkQueue } from './queue';

const user = { name: 'system:serviceaccount:kube-system:pod-garbage-collector', groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'] };

/** A node that comes back within this time keeps its pods. */
const quarantineMs = 40_000;

const keyOf = ({ metadata }: ApiObject) => `${metadata.namespace ?? ''}/${metadata.name}`;

function isOrphan(plane: Plane, pod: ApiObject): boolean {
  const node = textAt(pod, 'spec', 'nodeName');
  return node !== '' && plane.store.get('/nodes', undefined, node) === undefined;
}

async function collect(plane: Plane, key: string): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  const pod = plane.store.get('/pods', namespace, name);
  if (!pod || !isOrphan(plane, pod)) return;
  const definition = plane.resources.builtin('pods');
  const status = (old: ApiObject) => ({ ...(isRecord(old.status) ? old.status : {}), phase: 'Failed' });
  if (!isTerminal(pod)) await change(plane, call(user, definition, { namespace, name, subresource: 'status' }), (old) => ({ ...old, status: status(old) }), false);
  const body = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
  await remove(plane, call(user, definition, { namespace, name, body })).catch((error: unknown) => {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
  });
}

/** Ends the pods of nodes that have been gone for 40 s of the plane's clock: Failed first, then removed. @returns stops it */
export function runPodGarbageCollector(plane: Plane, report: (line: string) => void): () => Promise<void> {
  const queue = new WorkQueue(plane.clock, (key) => collect(plane, key), report);
  const later = (pods: ApiObject[]) => {
    for (const pod of pods) plane.clock.after(quarantineMs, () => queue.add(keyOf(pod)));
  };
  later(plane.store.list('/pods').filter((pod) => isOrphan(plane, pod)));
  const unsubscribe = plane.store.subscribe(({ type, key, object }) => {
    if (key === '/nodes' && type === 'DELETED') later(plane.store.list('/pods').filter((pod) => textAt(pod, 'spec', 'nodeName') === object.metadata.name));
    if (key === '/pods' && type !== 'DELETED' && isOrphan(plane, object)) later([object]);
  });
  return () => {
    unsubscribe();
    return queue.stop();
  };
}
