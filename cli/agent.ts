import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import pino from 'pino';
import { openDriver } from '../agent/process/drivers';
import { readMacIdentity } from '../agent/process/mac-identity';
import { runAgent } from '../agent/process/run';
import { processTimers } from '../sdk/client/timers';
import type { AgentCommandOptions, HardwareOptions } from './agent-options';

/** Runs the agent of this Mac until SIGTERM or SIGINT. Resolves to the exit status. @throws Error for what waiting cannot mend */
export async function agent({ driver, stateDir, bootstrapKubeconfig, serial, listen, advertise, clientCa, logLevel }: AgentCommandOptions): Promise<number> {
  if (stateDir === undefined) throw new Error('agent: --state-dir is needed: a directory of its own for identity and journal');
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort());
  // Written at once: what an agent says last is what its reader needs most.
  const log = pino({ level: logLevel }, pino.destination({ dest: 2, sync: true }));
  await runAgent({
    driver, stateDirectory: resolve(stateDir), listen, log,
    ...(bootstrapKubeconfig === undefined ? {} : { bootstrapKubeconfig: resolve(bootstrapKubeconfig) }),
    ...(serial === undefined ? {} : { serial }), ...(advertise === undefined ? {} : { advertise }), ...(clientCa === undefined ? {} : { clientCa }),
  }, ending.signal);
  return 0;
}

/** Prints what the enrolment of this Mac needs, as JSON. Resolves to the exit status. */
export async function hardware({ driver, stateDir, serial }: HardwareOptions): Promise<number> {
  const directory = resolve(stateDir);
  if (driver === 'sim') mkdirSync(directory, { recursive: true, mode: 0o700 });
  process.stdout.write(`${JSON.stringify(await readMacIdentity(await openDriver(driver, directory, processTimers), serial))}\n`);
  return 0;
}
