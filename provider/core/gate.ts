/** Lets a few tasks run at once; the others wait for their turn, in order. */
export class Gate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param width tasks that may run at once */
  constructor(private readonly width: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running >= this.width) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      // Whoever is next takes the place over.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
