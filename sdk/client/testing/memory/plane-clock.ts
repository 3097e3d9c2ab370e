import { instant, type Instant } from '../../../rules/instant';
import type { Timers } from '../../timers';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

// Short waits are the back-off of the code under test; they pass by themselves, so that a test need not know of them.
const PASSES_BY_ITSELF_MS = 1_000;

/** The server's time, which stands until a test moves it, with timers that follow it. */
export class PlaneClock implements Timers {
  #now: Instant;
  readonly #alarms = new Set<Alarm>();

  constructor(now: Instant) {
    this.#now = now;
  }

  get now(): Instant {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, ring: callback };
    this.#alarms.add(alarm);
    const real = milliseconds <= PASSES_BY_ITSELF_MS ? setTimeout(() => this.#ring(alarm), milliseconds) : undefined;
    return () => {
      this.#alarms.delete(alarm);
      clearTimeout(real);
    };
  }

  /** Moves the clock and rings what has come due, the earliest first. */
  advance(milliseconds: number): void {
    this.#now = instant(this.#now + milliseconds);
    [...this.#alarms].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at).forEach((alarm) => this.#ring(alarm));
  }

  #ring(alarm: Alarm): void {
    if (this.#alarms.delete(alarm)) alarm.ring();
  }
}
