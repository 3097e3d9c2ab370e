import type { Timers } from '../sdk/client/timers';

export interface KeyedQueueOptions {
  readonly work: (key: string) => Promise<void>;
  readonly timers: Timers;
  /** Told of each failure; the queue tries the key again by itself. */
  readonly onError: (key: string, error: unknown, retryMs: number) => void;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

interface Entry { running: boolean; again: boolean; failures: number; cancelRetry?: () => void }

/**
 * Work by key: serial for each key, in parallel for different ones. A key that is added while its work runs is worked on once more,
 * so the work must read its facts when it begins.
 */
export class KeyedQueue {
  readonly #entries = new Map<string, Entry>();
  #stopped = false;

  constructor(private readonly options: KeyedQueueOptions) {}

  add(key: string): void {
    if (this.#stopped) return;
    const entry = this.#entries.get(key) ?? { running: false, again: false, failures: 0 };
    this.#entries.set(key, entry);
    if (entry.running) entry.again = true;
    else void this.#run(key, entry);
  }

  /** No work begins any more; work that runs is not waited for. */
  stop(): void {
    this.#stopped = true;
    for (const entry of this.#entries.values()) entry.cancelRetry?.();
  }

  async #run(key: string, entry: Entry): Promise<void> {
    entry.cancelRetry?.();
    entry.running = true;
    entry.again = false;
    const failed = await this.options.work(key).then(() => false, (error: unknown) => this.#retry(key, entry, error));
    entry.running = false;
    if (!failed) entry.failures = 0;
    if (this.#stopped) return;
    if (entry.again) void this.#run(key, entry);
    else if (!failed) this.#entries.delete(key);
  }

  #retry(key: string, entry: Entry, error: unknown): true {
    if (this.#stopped) return true;
    const retryMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** entry.failures);
    entry.failures += 1;
    entry.cancelRetry = this.options.timers.after(retryMs, () => this.add(key));
    this.options.onError(key, error, retryMs);
    return true;
  }
}
