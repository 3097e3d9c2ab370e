/** Work that can be begun and ended. */
export interface Shift { stop(): Promise<void> }

/** Keeps work running while it is wanted, one change at a time: what ends has ended before anything begins again. */
export class Foreman<T extends Shift> {
  #wanted = false;
  #running: T | undefined;
  #isChanging = false;
  #changing: Promise<void> = Promise.resolve();

  constructor(private readonly begin: () => T) {}

  get running(): T | undefined {
    return this.#running;
  }

  want(wanted: boolean): void {
    this.#wanted = wanted;
    if (!this.#isChanging) this.#changing = this.#change();
  }

  /** Resolves when nothing runs and nothing will. */
  async end(): Promise<void> {
    this.want(false);
    await this.#changing;
  }

  async #change(): Promise<void> {
    this.#isChanging = true;
    try {
      while (this.#wanted !== (this.#running !== undefined)) {
        if (this.#running === undefined) {
          this.#running = this.begin();
        } else {
          await this.#running.stop();
          this.#running = undefined;
        }
      }
    } finally {
      this.#isChanging = false;
    }
  }
}
