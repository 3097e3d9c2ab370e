import type { Context } from '../context';
import type { RunningVM } from '../driver';
import type { Cause } from '../journal/line';
import { closeRun, stopRun } from '../pods/stop';
import { ApiFault } from './api-fault';
import type { ApiClient } from './client-identity';

const REASON = 'StoppedByOperator';
const GRACE_MS = 120_000;

/**
 * Stops one machine because a person asked. Resolves when it is gone; one that does not run is success. Its pod then ends Failed, and the journal says why.
 * @param bindingUID if given, a machine of another claim is left alone
 * @throws ApiFault 404 for an instance that this Mac does not know, 409 for one of another claim
 */
export async function stopInstance(ctx: Context, instanceUID: string, client: ApiClient, bindingUID: string | undefined): Promise<void> {
  const run = ctx.journal.ledger.byInstance.get(instanceUID);
  const vm = await tryFind(ctx, instanceUID);
  const isKnown = vm !== undefined || run !== undefined || (await ctx.hypervisor.disks()).some((disk) => disk.instanceUID === instanceUID);
  if (!isKnown) throw new ApiFault(404, `there is no instance ${instanceUID} on Mac ${ctx.serial}`);
  const served = run?.facts.bindingUID ?? '';
  if (bindingUID !== undefined && bindingUID !== served) throw new ApiFault(409, `instance ${instanceUID} is not of claim ${bindingUID}: nothing was stopped`);
  if (vm === undefined) return;
  ctx.log.warn({ instanceUID, client: client.name }, 'a machine is stopped because a client of the API asked');
  const cause = { reason: REASON, message: `stopped at the Mac by its fleet operator` };
  if (run === undefined) return stopUnknown(ctx, vm, instanceUID, cause);
  await stopRun(ctx, run, cause);
  await closeRun(ctx, run);
}

/** A machine that the journal cannot explain leaves a line all the same. */
async function stopUnknown(ctx: Context, { machineID, mac }: RunningVM, instanceUID: string, cause: Cause): Promise<void> {
  await ctx.machineLock.run(instanceUID, () => ctx.hypervisor.stop(instanceUID, GRACE_MS));
  const vmCount = (await ctx.hypervisor.list()).length;
  const nobody = { podUID: '', leaseUID: '', bindingUID: '', tenant: '' };
  await ctx.journal.record(await ctx.hypervisor.bootID(), { event: 'Stopped', at: ctx.clock.now(), instanceUID, ...nobody, machineID, mac, vmCount, ...cause });
  ctx.changed();
}

async function tryFind({ hypervisor }: Context, instanceUID: string): Promise<RunningVM | undefined> {
  return (await hypervisor.list()).find((vm) => vm.instanceUID === instanceUID);
}
