import { join } from 'node:path';
import type { MacProcess } from './mac-process';

const program = join(__dirname, 'self-killing-agent.cjs');

/** What an agent does on its Mac in the life of a lease with one machine, in order. */
export const OWN_STEPS = [
  'journal CreateIntent', 'hypervisor create', 'journal StartIntent', 'hypervisor start', 'journal Started',
  'journal StopIntent', 'hypervisor stop', 'journal Stopped', 'hypervisor delete', 'journal Wiped',
] as const;

/** A step of an agent that no other program sees, and when it dies: `torn` is in the middle of a line of its journal. */
export interface OwnDeath {
  readonly step: (typeof OWN_STEPS)[number];
  readonly moment: 'before' | 'torn' | 'after';
}

/** Lets agent after agent of a Mac die, each at the next point, and leaves one that lives. @returns points at which none had died when `life` was over */
export async function dieAtEach(mac: MacProcess, deaths: readonly OwnDeath[], life: Promise<void>): Promise<readonly OwnDeath[]> {
  const missed: OwnDeath[] = [];
  const over = life.then(() => false);
  for (const death of deaths) {
    await mac.killAgent();
    const { ended } = await mac.startAgent({ env: { NODE_OPTIONS: `--require "${program}"`, DIE_AT: JSON.stringify(death) } });
    if (!await Promise.race([ended.then(() => true), over])) missed.push(death);
  }
  await mac.killAgent();
  await mac.startAgent();
  return missed;
}
