/**
 * The one clock of a plane: real time plus an offset that only grows.
 * Every stamp, the `Date` header and every timer of the plane's own components come from here.
 */
export class Clock {
  #offset: number;
  #sequence = 0;
  readonly #waiting = new Map<number, Waiting>();

  /**
   * @param offset milliseconds that the clock is ahead of real time at the start.
   * @param onAdvance called with the new offset before anything sees it.
   */
  constructor(offset = 0, private readonly onAdvance: (offset: number) => void = () => undefined) {
    this.#offset = offset;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return performance.timeOrigin + performance.now() + this.#offset;
  }

  /** RFC 3339 in whole seconds. */
  stamp(): string {
    return formatSecond(this.now());
  }

  /** Moves the clock forward and fires all that has come due, the earliest first. @param ms milliseconds, not negative. */
  advance(ms: number): void {
    if (!(ms >= 0) || !Number.isFinite(ms)) throw new RangeError(`the clock only goes forward: cannot advance by ${ms} ms`);
    this.onAdvance(this.#offset + ms);
    this.#offset += ms;
    const due = [...this.#waiting].sort(([a, x], [b, y]) => x.deadline - y.deadline || a - b);
    for (const [id, waiting] of due) {
      clearTimeout(waiting.timer);
      if (this.#waiting.has(id)) this.#arm(id, waiting);
    }
  }

  /**
   * Calls `fn` once when `ms` of this clock's time have passed, by waiting or by an advance; never synchronously.
   * @returns cancels the call.
   */
  after(ms: number, fn: () => void): () => void {
    const id = ++this.#sequence;
    this.#arm(id, { deadline: this.now() + Math.max(0, ms), fn });
    return () => {
      clearTimeout(this.#waiting.get(id)?.timer);
      this.#waiting.delete(id);
    };
  }

  /** Drops every waiting timer. */
  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #arm(id: number, waiting: Waiting): void {
    const timer = setTimeout(() => this.#fire(id), Math.min(waiting.deadline - this.now(), longestTimeout));
    timer.unref();
    this.#waiting.set(id, { ...waiting, timer });
  }

  #fire(id: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (waiting.deadline - this.now() > 1) return this.#arm(id, waiting);
    this.#waiting.delete(id);
    waiting.fn();
  }
}

interface Waiting {
  deadline: number;
  fn: () => void;
  timer?: NodeJS.Timeout;
}

/** setTimeout overflows above this; longer waits are armed again. */
const longestTimeout = 2 ** 31 - 1;

export const formatSecond = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
