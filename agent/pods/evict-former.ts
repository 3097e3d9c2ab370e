import { Reason } from '../../sdk/api';
import type { Context } from '../context';
import type { RunningVM } from '../driver';
import type { Run } from '../journal/ledger';
import type { Cause, RunFacts } from '../journal/line';
import { closeRun, stopRun } from './stop';

const REPLACED = 'Replaced';

/**
 * A former pod's machine may still run although its pod is gone from the API (a forced delete): of the same instance, or of the same slot, since
 * pods are named by lease and slot. It is stopped before the new one starts; where it cannot be stopped, the new one is refused.
 */
export async function evictFormer(ctx: Context, run: RunFacts): Promise<Cause | undefined> {
  for (const vm of await ctx.hypervisor.list()) {
    const former = ctx.journal.ledger.byInstance.get(vm.instanceUID ?? '');
    if (former === undefined || !isFormer(former, run)) continue;
    const refusal = await evict(ctx, former, vm, run);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isFormer({ facts }: Run, run: RunFacts): boolean {
  if (facts.podUID === run.podUID) return false;
  return facts.instanceUID === run.instanceUID || (facts.tenant === run.tenant && facts.pod === run.pod && facts.leaseUID === run.leaseUID);
}

async function evict(ctx: Context, former: Run, vm: RunningVM, run: RunFacts): Promise<Cause | undefined> {
  const cause: Cause = { reason: REPLACED, message: `pod ${run.podUID} takes the place of pod ${former.facts.podUID}` };
  try {
    await stopRun(ctx, former, cause);
  } catch (error) {
    ctx.log.error({ err: error, vm: vm.name }, 'the machine of a former pod could not be stopped');
    return {
      reason: former.facts.instanceUID === run.instanceUID ? Reason.IdentityCollision : Reason.ThirdInstance,
      message: `pod ${run.tenant}/${run.pod} may not start on Mac ${ctx.serial}: the machine of pod ${former.facts.podUID}, which held its slot, could not be stopped (rule 1). Create the instance again when it is gone.`,
    };
  }
  await closeRun(ctx, former);
  return undefined;
}
