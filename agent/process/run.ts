import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { connect } from '../../sdk/client';
import { processTimers, type Timers } from '../../sdk/client/timers';
import { agentClock, type AgentClock } from '../clock';
import { durableFiles } from '../identity/durable-files';
import { Identity, type IdentityOptions } from '../identity/identity';
import { MOST_MACHINES } from '../limit';
import { startAgent, type AgentApiOptions } from '../start-agent';
import type { DriverName } from './driver-names';
import { openDriver, type OpenedDriver } from './drivers';
import { readMacIdentity, type MacIdentity } from './mac-identity';
import { lockState } from './state-lock';

export interface AgentProcessOptions {
  readonly driver: DriverName;
  readonly stateDirectory: string;
  /** From `macrack mac enrol`; needed until the first certificate is there. */
  readonly bootstrapKubeconfig?: string;
  /** Default: the Mac's own. */
  readonly serial?: string;
  readonly listen: { readonly host: string; readonly port: number };
  /** Host, or host:port, under which the operator reaches the agent. Default: what is listened on. */
  readonly advertise?: string;
  /** PEM of the authority of clients. Default: that of the cluster. */
  readonly clientCa?: string;
  readonly log: Logger;
  readonly timers?: Timers;
}

const RETRY_MS = 10_000;
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '::0']);

/** Host by which the operator reaches the agent. @throws Error where only a wildcard is known */
function reachableHost({ listen, advertise }: AgentProcessOptions): string {
  const host = advertise?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') ?? listen.host;
  if (WILDCARDS.has(host)) throw new Error(`${host} is no address that the operator can reach: name one with --advertise`);
  return host;
}

/**
 * Runs the agent of this Mac until `signal` aborts; machines go on after it. What it cannot have now (an identity, the plane, the hypervisor) it waits for and says so.
 * @throws Error for what waiting cannot mend: another agent here, wrong options, a state directory that cannot be used
 */
export async function runAgent(options: AgentProcessOptions, signal: AbortSignal): Promise<void> {
  const { stateDirectory, timers = processTimers } = options;
  const host = reachableHost(options);
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const unlock = await lockState(stateDirectory);
  try {
    const driver = await openDriver(options.driver, stateDirectory, timers);
    const mac = await knowMac(driver, options, timers, signal);
    if (mac !== undefined) await serveMac(driver, mac, host, { ...options, timers }, signal);
  } finally {
    unlock();
  }
}

/** Undefined when `signal` aborted first. A kernel that allows too many machines is never enrolled: only a restart of the Mac changes it. */
async function knowMac(driver: OpenedDriver, { serial: given, log }: AgentProcessOptions, timers: Timers, signal: AbortSignal): Promise<MacIdentity | undefined> {
  const mac = await readMacIdentity(driver, given);
  log.info({ ...mac }, 'the agent of this Mac starts');
  if (mac.kernelQuota <= MOST_MACHINES) return mac;
  while (!signal.aborted) {
    log.error({ kernelQuota: mac.kernelQuota }, `the kernel of this Mac allows ${mac.kernelQuota} macOS machines and the licence ${MOST_MACHINES} (rule 1): it is not registered. Remove the boot argument and restart the Mac.`);
    await new Promise<void>((resolve) => {
      const cancel = timers.after(RETRY_MS * 6, resolve);
      signal.addEventListener('abort', () => { cancel(); resolve(); }, { once: true });
    });
  }
  return undefined;
}

async function serveMac({ hypervisor }: OpenedDriver, { serial, hardwareUUID }: MacIdentity, host: string, options: AgentProcessOptions & { timers: Timers }, signal: AbortSignal): Promise<void> {
  const { stateDirectory, timers, log } = options;
  const time: { clock?: AgentClock } = {};
  const identity = await openIdentity({ ...options, serial, hardwareUUID, signal, now: () => time.clock?.milliseconds() ?? Date.now() });
  await identity.keepClient();
  if (signal.aborted) return;
  const plane = await connect({ configPath: identity.kubeconfig, env: {} });
  time.clock = agentClock(plane);
  const api = await apiOf(options, identity);
  const agent = startAgent({ plane, serial, hypervisor, timers, log, api, journalFile: join(stateDirectory, 'journal.jsonl') });
  const serving = identity.keepServing(host, ({ certificate, key }) => agent.serve({ ...api, certificate, key }));
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve());
  });
  log.info('the agent ends; machines go on');
  await serving;
  await agent.stop();
  plane.close();
}

function openIdentity(options: Omit<IdentityOptions, 'connect' | 'files'>): Promise<Identity> {
  return Identity.open({ ...options, files: durableFiles, connect: (configPath) => connect({ configPath, env: {} }) });
}

async function apiOf({ listen, advertise, clientCa, stateDirectory }: AgentProcessOptions, identity: Identity): Promise<AgentApiOptions> {
  const pair = await identity.serving();
  return {
    ...listen, clientCa: clientCa ?? identity.cluster.ca, auditHeadFile: join(stateDirectory, 'audit-heads.jsonl'),
    ...(advertise === undefined ? {} : { advertise }),
    ...(pair === undefined ? {} : { certificate: pair.certificate, key: pair.key }),
  };
}
