import type { Timers } from '../../../sdk/client/timers';
import type { Instant } from '../../../sdk/rules/instant';

/** When a key wants to be looked at again although nothing changed. */
export interface Again {
  /** Server time of the next look; two looks at the same instant are one. */
  readonly at: Instant;
  /** Milliseconds until then. */
  readonly wait: number;
}

/** Looks at one key. `due` is the time that an earlier look asked for, when it has come. */
export type Reconcile = (key: string, due: Instant | undefined) => Promise<Again | undefined>;

export interface QueueOptions {
  readonly timers: Timers;
  readonly reconcile: Reconcile;
  readonly onError: (key: string, error: unknown, retryIn: number) => void;
  /** Milliseconds until the next try after `failures` in a row. */
  readonly backOff: (error: unknown, failures: number) => number;
  /** Keys that are worked on at once; one key is never worked on twice at once. */
  readonly workers: number;
}

// A clock that jumps between the look and the timer must not put the next look off by the whole wait.
const LONGEST_WAIT_MS = 60_000;

interface Entry {
  running: boolean;
  /** Asked for while running, or waiting for a worker. */
  queued: boolean;
  due: Instant | undefined;
  failures: number;
  timer?: { at: Instant; cancel: () => void };
  retry?: () => void;
}

/**
 * Keyed work queue: a key is in it once however often it is added, and is worked on by one worker at a time, so a reconciler never races itself.
 * A failure backs off; a change that arrives meanwhile does not cut the back-off short, or a busy watch would turn a fault into a hot loop.
 */
export class WorkQueue {
  readonly #entries = new Map<string, Entry>();
  readonly #ready: string[] = [];
  readonly #idle: (() => void)[] = [];
  #active = 0;
  #stopped = false;

  constructor(private readonly options: QueueOptions) {}

  /** How many keys wait for a worker. */
  get waiting(): number {
    return this.#ready.length;
  }

  /** Asks for a look at the key, soon. */
  add(key: string): void {
    const entry = this.#entry(key);
    if (this.#stopped || entry.queued) return;
    entry.queued = true;
    if (!entry.running && entry.retry === undefined) this.#push(key);
  }

  /** Drops what waits; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ready.length = 0;
    for (const entry of this.#entries.values()) {
      entry.timer?.cancel();
      entry.retry?.();
    }
    if (this.#active > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = { running: false, queued: false, due: undefined, failures: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #push(key: string): void {
    this.#ready.push(key);
    this.#pump();
  }

  #pump(): void {
    while (!this.#stopped && this.#active < this.options.workers) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      this.#active += 1;
      void this.#run(key, this.#entry(key)).finally(() => {
        this.#active -= 1;
        if (this.#active === 0) this.#idle.splice(0).forEach((resolve) => resolve());
        this.#pump();
      });
    }
  }

  async #run(key: string, entry: Entry): Promise<void> {
    const { due } = entry;
    Object.assign(entry, { running: true, queued: false, due: undefined });
    try {
      const again = await this.options.reconcile(key, due);
      entry.failures = 0;
      this.#remind(key, entry, again);
    } catch (error) {
      entry.due ??= due;
      this.#fail(key, entry, error);
    } finally {
      entry.running = false;
      if (entry.queued && entry.retry === undefined) this.#push(key);
      else if (!entry.queued && entry.retry === undefined && entry.timer === undefined) this.#entries.delete(key);
    }
  }

  #remind(key: string, entry: Entry, again: Again | undefined): void {
    if (again !== undefined && entry.timer?.at === again.at) return;
    entry.timer?.cancel();
    delete entry.timer;
    if (again === undefined || this.#stopped) return;
    const isWhole = again.wait <= LONGEST_WAIT_MS;
    const cancel = this.options.timers.after(isWhole ? Math.max(0, again.wait) : LONGEST_WAIT_MS, () => {
      delete entry.timer;
      if (isWhole) entry.due = again.at;
      this.#entries.set(key, entry);
      this.add(key);
    });
    entry.timer = { at: again.at, cancel };
  }

  #fail(key: string, entry: Entry, error: unknown): void {
    if (this.#stopped) return;
    entry.failures += 1;
    const wait = this.options.backOff(error, entry.failures);
    this.options.onError(key, error, wait);
    entry.queued = true;
    entry.retry = this.options.timers.after(wait, () => {
      delete entry.retry;
      this.#push(key);
    });
  }
}
