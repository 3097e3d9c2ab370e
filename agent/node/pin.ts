import { Kinds } from '../../sdk/api/kinds';
import type { Context } from '../context';
import type { Disk, RunningVM } from '../driver';

/**
 * The claim that the Mac serves, from its first machine on. It is let go only when none of its machines and disks are left, the journal says
 * wiped, and the claim is gone or another one has its place.
 */
export class Pin {
  /** The claim that was last found to be over; asked once, since a claim's UID never comes back. */
  #over: string | undefined;

  async held(ctx: Context, vms: readonly RunningVM[], disks: readonly Disk[]): Promise<string | undefined> {
    const { ledger } = ctx.journal;
    const binding = ledger.lastBindingUID;
    if (binding === undefined || binding === this.#over) return undefined;
    const isHere = [...vms, ...disks].some(({ instanceUID }) => ledger.byInstance.get(instanceUID ?? '')?.facts.bindingUID === binding);
    if (isHere || ledger.claims.get(binding)?.isWiped !== true || await isStanding(ctx, binding)) return binding;
    this.#over = binding;
    return undefined;
  }
}

async function isStanding(ctx: Context, binding: string): Promise<boolean> {
  try {
    return (await ctx.plane.tryGet(Kinds.MacNodeBinding, { name: ctx.serial }))?.metadata.uid === binding;
  } catch (error) {
    ctx.log.warn({ err: error }, 'the claim could not be read: the pin stays');
    return true;
  }
}
