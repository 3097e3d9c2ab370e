/** Timers as a port, so that a plane whose clock can be advanced can fire them. */
export interface Timers {
  /** Calls back once, `milliseconds` of plane time from now. Returns a cancel. */
  after(milliseconds: number, callback: () => void): () => void;
}

// setTimeout overflows at 2^31 - 1 ms and would fire at once: longer waits are made of steps.
const LONGEST_STEP_MS = 2_000_000_000;

/** Timers of the process. */
export const processTimers: Timers = {
  after(milliseconds, callback) {
    let handle: NodeJS.Timeout;
    const arm = (left: number): void => {
      const step = Math.min(left, LONGEST_STEP_MS);
      handle = setTimeout(() => (left > step ? arm(left - step) : callback()), Math.max(0, step));
    };
    arm(milliseconds);
    return () => clearTimeout(handle);
  },
};
