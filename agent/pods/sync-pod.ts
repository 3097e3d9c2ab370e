import type { Pod } from '../../sdk/api/core-objects';
import type { Context } from '../context';
import type { RunningVM } from '../driver';
import type { Run } from '../journal/ledger';
import type { Cause } from '../journal/line';
import { confirmStart } from './confirm';
import { decide } from './decide';
import { publishFailed, publishRunning, removePod } from './pod-status';
import { NotNow, startPod } from './start';
import { closeRun, stopRun } from './stop';

/** Reasons of a stop on purpose, as the journal has them. */
const STOPPED: Record<'deleted' | 'gone', Cause> = {
  deleted: { reason: 'PodDeleted', message: 'the pod is being deleted' },
  gone: { reason: 'PodGone', message: 'the pod is gone from the API, or was ended there by somebody else' },
};

// Stop, Close, Start and Confirm are each followed by one more step; more than these is a loop.
const MOST_STEPS = 6;

/** Brings one pod UID to rest. Called again on every change; each step reads its facts anew. */
export async function syncPod(ctx: Context, uid: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (!ctx.gate.isThisMac || ctx.gate.isReconciling) throw new NotNow('pods wait until the agent knows what runs on this Mac');
    const pod = ctx.pods.get(uid);
    if (pod === undefined && !ctx.pods.isComplete) return;
    const run = ctx.journal.ledger.runs.get(uid);
    const vm = await machineOf(ctx, run);
    if (await isAtRest(ctx, pod, run, vm)) return;
  }
  throw new Error(`pod ${uid} did not come to rest in ${MOST_STEPS} steps`);
}

async function machineOf(ctx: Context, run: Run | undefined): Promise<RunningVM | undefined> {
  const vms = await ctx.hypervisor.list();
  // The machine of an instance belongs to the newest pod that was given it.
  if (run === undefined || ctx.journal.ledger.byInstance.get(run.facts.instanceUID) !== run) return undefined;
  return vms.find(({ instanceUID }) => instanceUID === run.facts.instanceUID);
}

async function isAtRest(ctx: Context, pod: Pod | undefined, run: Run | undefined, vm: RunningVM | undefined): Promise<boolean> {
  const step = decide(pod, run, vm !== undefined);
  if (run !== undefined && vm !== undefined) {
    if (step === 'Stop') return stop(ctx, pod, run);
    if (step === 'Confirm') return confirmStart(ctx, await ctx.hypervisor.bootID(), run.facts, vm).then(() => false);
    if (step === 'Report' && pod !== undefined) return publishRunning(ctx, pod, run, vm).then(() => true);
  }
  if (run !== undefined && step === 'Close') return closeRun(ctx, run).then(() => false);
  if (pod === undefined) return true;
  if (step === 'Remove') return removePod(ctx, pod).then(() => true);
  if (step === 'Fail' && run?.outcome !== undefined) return publishFailed(ctx, pod, run.outcome).then(() => true);
  if (step === 'Start') return startPod(ctx, pod).then(() => false);
  return true;
}

async function stop(ctx: Context, pod: Pod | undefined, run: Run): Promise<false> {
  await stopRun(ctx, run, pod?.metadata.deletionTimestamp === undefined ? STOPPED.gone : STOPPED.deleted);
  await closeRun(ctx, run);
  return false;
}
