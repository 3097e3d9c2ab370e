import { isFault } from '../../../sdk/client/errors';

const CONFLICT_MS = 20;
/** Longest wait after a lost compare-and-swap, in milliseconds. */
export const LONGEST_CONFLICT_MS = 1_000;
const FAULT_MS = 250;
const FAULT_MOST_MS = 30_000;

/** A lost compare-and-swap is ordinary and is tried again at once; anything else doubles up to half a minute. Milliseconds. */
export function backOff(error: unknown, failures: number): number {
  const doubled = 2 ** Math.min(failures - 1, 20);
  return isFault(error, 'Conflict', 'AlreadyExists') ? Math.min(CONFLICT_MS * doubled, LONGEST_CONFLICT_MS) : Math.min(FAULT_MS * doubled, FAULT_MOST_MS);
}
