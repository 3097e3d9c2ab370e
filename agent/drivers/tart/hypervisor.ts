import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { processTimers, type Timers } from '../../../sdk/client/timers';
import { HypervisorError, type Hypervisor, type RunningVM } from '../../driver';
import { bundleName, instanceOf } from './bundle-name';
import { Bundles } from './bundles';
import { Changes } from './changes';
import { BundleMaker } from './create';
import { Host, type HostPrograms, MACOS_PROGRAMS } from './host';
import { startMachine, type Times } from './start';
import { stopMachine } from './stop';
import { realSubprocesses, type Subprocesses } from './subprocesses';
import { Tart } from './tart';

export interface TartOptions {
  /** tart itself. Default: `tart` on PATH. */
  readonly program?: string;
  /** Default: the environment of the process. tart sees what it needs of it; credentials of a registry go to the command that pulls, and to no other. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Where tart keeps its machines. Default: TART_HOME, else `.tart` in the home directory. */
  readonly home?: string;
  /** Directory for what `tart run` prints, a file a machine. Default: `macrack-logs` in `home`. */
  readonly logDirectory?: string;
  /** Default: those of macOS. */
  readonly hostPrograms?: HostPrograms;
  /** Default: programs of this machine. */
  readonly subprocesses?: Subprocesses;
  readonly timers?: Timers;
  /** Milliseconds between two looks for machines that this process did not start, and for addresses. Default 5 s. */
  readonly lookEveryMs?: number;
  readonly times?: Partial<Times>;
}

export interface TartHypervisor extends Hypervisor {
  /** Serial number of the Mac, in upper case as macOS shows it. */
  serialNumber(): Promise<string>;
}

const DEFAULT_TIMES: Times = { settleMs: 20_000, startMs: 300_000, endMs: 10_000 };

function tartHome({ home, environment = process.env }: TartOptions): string {
  return resolve(home ?? environment['TART_HOME'] ?? join(environment['HOME'] ?? homedir(), '.tart'));
}

/** The parts that the methods share. */
function parts(options: TartOptions) {
  const home = tartHome(options);
  const subprocesses = options.subprocesses ?? realSubprocesses;
  const environment = { ...(options.environment ?? process.env), TART_HOME: home };
  const tart = new Tart(options.program ?? 'tart', subprocesses, environment);
  return {
    subprocesses, tart, bundles: new Bundles(home), host: new Host(options.hostPrograms ?? MACOS_PROGRAMS, subprocesses),
    changes: new Changes(tart, options.timers ?? processTimers, options.lookEveryMs ?? 5_000),
    logs: options.logDirectory ?? join(home, 'macrack-logs'), times: { ...DEFAULT_TIMES, ...options.times },
  };
}

type Parts = ReturnType<typeof parts>;
type State = RunningVM['state'];

/** Undefined for a machine that has ended, and was deleted, since the list was read. */
async function describe({ tart, bundles, changes }: Parts, name: string, state: State): Promise<RunningVM | undefined> {
  const [instanceUID, ip, identity] = [instanceOf(name), changes.address(name), await bundles.tryIdentity(name)];
  if (identity === undefined && !(await tart.running()).includes(name)) return undefined;
  if (identity === undefined) throw new HypervisorError('Failed', `${name} runs and has no configuration`);
  return { name, ...identity, state, ...(instanceUID === undefined ? {} : { instanceUID }), ...(ip === undefined ? {} : { ip }) };
}

async function start({ tart, bundles, logs, times, changes }: Parts, name: string): Promise<void> {
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const { exited } = await startMachine(tart, bundles, name, join(logs, `${name}.log`), times);
  void exited.then(() => changes.ended(name));
  changes.tell();
}

async function remove({ tart, bundles, logs }: Parts, name: string): Promise<void> {
  if ((await tart.running()).includes(name)) throw new HypervisorError('Busy', `${name} runs: stop it before it is deleted`);
  if (await bundles.exists(name)) await tart.delete(name);
  // tart does not know a bundle whose deletion was interrupted, yet the tenant's disk may still be in it.
  await bundles.remove(name);
  await rm(join(logs, `${name}.log`), { force: true });
}

/**
 * The driver of a real Mac with tart (2.27 or newer), for one agent at a time. Machines outlive the agent: each is a `tart run` in a session of its own,
 * and tart's list, not a memory of this process, says what runs.
 */
export function tartHypervisor(options: TartOptions = {}): TartHypervisor {
  const all = parts(options);
  const { tart, bundles, host, changes } = all;
  const maker = new BundleMaker(tart, bundles);
  const states = new Map<string, State>();
  const during = async (state: State, name: string, work: () => Promise<void>): Promise<void> => {
    states.set(name, state);
    await work().finally(() => states.delete(name));
  };
  return {
    hardwareUUID: () => host.hardwareUUID(),
    serialNumber: () => host.serialNumber(),
    bootID: () => host.bootID(),
    probeLimit: () => host.probeLimit(),
    list: async () => {
      const names = await tart.running();
      changes.saw(names);
      const vms = await Promise.all(names.map((name) => describe(all, name, states.get(name) ?? 'Running')));
      return vms.filter((vm) => vm !== undefined);
    },
    disks: async () => {
      const names = (await bundles.names()).flatMap((name) => instanceOf(name) ?? []);
      return Promise.all(names.map(async (instanceUID) => ({ instanceUID, ...await bundles.tryIdentity(bundleName(instanceUID)) ?? { machineID: '', mac: '' } })));
    },
    create: (spec) => maker.create(spec),
    start: async (instanceUID) => during('Starting', bundleName(instanceUID), () => start(all, bundleName(instanceUID))),
    stop: async (instanceUID, graceMs) => during('Stopping', bundleName(instanceUID), () => stopMachine({ ...all, endMs: all.times.endMs }, bundleName(instanceUID), graceMs)),
    delete: async (instanceUID) => remove(all, bundleName(instanceUID)),
    onChange: (listener) => changes.subscribe(listener),
  };
}
