import type { Step } from './steps';

export interface Found {
  readonly error: Error;
  readonly steps: readonly Step[];
}

/**
 * Leaves parts of a failing history out for as long as it still fails, halves first. What depends on chance besides the seed may not fail again:
 * then the history that did stays.
 */
export async function shrink(found: Found, fails: (steps: readonly Step[]) => Promise<Error | undefined>, mostReplays: number): Promise<Found> {
  let [best, replays] = [found, 0];
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && replays < mostReplays; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.steps.length && replays < mostReplays; replays += 1) {
      const rest = [...best.steps.slice(0, from), ...best.steps.slice(from + size)];
      const error = await fails(rest);
      if (error === undefined) from += size;
      else best = { error, steps: rest };
    }
  }
  return best;
}
