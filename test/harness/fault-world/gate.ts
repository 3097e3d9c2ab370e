/** Open until it is shut; whoever comes then waits. */
export class Gate {
  #opened: Promise<void> = Promise.resolve();
  #open: (() => void) | undefined;

  get isShut(): boolean {
    return this.#open !== undefined;
  }

  shut(): void {
    if (this.#open === undefined) this.#opened = new Promise((resolve) => { this.#open = resolve; });
  }

  open(): void {
    this.#open?.();
    this.#open = undefined;
  }

  passed(): Promise<void> {
    return this.#opened;
  }
}
