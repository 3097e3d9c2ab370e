import { instant, type Instant } from '../../../sdk/rules/instant';

/** Milliseconds by which two clocks may differ before nothing is bound or released. */
export const MOST_SKEW_MS = 5_000;

/** Stamps of the server are whole seconds, rounded down. */
const RESOLUTION_MS = 1_000;

// Two good clocks run apart by some millionths, and one that is being slewed by half a thousandth; a step is more than that at once.
const SLEW = 0.0005;

/** Local monotonic time before a question was sent and after its answer came, in milliseconds. */
export interface Asked { readonly before: number; readonly after: number }

interface Offset { readonly low: number; readonly high: number; readonly at: number }

/**
 * Compares the server's time with the progress of the monotonic clock of this host. What is compared are intervals, so a slow answer, or a process
 * that did not run for a while, is no skew: only a server's clock that went further, or less far, than the time that has passed.
 */
export class SteadyTime {
  #offset: Offset | undefined;

  /**
   * Takes a stamp in. @returns by how many milliseconds the server's clock has stepped since the first stamps, forward is positive; 0 within the
   * resolution. A step stays one until the clock is put back.
   */
  observe(stamp: Instant, { before, after }: Asked): number {
    const seen: Offset = { low: stamp - after, high: stamp + RESOLUTION_MS - before, at: after };
    const known = this.#offset;
    if (known === undefined) {
      this.#offset = seen;
      return 0;
    }
    const slewed = Math.max(0, after - known.at) * SLEW;
    const [low, high] = [known.low - slewed, known.high + slewed];
    const step = seen.low > high ? seen.low - high : seen.high < low ? seen.high - low : 0;
    if (step === 0) this.#offset = { low: Math.max(low, seen.low), high: Math.min(high, seen.high), at: after };
    return step;
  }

  /** The latest that the server's time can be now if its clock goes on as it did; undefined before the first stamp. */
  now(monotonic: number): Instant | undefined {
    return this.#offset === undefined ? undefined : instant(Math.floor(this.#offset.high + monotonic));
  }
}
