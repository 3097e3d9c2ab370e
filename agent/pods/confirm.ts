import type { Context } from '../context';
import type { Identity } from '../driver';
import type { RunFacts } from '../journal/line';
import { podEntry } from './entry';

/** Writes down a machine that runs: the second half of a start, also after the agent died between the two. */
export async function confirmStart(ctx: Context, boot: string, run: RunFacts, identity: Identity): Promise<void> {
  const vmCount = (await ctx.hypervisor.list()).length;
  await ctx.journal.record(boot, podEntry(ctx, 'Started', run, vmCount, { identity }));
  ctx.changed();
}
