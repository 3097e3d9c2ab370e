import { performance } from 'node:perf_hooks';
import type { ControlPlane } from '../sdk/client/control-plane';

/**
 * Time as the API server has it: its newest answer plus what the Mac's monotonic clock has counted since. The Mac's own wall clock is never
 * read: a wrong one would falsify the journal.
 */
export interface AgentClock {
  /** RFC 3339, whole seconds. Throws before the first answer of the API server; nothing is journaled until then. */
  now(): string;
}

export function agentClock(plane: ControlPlane, monotonicMs: () => number = () => performance.now()): AgentClock {
  let answer: number | undefined;
  let seenAt = 0;
  return {
    now() {
      const newest = plane.lastServerTime();
      if (newest === undefined) throw new Error('the API server has not answered yet: the time is not known');
      if (newest !== answer) {
        answer = newest;
        seenAt = monotonicMs();
      }
      return formatTime(newest + monotonicMs() - seenAt);
    },
  };
}

/** RFC 3339 UTC in whole seconds, rounded down. @param at milliseconds since the epoch. */
export function formatTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
