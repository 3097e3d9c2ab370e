import { setTimeout as pause } from 'node:timers/promises';
import { HypervisorError } from '../../driver';
import type { Host } from './host';
import type { Subprocesses } from './subprocesses';
import type { Tart } from './tart';

const GONE_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;

/** What ends machines. */
export interface Enders {
  readonly tart: Tart;
  readonly host: Host;
  readonly subprocesses: Subprocesses;
  /** Milliseconds that tart gives the framework before it ends the process. */
  readonly endMs: number;
}

async function isGone(tart: Tart, name: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while ((await tart.running()).includes(name)) {
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

/** Stops a machine: asks the guest, then has tart end it, and where that does not, ends its process. Rejects while it still runs. */
export async function stopMachine({ tart, host, subprocesses, endMs }: Enders, name: string, graceMs: number): Promise<void> {
  if (!(await tart.running()).includes(name)) return;
  if (graceMs > 0 && await tart.askToShutDown(name) && await isGone(tart, name, graceMs)) return;
  // A tart that hangs or fails must not keep the machine alive: what it said is shown if the machine cannot be ended without it either.
  const refusal = await tart.stop(name, endMs).then(() => undefined, (error: unknown) => error);
  if (refusal === undefined && await isGone(tart, name, GONE_WITHIN_MS)) return;
  for (const pid of await host.processesOf(name)) subprocesses.kill(pid);
  if (await isGone(tart, name, GONE_WITHIN_MS)) return;
  throw new HypervisorError('Failed', `${name} still runs after its process was ended`, { cause: refusal });
}
