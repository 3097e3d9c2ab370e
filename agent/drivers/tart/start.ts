import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { HypervisorError } from '../../driver';
import type { Bundles } from './bundles';
import type { Launched } from './subprocesses';
import type { Tart } from './tart';

export interface Times {
  /** Milliseconds after which a machine that has said nothing counts as started if tart lists it: before macOS 14 tart opens no socket. Default 20 s. */
  readonly settleMs: number;
  /** Milliseconds after which a start has failed. Default 5 minutes. */
  readonly startMs: number;
  /** Milliseconds that tart gives the framework to end a machine whose grace is over, before it ends the process. Default 10 s. */
  readonly endMs: number;
}

const LOOK_EVERY_MS = 50;

/**
 * Starts a machine and waits until it runs. tart lists a machine as running as soon as it has locked the bundle, before it asks the kernel: the list
 * alone would take a start that the kernel refuses for one that has succeeded.
 */
export async function startMachine(tart: Tart, bundles: Bundles, name: string, outputFile: string, times: Times): Promise<Launched> {
  if ((await bundles.missing(name)).length > 0) throw new HypervisorError('Failed', `there is no machine ${name}, or not all of it`);
  if ((await tart.running()).includes(name)) throw new HypervisorError('Busy', `${name} runs already`);
  const before = await bundles.startMark(name);
  const launched = await tart.launch(name, outputFile);
  const end: { code?: number | null } = {};
  void launched.exited.then((code) => { end.code = code; });
  const begun = performance.now();
  for (;;) {
    await pause(LOOK_EVERY_MS);
    if (end.code !== undefined) throw tart.fault('run', await readFile(outputFile, 'utf8'), end.code);
    const mark = await bundles.startMark(name);
    if (mark !== undefined && mark !== before) return launched;
    const waited = performance.now() - begun;
    if (waited > times.settleMs && (await tart.running()).includes(name)) return launched;
    if (waited > times.startMs) throw new HypervisorError('Failed', `${name} did not start within ${times.startMs / 1000} s`);
  }
}
