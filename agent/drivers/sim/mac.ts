import { randomUUID } from 'node:crypto';
import { processTimers, type Timers } from '../../../sdk/client/timers';
import { BUNDLE_PREFIX, HypervisorError, type Identity, type RunningVM } from '../../driver';
import { noFaults, type SimFaults } from './faults';
import { newIdentity } from './identity';
import { SimKernel } from './kernel';

export interface SimMacOptions {
  /** Default: a new one. */
  readonly hardwareUUID?: string;
  /** Default 2, as on every Mac. */
  readonly kernelQuota?: number;
  readonly timers?: Timers;
}

interface Bundle extends Identity { readonly name: string }
interface Machine { readonly bundle: Bundle; state: RunningVM['state']; ip?: string; readonly gone: (() => void)[] }

/**
 * The Mac itself: bundles, running machines, kernel. It outlives the agents that are started on it, as a real one does,
 * and goes on by its own timers while no agent runs.
 */
export class SimMac {
  readonly faults: SimFaults = noFaults();
  readonly hardwareUUID: string;
  readonly kernel: SimKernel;
  readonly timers: Timers;
  bootID: string = randomUUID();
  readonly #bundles = new Map<string, Bundle>();
  readonly #machines = new Map<string, Machine>();
  readonly #listeners = new Set<() => void>();
  #addresses = 1;

  constructor(options: SimMacOptions = {}) {
    this.hardwareUUID = options.hardwareUUID ?? randomUUID().toUpperCase();
    this.kernel = new SimKernel(options.kernelQuota ?? 2);
    this.timers = options.timers ?? processTimers;
  }

  bundles(): readonly Bundle[] {
    return [...this.#bundles.values()];
  }

  running(): readonly RunningVM[] {
    return [...this.#machines.values()].map(({ bundle, state, ip }) => ({
      name: bundle.name,
      ...(bundle.name.startsWith(BUNDLE_PREFIX) ? { instanceUID: bundle.name.slice(BUNDLE_PREFIX.length) } : {}),
      machineID: bundle.machineID, mac: bundle.mac, state, ...(ip === undefined ? {} : { ip }),
    }));
  }

  isRunning(name: string): boolean {
    return this.#machines.has(name);
  }

  createBundle(name: string): Identity {
    const found = this.#bundles.get(name);
    if (found !== undefined) return found;
    const source = this.faults.cloneNextFrom === undefined ? undefined : this.#bundles.get(BUNDLE_PREFIX + this.faults.cloneNextFrom);
    this.faults.cloneNextFrom = undefined;
    const { machineID, mac } = source ?? newIdentity();
    const bundle = { name, machineID, mac };
    this.#bundles.set(name, bundle);
    return bundle;
  }

  deleteBundle(name: string): void {
    if (this.#machines.has(name)) throw new HypervisorError('Busy', `${name} runs: stop it before it is deleted`);
    this.#bundles.delete(name);
  }

  /** Starts a bundle, also for a person at the keyboard: with any name and without the agent. */
  async boot(name: string): Promise<void> {
    const bundle = this.#bundles.get(name);
    if (bundle === undefined) throw new HypervisorError('Failed', `there is no machine ${name}`);
    if (this.#machines.has(name)) throw new HypervisorError('Busy', `${name} runs already`);
    const failure = this.faults.failNextStart;
    this.faults.failNextStart = undefined;
    if (failure !== undefined) throw new HypervisorError('Failed', failure);
    this.kernel.take();
    const machine: Machine = { bundle, state: 'Starting', gone: [] };
    this.#machines.set(name, machine);
    await this.#wait(this.faults.startMs);
    if (this.#machines.get(name) !== machine) throw new HypervisorError('Failed', `${name} ended while it started`);
    if (machine.state === 'Starting') machine.state = 'Running';
    this.#changed();
    this.#assignAddress(name, machine);
  }

  /** Resolves when the machine is gone. */
  async shutDown(name: string, graceMs: number): Promise<void> {
    const machine = this.#machines.get(name);
    if (machine === undefined) return;
    if (machine.state === 'Stopping') return new Promise((resolve) => machine.gone.push(resolve));
    machine.state = 'Stopping';
    await this.#wait(Math.min(this.faults.stopMs, graceMs));
    if (this.#machines.get(name) === machine) this.end(name);
  }

  /** The process of the machine ends now, by itself. */
  end(name: string): void {
    const machine = this.#machines.get(name);
    if (machine === undefined) return;
    this.#machines.delete(name);
    this.kernel.give(this.faults.leakNextSlot);
    this.faults.leakNextSlot = false;
    for (const resolve of machine.gone) resolve();
    this.#changed();
  }

  /** The machine of an instance dies. */
  crash(instanceUID: string): void {
    this.end(BUNDLE_PREFIX + instanceUID);
  }

  /** Power off and on: machines are gone, bundles stay, the kernel counts from zero. */
  reboot(): void {
    for (const name of [...this.#machines.keys()]) this.end(name);
    this.kernel.reboot();
    this.bootID = randomUUID();
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #assignAddress(name: string, machine: Machine): void {
    if (this.faults.noIP) return;
    this.timers.after(this.faults.ipMs, () => {
      if (this.#machines.get(name) !== machine) return;
      this.#addresses += 1;
      machine.ip = `192.168.64.${this.#addresses % 250 + 2}`;
      this.#changed();
    });
  }

  #wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => void this.timers.after(milliseconds, resolve));
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
