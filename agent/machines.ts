import type { Context } from './context';
import type { RunningVM } from './driver';
import { confirmStart } from './pods/confirm';
import { closeRun } from './pods/stop';

/** Compares the journal with the hypervisor: once whole at the start, afterwards only whether the hypervisor answers. Rejects while it does not. */
export async function inspectMachines(ctx: Context): Promise<void> {
  const before = ctx.gate.closed?.reason;
  try {
    const vms = await ctx.hypervisor.list();
    if (ctx.gate.isReconciling) await reconcile(ctx, vms);
    ctx.gate.setMachines(undefined);
  } catch (error) {
    if (!ctx.gate.isReconciling) ctx.gate.setMachines({ reason: 'HypervisorUnavailable', message: error instanceof Error ? error.message : String(error) });
    throw error;
  } finally {
    // What changed on the Mac itself is reported by whoever noticed it; a heartbeat that found nothing new is one report, not two.
    if (ctx.gate.closed?.reason !== before) ctx.changed();
  }
}

/** The hypervisor's list is the truth: what ran and is not in it has ended, and a start that is in it has succeeded. No start happens meanwhile. */
async function reconcile(ctx: Context, vms: readonly RunningVM[]): Promise<void> {
  const { ledger, fault } = ctx.journal;
  if (fault?.reason === 'JournalDamaged') return;
  const boot = await ctx.hypervisor.bootID();
  const running = new Map(vms.flatMap((vm) => (vm.instanceUID === undefined ? [] : [[vm.instanceUID, vm] as const])));
  for (const run of [...ledger.runs.values()]) {
    const isNewest = ledger.byInstance.get(run.facts.instanceUID) === run;
    const vm = isNewest ? running.get(run.facts.instanceUID) : undefined;
    if (run.phase === 'Running' && vm === undefined) await closeRun(ctx, run);
    if (run.phase === 'Starting' && vm !== undefined) await confirmStart(ctx, boot, run.facts, vm);
  }
}
