import type { Timers } from '../../sdk/client/timers';

/** One end for several waits. */
export interface Deadline {
  /** Aborted when the time is over. */
  readonly over: AbortSignal;
  /** Lets go of the timer. */
  cancel(): void;
}

export function startDeadline(timers: Timers, milliseconds: number): Deadline {
  const controller = new AbortController();
  return { over: controller.signal, cancel: timers.after(milliseconds, () => controller.abort()) };
}

/** Runs `act` with a deadline that is let go of afterwards. */
export async function withDeadline<R>(timers: Timers, milliseconds: number, act: (deadline: Deadline) => Promise<R>): Promise<R> {
  const deadline = startDeadline(timers, milliseconds);
  try {
    return await act(deadline);
  } finally {
    deadline.cancel();
  }
}
