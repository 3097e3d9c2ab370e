import { setTimeout as delay } from 'node:timers/promises';
import type { KubeObject } from '../api/object';
import { BackOff } from './back-off';
import type { WatchTiming } from './connect-options';
import type { Listing, WatchHandlers } from './control-plane';
import { PlaneError } from './errors';
import { networkCode, networkFault } from './network-fault';
import { statusEventFault } from './status-fault';
import { watchLines } from './watch-lines';

/** How a watch reaches the server. */
export interface WatchSource<T> {
  list(): Promise<Listing<T>>;
  open(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  readonly path: string;
  readonly endpoint: string;
}

interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

// A watch is authorised once, when it opens: bounded, so that a right taken away ends it.
const LONGEST_WATCH_S = 290;

/**
 * List, then watch from its resourceVersion; on a fault back off and list again, until stopped.
 * A stream that ends in peace or falls quiet is opened again where it ended, without a list.
 */
export class SupervisedWatch<T extends KubeObject> {
  readonly #stopping = new AbortController();
  readonly #backOff: BackOff;
  readonly #quietMs: number;
  #isSynced = false;
  #version = '';

  constructor(readonly source: WatchSource<T>, readonly handlers: WatchHandlers<T>, timing: WatchTiming) {
    this.#backOff = new BackOff(timing.backOffMs ?? 250, timing.longestBackOffMs ?? 30_000);
    this.#quietMs = timing.quietMs ?? 60_000;
    void this.#run();
  }

  isSynced(): boolean {
    return this.#isSynced;
  }

  stop(): void {
    this.#isSynced = false;
    this.#stopping.abort();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#sync();
        while (!this.#isStopped) await this.#follow();
      } catch (error) {
        if (this.#isStopped) return;
        this.#isSynced = false;
        this.#tell(error);
        await this.#pause();
      }
    }
  }

  async #sync(): Promise<void> {
    const { items, resourceVersion } = await this.source.list();
    if (this.#isStopped) return;
    this.#version = resourceVersion;
    this.handlers.onSync(items);
    this.#isSynced = true;
  }

  async #follow(): Promise<void> {
    const quiet = new AbortController();
    const query = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: this.#version, timeoutSeconds: String(LONGEST_WATCH_S) };
    const stream = await this.source.open(query, AbortSignal.any([this.#stopping.signal, quiet.signal]));
    const timer = setTimeout(() => quiet.abort(), this.#quietMs);
    try {
      const hasSpoken = await this.#consume(watchLines(stream, () => timer.refresh()));
      if (!hasSpoken) await this.#pause();
    } catch (error) {
      if (!quiet.signal.aborted) throw this.#fault(error);
      this.#backOff.reset();
    } finally {
      clearTimeout(timer);
    }
  }

  async #consume(lines: AsyncIterable<string>): Promise<boolean> {
    let hasSpoken = false;
    for await (const line of lines) {
      if (this.#isStopped) break;
      this.#handle(this.#parse(line));
      hasSpoken = true;
      this.#backOff.reset();
    }
    return hasSpoken;
  }

  #parse(line: string): WatchEvent<T> {
    let event: Partial<WatchEvent<T>> | null = null;
    try {
      event = JSON.parse(line) as Partial<WatchEvent<T>> | null;
    } catch {
      // Told below, with every other line that is no event.
    }
    if (event?.object?.metadata !== undefined || event?.type === 'ERROR') return event as WatchEvent<T>;
    throw new PlaneError({ fault: 'Unexpected', method: 'WATCH', path: this.source.path }, 'a line of the watch is no event');
  }

  #handle(event: WatchEvent<T>): void {
    if (event.type === 'ERROR') throw statusEventFault(event.object, this.source.path);
    this.#version = event.object.metadata.resourceVersion;
    if (event.type !== 'BOOKMARK') this.handlers.onChange(event.type, event.object);
  }

  #fault(error: unknown): unknown {
    return error instanceof PlaneError || networkCode(error) === undefined ? error : networkFault({ method: 'WATCH', path: this.source.path, endpoint: this.source.endpoint }, error);
  }

  async #pause(): Promise<void> {
    await delay(this.#backOff.next(), undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  // A handler that throws is told like any other fault, and the list that follows gives it another try.
  #tell(error: unknown): void {
    try {
      if (this.handlers.onFault) this.handlers.onFault(error);
      else if (!(error instanceof PlaneError)) throw error;
    } catch (thrown) {
      process.emitWarning(`a handler of the watch on ${this.source.path} threw: ${String(thrown)}`);
    }
  }
}
