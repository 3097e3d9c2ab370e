import type { Context } from '../context';
import type { Run } from '../journal/ledger';
import type { Cause } from '../journal/line';
import { podEntry } from './entry';
import { CRASHED } from './refusal';

const isOver = (run: Run): boolean => run.phase === 'Ended' || run.phase === 'Refused';

/** Stops a machine on purpose. The cause is on the disk first, so that a restart in between does not take it for a crash. */
export async function stopRun(ctx: Context, run: Run, cause: Cause): Promise<void> {
  const boot = await ctx.hypervisor.bootID();
  if (run.stopCause === undefined) await intendStop(ctx, boot, run, cause);
  ctx.changed();
  await ctx.machineLock.run(run.facts.instanceUID, async () => {
    if (ctx.journal.ledger.byInstance.get(run.facts.instanceUID) !== run) return;
    await ctx.hypervisor.stop(run.facts.instanceUID, run.facts.graceSeconds * 1000);
  });
}

// A full disk keeps machines from starting, not from stopping: the end itself is still written down before the pod is removed.
async function intendStop(ctx: Context, boot: string, run: Run, cause: Cause): Promise<void> {
  try {
    await ctx.journal.append(boot, { kind: 'StopIntent', podUID: run.facts.podUID, cause });
  } catch (error) {
    ctx.log.error({ err: error, pod: run.facts.pod }, 'the intent to stop could not be journaled; the machine is stopped all the same');
    run.stopCause = cause;
  }
}

/** Writes down that a machine is gone: stopped on purpose, by a restart of the Mac, or by itself. */
export async function closeRun(ctx: Context, run: Run): Promise<void> {
  const boot = await ctx.hypervisor.bootID();
  const vmCount = (await ctx.hypervisor.list()).length;
  const cause = run.stopCause ?? (run.boot === boot ? crashed(ctx, run) : restarted(ctx, run));
  const entry = podEntry(ctx, 'Stopped', run.facts, vmCount, { identity: run.identity, cause });
  // Its own pod and the pod that takes its slot may both see the end of one machine.
  await ctx.journal.record(boot, entry, { unless: () => isOver(run) });
  ctx.log.info({ pod: `${run.facts.tenant}/${run.facts.pod}`, reason: cause.reason }, cause.message);
  ctx.changed();
}

function crashed(ctx: Context, { facts }: Run): Cause {
  return { reason: CRASHED, message: `the machine of instance ${facts.tenant}/${facts.instance} on Mac ${ctx.serial} ended by itself. Its disk is kept while the instance exists.` };
}

function restarted(ctx: Context, { facts }: Run): Cause {
  return { reason: CRASHED, message: `Mac ${ctx.serial} was restarted and the machine of instance ${facts.tenant}/${facts.instance} with it; the time is that at which the agent noticed. Its disk is kept while the instance exists.` };
}
