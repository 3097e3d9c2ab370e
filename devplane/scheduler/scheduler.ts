import { randomBytes } from 'node:crypto';
import { WorkQueue } from '../controllers/queue';
import type { ApiObject } from '../json';
import { isRecord, listAt, textAt } from '../json';
import { isTerminal } from '../resources/pods';
import { StatusError } from '../server/status-error';
import { call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { create } from '../verbs/create';
import { createSubresource } from '../verbs/subresources';
import { change } from '../verbs/update';
import { explain, misfit, type Misfit } from './fit';

const user = { name: 'system:kube-scheduler', groups: ['system:authenticated'] };
const target = (pod: ApiObject) => ({ name: pod.metadata.name, ...(pod.metadata.namespace && { namespace: pod.metadata.namespace }) });

const isPending = (pod: ApiObject) =>
  textAt(pod, 'spec', 'nodeName') === '' && !pod.metadata.deletionTimestamp && !isTerminal(pod) && textAt(pod, 'spec', 'schedulerName') === 'default-scheduler';

async function bind(plane: Plane, pod: ApiObject, node: string): Promise<void> {
  const { name, uid } = pod.metadata;
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, uid }, target: { apiVersion: 'v1', kind: 'Node', name: node } };
  await createSubresource(plane, call(user, plane.resources.builtin('pods'), { ...target(pod), subresource: 'binding', body }));
}

async function recordEvent(plane: Plane, pod: ApiObject, message: string): Promise<void> {
  const { name, namespace = '', uid } = pod.metadata;
  const now = plane.clock.stamp();
  const body = {
    apiVersion: 'v1', kind: 'Event', metadata: { name: `${name}.${randomBytes(8).toString('hex')}`, namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid }, type: 'Warning', reason: 'FailedScheduling', message,
    source: { component: 'default-scheduler' }, reportingComponent: 'default-scheduler', firstTimestamp: now, lastTimestamp: now, count: 1,
  };
  await create(plane, call(user, plane.resources.builtin('events'), { namespace, body }));
}

/** Written once for each new message, so that a pod that stays unschedulable costs nothing. */
async function markUnschedulable(plane: Plane, pod: ApiObject, message: string): Promise<void> {
  const conditions = listAt(pod, 'status', 'conditions');
  if (conditions.some((condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'message') === message)) return;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime: plane.clock.stamp() };
  await change(plane, call(user, plane.resources.builtin('pods'), { ...target(pod), subresource: 'status' }), (old) => {
    const others = listAt(old, 'status', 'conditions').filter((candidate) => textAt(candidate, 'type') !== 'PodScheduled');
    return { ...old, status: { ...(isRecord(old.status) ? old.status : {}), conditions: [...others, condition] } };
  }, false);
  await recordEvent(plane, pod, message);
}

async function place(plane: Plane, pod: ApiObject): Promise<void> {
  const pods = plane.store.list('/pods');
  const misfits: Misfit[] = [];
  for (const node of plane.store.list('/nodes')) {
    const found = misfit(pod, node, pods);
    if (!found) return bind(plane, pod, node.metadata.name);
    misfits.push(found);
  }
  await markUnschedulable(plane, pod, explain(misfits));
}

/** A pod that vanished or was bound by another meanwhile is no concern of ours. */
async function pass(plane: Plane): Promise<void> {
  const age = (pod: ApiObject) => `${pod.metadata.creationTimestamp} ${pod.metadata.resourceVersion?.padStart(12, '0')}`;
  const pending = plane.store.list('/pods').filter(isPending).sort((a, b) => (age(a) < age(b) ? -1 : 1));
  let refusal: StatusError | undefined;
  for (const pod of pending) {
    await place(plane, pod).catch((error: unknown) => {
      if (!(error instanceof StatusError)) throw error;
      if (error.code !== 404 && error.code !== 409) refusal = error;
    });
  }
  if (refusal) throw refusal;
}

/** NodeResourcesFit, TaintToleration, NodeUnschedulable and nodeSelector of kube-scheduler; the first node that fits, no scoring, no preemption. @returns stops it */
export function runScheduler(plane: Plane, report: (line: string) => void): () => Promise<void> {
  const queue = new WorkQueue(plane.clock, () => pass(plane), report);
  queue.add('pass');
  const unsubscribe = plane.store.subscribe(({ key }) => {
    if (key === '/pods' || key === '/nodes') queue.add('pass');
  });
  return () => {
    unsubscribe();
    return queue.stop();
  };
}
