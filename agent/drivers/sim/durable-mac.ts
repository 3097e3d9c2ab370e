import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import { processTimers, type Timers } from '../../../sdk/client/timers';
import { BUNDLE_PREFIX, HypervisorError, type Identity, type RunningVM } from '../../driver';
import { newIdentity } from './identity';
import { kernelLimit } from './kernel';

/** What the Mac does wrong or slowly, for every process that has it open. */
export interface DurableSimSettings {
  /** How many machines the kernel allows. Default 2. */
  readonly kernelQuota: number;
  /** Milliseconds that a start takes. Default 0. */
  readonly startMs: number;
  /** Milliseconds that a guest takes to shut down. Default 0. */
  readonly stopMs: number;
  /** Machines that the kernel counts and nobody runs. Default 0; a reboot clears it. */
  readonly leaked: number;
  /** Every call of the hypervisor rejects with this text. Default '': it answers. */
  readonly unavailable: string;
}

interface BundleRow { readonly name: string; readonly machineID: string; readonly mac: string }
interface MachineRow extends BundleRow { readonly address: number; readonly readyAt: number; readonly stopAt: number | null }

const DEFAULTS: DurableSimSettings = { kernelQuota: 2, startMs: 0, stopMs: 0, leaked: 0, unavailable: '' };
const LOOK_EVERY_MS = 250;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS bundles (name TEXT PRIMARY KEY, machineID TEXT NOT NULL, mac TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS machines (address INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, readyAt REAL NOT NULL, stopAt REAL);`;

const waitFor = (timers: Timers, milliseconds: number): Promise<void> => (milliseconds <= 0 ? Promise.resolve() : new Promise((resolve) => void timers.after(milliseconds, resolve)));

function open(path: string): Database.Database {
  try {
    const database = new Database(path);
    return database.exec(SCHEMA);
  } catch (error) {
    throw new Error(`the simulated Mac ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * A simulated Mac in a file: it outlives the processes that have it open, as machines outlive the agent on a real one. Several processes may open it at once;
 * what takes time goes on by the clock while none does.
 */
export class DurableSimMac {
  readonly timers: Timers;
  readonly #db: Database.Database;
  readonly #listeners = new Set<() => void>();
  #cancelLook: (() => void) | undefined;
  #seen: unknown;

  /** @param path of the file, made where it is missing @param options.hardwareUUID of a Mac that is made; default: a new one */
  constructor(path: string, options: { readonly timers?: Timers; readonly hardwareUUID?: string } = {}) {
    this.timers = options.timers ?? processTimers;
    this.#db = open(path);
    const first = this.#db.prepare('INSERT OR IGNORE INTO facts VALUES (?, ?)');
    first.run('hardwareUUID', options.hardwareUUID ?? randomUUID().toUpperCase());
    first.run('bootID', randomUUID());
  }

  get hardwareUUID(): string {
    return this.#fact('hardwareUUID') ?? '';
  }

  get bootID(): string {
    return this.#fact('bootID') ?? '';
  }

  get settings(): DurableSimSettings {
    return { ...DEFAULTS, ...JSON.parse(this.#fact('settings') ?? '{}') as Partial<DurableSimSettings> };
  }

  set(settings: Partial<DurableSimSettings>): void {
    this.#setFact('settings', JSON.stringify({ ...this.settings, ...settings }));
    this.#changed();
  }

  bundles(): readonly (Identity & { readonly name: string })[] {
    return this.#db.prepare<[], BundleRow>('SELECT * FROM bundles ORDER BY rowid').all();
  }

  running(): readonly RunningVM[] {
    return this.#machines().map(({ name, machineID, mac, address, readyAt, stopAt }) => ({
      name, ...(name.startsWith(BUNDLE_PREFIX) ? { instanceUID: name.slice(BUNDLE_PREFIX.length) } : {}), machineID, mac,
      state: stopAt !== null ? 'Stopping' : Date.now() < readyAt ? 'Starting' : 'Running',
      ...(Date.now() < readyAt ? {} : { ip: `192.168.64.${address % 250 + 2}` }),
    }));
  }

  createBundle(name: string): Identity {
    return this.#transaction(() => {
      const { machineID, mac } = newIdentity();
      this.#db.prepare('INSERT OR IGNORE INTO bundles VALUES (?, ?, ?)').run(name, machineID, mac);
      return this.#bundle(name) ?? { machineID, mac };
    });
  }

  deleteBundle(name: string): void {
    this.#transaction(() => {
      if (this.#machine(name) !== undefined) throw new HypervisorError('Busy', `${name} runs: stop it before it is deleted`);
      this.#db.prepare('DELETE FROM bundles WHERE name = ?').run(name);
    });
  }

  /** Starts a bundle, also for a person at the keyboard: with any name and without the agent. */
  async boot(name: string): Promise<void> {
    const { startMs, kernelQuota, leaked } = this.settings;
    this.#transaction(() => {
      if (this.#bundle(name) === undefined) throw new HypervisorError('Failed', `there is no machine ${name}`);
      if (this.#machine(name) !== undefined) throw new HypervisorError('Busy', `${name} runs already`);
      if (this.#machines().length + leaked >= kernelQuota) throw kernelLimit();
      this.#db.prepare('INSERT INTO machines (name, readyAt) VALUES (?, ?)').run(name, Date.now() + startMs);
    });
    await waitFor(this.timers, startMs);
    if (this.#machine(name) === undefined) throw new HypervisorError('Failed', `${name} ended while it started`);
    this.#changed();
  }

  /** Resolves when the machine is gone. */
  async shutDown(name: string, graceMs: number): Promise<void> {
    const stopAt = Date.now() + Math.min(this.settings.stopMs, graceMs);
    this.#db.prepare('UPDATE machines SET stopAt = min(coalesce(stopAt, ?), ?) WHERE name = ?').run(stopAt, stopAt, name);
    for (let left = this.#machine(name); left !== undefined; left = this.#machine(name)) {
      this.#changed();
      await waitFor(this.timers, Math.max(1, (left.stopAt ?? 0) - Date.now()));
    }
    this.#changed();
  }

  /** The process of the machine ends now, by itself. */
  end(name: string): void {
    this.#db.prepare('DELETE FROM machines WHERE name = ?').run(name);
    this.#changed();
  }

  /** Power off and on: machines are gone, bundles stay, the kernel counts from zero. */
  reboot(): void {
    this.#db.prepare('DELETE FROM machines').run();
    this.#setFact('bootID', randomUUID());
    this.set({ leaked: 0 });
  }

  /** Also told of what other processes do, a moment later. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#look();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#cancelLook?.();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#cancelLook?.();
    this.#db.close();
  }

  #look(): void {
    const version = this.#db.pragma('data_version', { simple: true });
    if (this.#seen !== undefined && version !== this.#seen) this.#changed();
    this.#seen = version;
    this.#cancelLook = this.timers.after(LOOK_EVERY_MS, () => this.#look());
  }

  #machines(): readonly MachineRow[] {
    const now = Date.now();
    return this.#db.prepare<[number], MachineRow>('SELECT machines.*, machineID, mac FROM machines JOIN bundles USING (name) WHERE stopAt IS NULL OR stopAt > ? ORDER BY address').all(now);
  }

  /** One that has stopped is none any more, whoever stopped it. */
  #machine(name: string): MachineRow | undefined {
    this.#db.prepare('DELETE FROM machines WHERE stopAt <= ?').run(Date.now());
    return this.#machines().find((machine) => machine.name === name);
  }

  #bundle(name: string): Identity | undefined {
    const row = this.#db.prepare<[string], BundleRow>('SELECT * FROM bundles WHERE name = ?').get(name);
    return row === undefined ? undefined : { machineID: row.machineID, mac: row.mac };
  }

  #fact(key: string): string | undefined {
    return this.#db.prepare<[string], { value: string }>('SELECT value FROM facts WHERE key = ?').get(key)?.value;
  }

  #setFact(key: string, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(key, value);
  }

  #transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
