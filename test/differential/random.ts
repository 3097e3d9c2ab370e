import fc from 'fast-check';
import { compare, type Difference, shortest } from './compare';
import { sequences } from './generator';
import type { Both } from './planes';

/** A namespace takes a moment to come and to go on a real plane: sequences wait side by side. */
const AT_ONCE = 6;

// fast-check makes the sequences. Its own runner takes one after the other, and its shrinker would try hundreds of values; a reader needs the fewest operations.
/** Replays random sequences. @returns the shortest history of the first difference, or undefined. */
export async function findDifference(both: Both, seed: number, count: number): Promise<Difference | undefined> {
  let number = 0;
  const next = (): number => (number += 1);
  const waiting = fc.sample(sequences, { seed, numRuns: count });
  let found: Difference | undefined;
  const work = async (): Promise<void> => {
    for (let sequence = waiting.shift(); sequence !== undefined && found === undefined; sequence = waiting.shift()) found ??= await compare(both, next(), sequence);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found && shortest(both, found, next);
}

/** What somebody needs who wants to see it again. */
export function report(seed: number, { sequence, real, development }: Difference): string {
  const missing = (from: unknown, other: unknown): unknown => (Array.isArray(from) && Array.isArray(other) ? from.filter((each) => !other.includes(each)) : from);
  return [
    `the planes differ; seed ${seed}, history:`, ...sequence.operations.map((operation) => `  ${JSON.stringify(operation)}`), ...(sequence.endsNamespace ? ['  (the namespace is deleted)'] : []),
    `Kubernetes 1.37:    ${JSON.stringify(missing(real, development))}`, `development plane: ${JSON.stringify(missing(development, real))}`,
  ].join('\n');
}
