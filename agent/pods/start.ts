import type { Pod } from '../../sdk/api/core-objects';
import { Kinds } from '../../sdk/api/kinds';
import { Reason } from '../../sdk/api';
import type { Context } from '../context';
import { isKernelLimit, type Identity, type RunningVM } from '../driver';
import type { Cause, RunFacts } from '../journal/line';
import { MOST_MACHINES } from '../limit';
import { confirmStart } from './confirm';
import { podEntry } from './entry';
import { evictFormer } from './evict-former';
import { CRASHED, kernelRefusal, refuseCollision, refuseForeignRemains, refuseOtherMac, refuseOtherTenant, refuseThird } from './refusal';
import { runFacts, vmSpec } from './run-facts';

/** A start that cannot be judged now. The pod waits and is tried again. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}

/**
 * Judges and starts the machine of one pod, under the start lock. The result stands in the journal: Started or Refused. Rejects where something is
 * unknown (no answer of the API server, of the hypervisor, of the journal): unknown is never a start, and never a refusal either.
 */
export function startPod(ctx: Context, pod: Pod): Promise<void> {
  return ctx.startLock.run(() => judgeAndStart(ctx, pod));
}

async function judgeAndStart(ctx: Context, pod: Pod): Promise<void> {
  const closed = ctx.gate.closed;
  if (closed !== undefined) throw new NotNow(`no start: ${closed.reason}: ${closed.message}`);
  if (!isStillWanted(ctx, pod)) return;
  const run = runFacts(pod);
  const boot = await ctx.hypervisor.bootID();
  const refusal = refuseOtherMac(ctx.serial, run, pod) ?? await refuseBeforeCreate(ctx, run);
  if (refusal !== undefined) return refuse(ctx, boot, run, refusal);
  if (await adopt(ctx, boot, run)) return;
  const identity = await createDistinct(ctx, boot, run, pod);
  if (identity === undefined || !isStillWanted(ctx, pod)) return;
  await runMachine(ctx, boot, run, identity);
}

function isStillWanted(ctx: Context, pod: Pod): boolean {
  const now = ctx.pods.get(pod.metadata.uid);
  return now !== undefined && now.metadata.deletionTimestamp === undefined;
}

async function refuseBeforeCreate(ctx: Context, run: RunFacts): Promise<Cause | undefined> {
  const claim = await ctx.plane.tryGet(Kinds.MacNodeBinding, { name: ctx.serial });
  const otherTenant = refuseOtherTenant(ctx.serial, run, claim);
  if (otherTenant !== undefined) return otherTenant;
  const remains = refuseForeignRemains(ctx.serial, run, ctx.journal.ledger, await ctx.hypervisor.list(), await ctx.hypervisor.disks());
  if (remains !== undefined) return remains;
  const evicted = await evictFormer(ctx, run);
  const others = (await ctx.hypervisor.list()).filter(({ instanceUID }) => instanceUID !== run.instanceUID);
  return evicted ?? refuseThird(ctx.serial, run, ctx.journal.ledger, others);
}

/** A machine of this very instance that the journal cannot explain (its file was lost) is taken over, not killed. */
async function adopt(ctx: Context, boot: string, run: RunFacts): Promise<boolean> {
  const vm = find(await ctx.hypervisor.list(), run);
  if (vm === undefined) return false;
  await ctx.journal.append(boot, { kind: 'StartIntent', run, identity: { machineID: vm.machineID, mac: vm.mac } });
  await confirmStart(ctx, boot, run, vm);
  return true;
}

/** The bundle with an identity that nothing else has; undefined after a refusal. */
async function createDistinct(ctx: Context, boot: string, run: RunFacts, pod: Pod): Promise<Identity | undefined> {
  await ctx.journal.append(boot, { kind: 'CreateIntent', run });
  let identity: Identity;
  try {
    identity = await ctx.hypervisor.create(vmSpec(pod));
  } catch (error) {
    await refuse(ctx, boot, run, didNotStart(ctx, run, error));
    return undefined;
  }
  const [vms, disks] = [await ctx.hypervisor.list(), await ctx.hypervisor.disks()];
  const collision = refuseCollision(ctx.serial, run, identity, ctx.journal.ledger, vms, disks);
  // Left on the disk, the copy would make the next start of the machine it was copied from look like the copy.
  if (collision !== undefined) await ctx.hypervisor.delete(run.instanceUID);
  const refusal = collision ?? refuseThird(ctx.serial, run, ctx.journal.ledger, vms);
  if (refusal === undefined) return identity;
  await refuse(ctx, boot, run, refusal, identity);
  return undefined;
}

async function runMachine(ctx: Context, boot: string, run: RunFacts, identity: Identity): Promise<void> {
  await ctx.journal.append(boot, { kind: 'StartIntent', run, identity });
  ctx.changed();
  try {
    await ctx.machineLock.run(run.instanceUID, () => ctx.hypervisor.start(run.instanceUID));
  } catch (error) {
    return startFailed(ctx, boot, run, identity, error);
  }
  const vm = find(await ctx.hypervisor.list(), run);
  if (vm === undefined) return refuse(ctx, boot, run, didNotStart(ctx, run, new Error('it ended as soon as it had started')), identity);
  await confirmStart(ctx, boot, run, vm);
}

async function startFailed(ctx: Context, boot: string, run: RunFacts, identity: Identity, error: unknown): Promise<void> {
  if (find(await ctx.hypervisor.list(), run) !== undefined) await ctx.hypervisor.stop(run.instanceUID, 0);
  const others = await ctx.hypervisor.list();
  const third = isKernelLimit(error) ? refuseThird(ctx.serial, run, ctx.journal.ledger, others) : undefined;
  if (third !== undefined || !isKernelLimit(error)) return refuse(ctx, boot, run, third ?? didNotStart(ctx, run, error), identity);
  await refuse(ctx, boot, run, kernelRefusal(ctx.serial, run, others.length, describe(error)), identity, MOST_MACHINES - others.length);
}

async function refuse(ctx: Context, boot: string, run: RunFacts, cause: Cause, identity?: Identity, leaked?: number): Promise<void> {
  const vmCount = (await ctx.hypervisor.list()).length;
  await ctx.journal.record(boot, podEntry(ctx, 'Refused', run, vmCount, { identity, cause }), leaked === undefined ? {} : { leaked });
  ctx.log.warn({ pod: `${run.tenant}/${run.pod}`, reason: cause.reason, layer: cause.reason === Reason.KernelLimit ? 'kernel' : 'agent' }, cause.message);
  ctx.changed();
}

function didNotStart(ctx: Context, run: RunFacts, error: unknown): Cause {
  return { reason: CRASHED, message: `instance ${run.tenant}/${run.instance} did not come up on Mac ${ctx.serial}: ${describe(error)}. Delete it and create it again.` };
}

const find = (vms: readonly RunningVM[], run: RunFacts): RunningVM | undefined => vms.find(({ instanceUID }) => instanceUID === run.instanceUID);
const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
