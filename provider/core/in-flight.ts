/** The part of a timer that the settle window needs; cancels by the function it returns. */
export interface SettleTimer {
  after(milliseconds: number, fire: () => void): () => void;
}

export type Quiet = 'quiet' | 'woken' | 'stopped';

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
  quiet(settleMs: number, wake?: Promise<unknown>): Promise<Quiet>;
}

/** What a call holds while it is under way. */
export interface Ticket extends InFlight {
  end(): void;
}

interface Waiter {
  readonly settleMs: number;
  readonly release: (why: Quiet) => void;
}

/** Counts the calls of one process. Invariant: a call is working, waiting or ended, and in exactly one of these. */
export class CallCounter {
  private working = 0;
  private readonly waiters = new Set<Waiter>();
  private cancelWindow: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly timer: SettleTimer) {}

  begin(): Ticket {
    this.goOn();
    let ended = false;
    const otherWorkers = () => this.working - 1;
    const waitingNow = () => this.waiters.size;
    return {
      get working() { return otherWorkers(); },
      get waiting() { return waitingNow(); },
      quiet: (settleMs, wake) => this.wait(settleMs, wake),
      end: () => {
        if (ended) return;
        ended = true;
        this.pause();
      },
    };
  }

  /** Lets every waiting call go at once, now and from now on. */
  stop(): void {
    this.stopped = true;
    for (const waiter of [...this.waiters]) waiter.release('stopped');
  }

  private async wait(settleMs: number, wake: Promise<unknown> | undefined): Promise<Quiet> {
    if (this.stopped) return 'stopped';
    return new Promise((resolve) => {
      const waiter: Waiter = {
        settleMs,
        release: (why) => {
          if (!this.waiters.delete(waiter)) return;
          this.goOn();
          resolve(why);
        },
      };
      this.waiters.add(waiter);
      const woken = () => waiter.release('woken');
      wake?.then(woken, woken);
      this.pause();
    });
  }

  private goOn(): void {
    this.working += 1;
    this.cancelWindow?.();
    this.cancelWindow = undefined;
  }

  private pause(): void {
    this.working -= 1;
    const [longest] = this.waiters;
    if (this.working > 0 || !longest || this.cancelWindow) return;
    this.cancelWindow = this.timer.after(longest.settleMs, () => {
      this.cancelWindow = undefined;
      longest.release('quiet');
    });
  }
}
