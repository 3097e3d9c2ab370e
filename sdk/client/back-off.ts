/** Waits that double, with a fifth of chance so that many clients do not return as one. */
export class BackOff {
  #next: number;

  constructor(readonly firstMs: number, readonly longestMs: number, readonly chance: () => number = Math.random) {
    this.#next = firstMs;
  }

  /** Milliseconds to wait now. */
  next(): number {
    const wait = Math.round(this.#next * (0.8 + 0.4 * this.chance()));
    this.#next = Math.min(this.#next * 2, this.longestMs);
    return Math.min(wait, this.longestMs);
  }

  reset(): void {
    this.#next = this.firstMs;
  }
}
