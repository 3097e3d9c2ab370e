import type { Clock } from '../clock';
import { StatusError } from '../server/status-error';

const retryMs = 5000;

/**
 * Does work for keys one after the other, outside the write that asked for it. A key added while it waits is done once;
 * a refusal of the plane is tried again after 5 s of the plane's clock, any other error is a bug and is reported.
 */
export class WorkQueue {
  readonly #waiting = new Set<string>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly work: (key: string) => Promise<void>,
    private readonly report: (line: string) => void,
  ) {}

  add(key: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(key);
    this.#running ??= Promise.resolve().then(() => this.#drain());
  }

  /** @returns when the work at hand is done; what waits is dropped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#running;
  }

  async #drain(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.work(key).catch((error: unknown) => this.#fail(key, error));
    }
    this.#running = undefined;
  }

  #fail(key: string, error: unknown): void {
    if (!(error instanceof StatusError)) this.report(`development plane: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    this.clock.after(retryMs, () => this.add(key));
  }
}
