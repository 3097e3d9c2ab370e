import type { Pod, PodStatus } from '../../sdk/api/core-objects';
import { Kinds } from '../../sdk/api/kinds';
import { isFault } from '../../sdk/client/errors';
import type { Context } from '../context';
import type { RunningVM } from '../driver';
import type { Run } from '../journal/ledger';
import type { Cause } from '../journal/line';

type Conditions = NonNullable<PodStatus['conditions']>;

// A merge patch replaces whole lists: the conditions of others, such as PodScheduled, are sent along.
function withReady(ctx: Context, pod: Pod, status: 'True' | 'False', cause?: Cause): Conditions {
  const former = pod.status?.conditions ?? [];
  const ready = former.find(({ type }) => type === 'Ready');
  if (ready?.status === status) return former;
  return [...former.filter(({ type }) => type !== 'Ready'), { type: 'Ready', status, lastTransitionTime: ctx.clock.now(), ...cause }];
}

/** The pod's machine runs; its address follows when there is one. */
export function publishRunning(ctx: Context, pod: Pod, run: Run, vm: RunningVM): Promise<void> {
  const { phase, podIP } = pod.status ?? {};
  if (phase === 'Running' && podIP === vm.ip) return Promise.resolve();
  const conditions = withReady(ctx, pod, 'True');
  return publish(ctx, pod, { phase: 'Running', startTime: run.startedAt, conditions, podIP: vm.ip ?? null, ...(vm.ip === undefined ? {} : { podIPs: [{ ip: vm.ip }] }) });
}

/** Final. Only for a pod whose machine is not in the hypervisor's list. */
export function publishFailed(ctx: Context, pod: Pod, cause: Cause): Promise<void> {
  const conditions = withReady(ctx, pod, 'False', cause);
  return publish(ctx, pod, { phase: 'Failed', reason: cause.reason, message: cause.message, conditions });
}

async function publish(ctx: Context, pod: Pod, status: object): Promise<void> {
  const { name, namespace = '', uid } = pod.metadata;
  try {
    ctx.pods.put(await ctx.plane.patch(Kinds.Pod, { namespace, name }, { status }, { subresource: 'status', preconditions: { uid } }));
  } catch (error) {
    // The pod is gone, or another one has its name: there is nobody to tell.
    if (!isFault(error, 'NotFound', 'Conflict')) throw error;
    ctx.log.info({ err: error, pod: `${namespace}/${name}` }, 'the pod is gone, its status was not written');
  }
}

/** Removes the API object of a pod whose machine is gone. Its slot is free from then on. */
export async function removePod(ctx: Context, pod: Pod): Promise<void> {
  const { name, namespace = '', uid } = pod.metadata;
  try {
    await ctx.plane.remove(Kinds.Pod, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (error) {
    if (!isFault(error, 'NotFound', 'Conflict')) throw error;
  }
}
