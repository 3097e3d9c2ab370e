import * as settings from '@pulumi/pulumi/runtime/settings';

/** Milliseconds without a new resource after which the program is taken to have declared everything. */
const REST_MS = 250;

/** Waits until a program declares nothing more, then acts. The run is kept open until that is done: its end must not come before. */
export class Rest {
  private timer: NodeJS.Timeout | undefined;
  private release: (() => void) | undefined;
  private ended = Promise.resolve();
  private end: () => void = () => undefined;

  /** @param prepare what must be over before `act`; it waits again where something was declared meanwhile */
  constructor(private readonly prepare: () => Promise<unknown>, private readonly act: () => Promise<void>) {}

  /** Begins to wait, or begins anew. */
  restart(): void {
    clearTimeout(this.timer);
    if (this.release === undefined) {
      this.release = settings.rpcKeepAlive();
      this.ended = new Promise((resolve) => { this.end = resolve; });
    }
    const timer = setTimeout(() => void this.rest(timer), REST_MS);
    this.timer = timer;
  }

  /** Resolves when it has acted; at once where nobody waits. */
  over(): Promise<void> {
    return this.ended;
  }

  private async rest(timer: NodeJS.Timeout): Promise<void> {
    try {
      await this.prepare();
      if (this.timer === timer) await this.act();
    } finally {
      if (this.timer === timer) {
        this.end();
        this.release?.();
        this.release = undefined;
      }
    }
  }
}
