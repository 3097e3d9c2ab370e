/** The part of a timer that the settle window needs; cancels by the function it returns. */
export interface SettleTimer {
  after(milliseconds: number, fire: () => void): () => void;
}

/** The other calls of this process, as one call sees them. */
export interface InFlight {
  /** Calls other than this one that are working, that is, under way and not waiting in `quiet`. */
  readonly working: number;
  /** Calls other than this one that wait in `quiet`. */
  readonly waiting: number;
  /**
   * Resolves 'quiet' when no other call has been working for `settleMs`, 'woken' as soon as `wake` resolves, and
   * 'stopped' when the provider is asked to stop. A call that waits here is not counted as working, so waiting
   * calls never wait for each other, even when they hold every worker that Terraform has. They are let go one at a
   * time, the longest waiting first: when one goes on working, the window of the others starts again.
   */
  quiet(settleMs: number, wake?: Promise<unknown>): Promise<'quiet' | 'woken' | 'stopped'>;
}
