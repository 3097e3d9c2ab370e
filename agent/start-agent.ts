import pino, { type Logger } from 'pino';
import { nodeName } from '../sdk/api/names';
import type { ControlPlane } from '../sdk/client/control-plane';
import { processTimers, type Timers } from '../sdk/client/timers';
import { Agent } from './agent';
import type { ApiOptions } from './api/serve';
import { agentClock } from './clock';
import type { Hypervisor } from './driver';
import { Gate } from './gate';
import { Journal } from './journal/journal';
import { linesFile, type DurableLines } from './journal/lines-file';
import { KeyedMutex, Mutex } from './mutex';
import { PodCache } from './pods/pod-cache';

export interface AgentOptions {
  /** With the identity `system:node:mac-<serial>`. The caller closes it. */
  readonly plane: ControlPlane;
  /** Serial number of the Mac, in either case. */
  readonly serial: string;
  readonly hypervisor: Hypervisor;
  /** Default: timers of the process. */
  readonly timers?: Timers;
  /** Path of the durable journal. One agent at a time may use it; its directory must exist. */
  readonly journalFile: string;
  /** Default: JSON lines to stderr. */
  readonly log?: Logger;
  /** Its HTTPS API. Default: none until `serve` is called; the operator leases no Mac whose agent it cannot ask. */
  readonly api?: AgentApiOptions;
}

/** As `ApiOptions`; heads of the audit record are kept beside the journal unless told otherwise. */
export type AgentApiOptions = Omit<ApiOptions, 'auditHeadFile'> & Partial<Pick<ApiOptions, 'auditHeadFile'>>;

export interface RunningAgent {
  /** Name of the Node. */
  readonly node: string;
  /** Resolves after the first report that says this Mac may start machines. Never rejects: an agent goes on trying. */
  readonly ready: Promise<void>;
  /** Serves the HTTPS API, or goes on serving it with other certificates. Resolves when it is served, or when that failed and will be tried again. */
  serve(options: AgentApiOptions): Promise<void>;
  /** Ends the agent; machines go on. Resolves when nothing more is written by it. */
  stop(): Promise<void>;
}

/**
 * Starts the host agent of one Mac. It never rejects for a plane that is down, a Mac that is not enrolled or a journal that cannot be written:
 * it says so in its log and conditions, starts nothing, and tries again.
 */
export function startAgent(options: AgentOptions): RunningAgent {
  return startAgentOn(linesFile(options.journalFile), options, `${options.journalFile}.audit-heads`);
}

/** As `startAgent`, over other durable lines than a file. */
export function startAgentOn(store: DurableLines, options: Omit<AgentOptions, 'journalFile'>, auditHeadFile: string): RunningAgent {
  const serial = options.serial.toLowerCase();
  const node = nodeName(serial);
  const timers = options.timers ?? processTimers;
  const log = (options.log ?? pino(pino.destination(2))).child({ component: 'agent', serial });
  const { plane, hypervisor } = options;
  const open = async (): Promise<Agent> => {
    const journal = await Journal.open(store);
    if (journal.fault !== undefined) log.error({ ...journal.fault }, 'the journal does not say what ran here: nothing is started until it is whole again');
    return new Agent({
      plane, serial, node, hypervisor, journal, log, clock: agentClock(plane), gate: new Gate(journal), pods: new PodCache(), startLock: new Mutex(), machineLock: new KeyedMutex(),
    }, timers);
  };
  const agent = open();
  const serve = async (api: AgentApiOptions): Promise<void> => (await agent).serve({ auditHeadFile, ...api });
  // Served first, so that the first report names the address.
  void agent.then(async (it) => {
    if (options.api !== undefined) await serve(options.api);
    it.begin();
  });
  return { node, serve, ready: agent.then((it) => it.ready), stop: async () => (await agent).stop() };
}
