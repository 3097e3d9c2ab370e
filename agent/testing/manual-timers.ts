import type { Timers } from '../../sdk/client/timers';

/** Timers that go only when the test moves them. */
export class ManualTimers implements Timers {
  #now = 0;
  #next = 0;
  readonly #waiting = new Map<number, { readonly due: number; readonly callback: () => void }>();

  after(milliseconds: number, callback: () => void): () => void {
    const id = ++this.#next;
    this.#waiting.set(id, { due: this.#now + milliseconds, callback });
    return () => void this.#waiting.delete(id);
  }

  /** Fires all that comes due within, in order, also what is set meanwhile. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#waiting].filter(([, { due }]) => due <= end).sort(([a, x], [b, y]) => x.due - y.due || a - b);
      if (next === undefined) break;
      this.#waiting.delete(next[0]);
      this.#now = next[1].due;
      next[1].callback();
    }
    this.#now = end;
  }
}
