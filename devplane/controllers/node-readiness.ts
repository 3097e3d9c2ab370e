import type { ApiObject, Json } from '../json';
import { isRecord, listAt, textAt } from '../json';
import { notReadyTaint } from '../resources/nodes';
import { call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { change } from '../verbs/update';
import { WorkQueue } from './queue';

const user = { name: 'system:serviceaccount:kube-system:node-controller', groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'] };

const isReady = (node: ApiObject) => listAt(node, 'status', 'conditions').some((condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True');
const isMark = (taint: Json) => textAt(taint, 'key') === notReadyTaint && textAt(taint, 'effect') === 'NoSchedule';

async function sync(plane: Plane, name: string): Promise<void> {
  const node = plane.store.get('/nodes', undefined, name);
  if (!node || isReady(node) !== listAt(node, 'spec', 'taints').some(isMark)) return;
  await change(plane, call(user, plane.resources.builtin('nodes'), { name }), (old) => {
    const others = listAt(old, 'spec', 'taints').filter((taint) => !isMark(taint));
    return { ...old, spec: { ...(isRecord(old.spec) ? old.spec : {}), taints: isReady(old) ? others : [...others, { key: notReadyTaint, effect: 'NoSchedule' }] } };
  }, false);
}

/** Keeps the taint `not-ready:NoSchedule` in step with the condition Ready. A node that falls silent is not noticed: nothing here watches heartbeats. @returns stops it */
export function runNodeReadiness(plane: Plane, report: (line: string) => void): () => Promise<void> {
  const queue = new WorkQueue(plane.clock, (name) => sync(plane, name), report);
  for (const { metadata } of plane.store.list('/nodes')) queue.add(metadata.name);
  const unsubscribe = plane.store.subscribe(({ key, object }) => {
    if (key === '/nodes') queue.add(object.metadata.name);
  });
  return () => {
    unsubscribe();
    return queue.stop();
  };
}
