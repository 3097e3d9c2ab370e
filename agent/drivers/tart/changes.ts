import { isIP } from 'node:net';
import type { Timers } from '../../../sdk/client/timers';
import type { Tart } from './tart';

/** Reads of the list between two questions for an address that is known: it may change when the guest renews its lease. */
const READS_PER_ADDRESS = 12;

interface Address { ip?: string; reads: number }

/**
 * Notices that machines come, go and get addresses, while anybody listens. Machines of an earlier agent and of people have no child process here that
 * could end, so the list is read again and again; the machines of this agent are told at once.
 */
export class Changes {
  readonly #listeners = new Set<() => void>();
  readonly #addresses = new Map<string, Address>();
  #running = '';
  #cancel: (() => void) | undefined;

  constructor(private readonly tart: Tart, private readonly timers: Timers, private readonly intervalMs: number) {}

  /** The address that was seen last. */
  address(name: string): string | undefined {
    return this.#addresses.get(name)?.ip;
  }

  /** A list that somebody was given: a change is one since then. */
  saw(names: readonly string[]): boolean {
    const running = [...names].sort().join('\n');
    const changed = running !== this.#running;
    this.#running = running;
    return changed;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#schedule(0);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#cancel?.();
    };
  }

  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** The machine has ended: its address may be another's next. */
  ended(name: string): void {
    this.#addresses.delete(name);
    this.tell();
  }

  #schedule(afterMs: number): void {
    this.#cancel?.();
    this.#cancel = this.timers.after(afterMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    // A hint that cannot be had is none: whoever needs the list asks for it, and is told there why it cannot be read.
    const changed = await this.#read().catch(() => false);
    if (this.#listeners.size === 0) return;
    if (changed) this.tell();
    this.#schedule(this.intervalMs);
  }

  async #read(): Promise<boolean> {
    const names = await this.tart.running();
    for (const name of this.#addresses.keys()) if (!names.includes(name)) this.#addresses.delete(name);
    const moved = await Promise.all(names.map((name) => this.#readAddress(name)));
    return this.saw(names) || moved.includes(true);
  }

  async #readAddress(name: string): Promise<boolean> {
    const known = this.#addresses.get(name) ?? { reads: 0 };
    this.#addresses.set(name, known);
    known.reads += 1;
    if (known.ip !== undefined && known.reads % READS_PER_ADDRESS !== 0) return false;
    const said = await this.tart.tryAddress(name);
    if (said === undefined || isIP(said) === 0 || said === known.ip) return false;
    known.ip = said;
    return true;
  }
}
