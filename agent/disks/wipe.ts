import { Kinds } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import type { Context } from '../context';
import { runFacts } from '../pods/run-facts';

/**
 * Deletes every disk that nobody keeps, and writes down when the last one of a claim is gone. Under the start lock, with the annotation read live:
 * no disk goes while its machine is being started. Without the annotation nothing is deleted: it is not known what to keep.
 */
export function wipeDisks(ctx: Context): Promise<void> {
  return ctx.startLock.run(async () => {
    if (!ctx.gate.isThisMac || ctx.gate.isReconciling || !ctx.pods.isComplete || ctx.journal.fault !== undefined) return;
    await deleteUnkept(ctx);
    await recordWiped(ctx);
  });
}

async function deleteUnkept(ctx: Context): Promise<void> {
  const disks = await ctx.hypervisor.disks();
  const kept = disks.length === 0 ? undefined : await keptInstances(ctx);
  if (kept === undefined) return;
  const running = new Set((await ctx.hypervisor.list()).map(({ instanceUID }) => instanceUID));
  for (const { instanceUID } of disks) {
    // The machine of a pod that is gone is stopped first, by that pod's own work; one that nobody can explain is not touched.
    if (kept.has(instanceUID) || running.has(instanceUID)) continue;
    await ctx.hypervisor.delete(instanceUID);
    ctx.log.info({ instanceUID }, 'disk deleted: no instance keeps it');
    ctx.changed();
  }
}

async function keptInstances(ctx: Context): Promise<ReadonlySet<string> | undefined> {
  const node = await ctx.plane.tryGet(Kinds.Node, { name: ctx.node });
  const annotation = node?.metadata.annotations?.[Annotation.KeepDisks];
  if (annotation === undefined) return undefined;
  const named = annotation.split(',').map((uid) => uid.trim()).filter((uid) => uid !== '');
  return new Set([...named, ...ctx.pods.all().map((pod) => runFacts(pod).instanceUID)]);
}

async function recordWiped(ctx: Context): Promise<void> {
  const { ledger } = ctx.journal;
  const [vms, disks, boot] = [await ctx.hypervisor.list(), await ctx.hypervisor.disks(), await ctx.hypervisor.bootID()];
  const left = new Set([...vms, ...disks].map(({ instanceUID }) => ledger.byInstance.get(instanceUID ?? '')?.facts.bindingUID));
  for (const [bindingUID, { tenant, leaseUID, instanceUID, isWiped }] of ledger.claims) {
    if (isWiped || left.has(bindingUID)) continue;
    await ctx.journal.record(boot, { event: 'Wiped', at: ctx.clock.now(), instanceUID, podUID: '', leaseUID, bindingUID, tenant, vmCount: vms.length });
    ctx.log.info({ bindingUID }, 'wiped: no machine and no disk of the claim is left');
    ctx.changed();
  }
}
