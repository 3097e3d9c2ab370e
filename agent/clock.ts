import { performance } from 'node:perf_hooks';
import type { ControlPlane } from '../sdk/client/control-plane';

/**
 * Time as the API server has it: its newest answer plus what the Mac's monotonic clock has counted since. The Mac's own wall clock is never
 * read: a wrong one would falsify the journal.
 */
export interface AgentClock {
  /** RFC 3339, whole seconds. Throws before the first answer of the API server; nothing is journaled until then. */
  now(): string;
  /** As `now`, in milliseconds since the epoch; undefined before the first answer. */
  milliseconds(): number | undefined;
}

export function agentClock(plane: ControlPlane, monotonicMs: () => number = () => performance.now()): AgentClock {
  let answer: number | undefined;
  let seenAt = 0;
  const milliseconds = (): number | undefined => {
    const newest = plane.lastServerTime();
    if (newest === undefined) return undefined;
    if (newest !== answer) {
      answer = newest;
      seenAt = monotonicMs();
    }
    return newest + monotonicMs() - seenAt;
  };
  return {
    milliseconds,
    now() {
      const at = milliseconds();
      if (at === undefined) throw new Error('the API server has not answered yet: the time is not known');
      return formatTime(at);
    },
  };
}

/** RFC 3339 UTC in whole seconds, rounded down. @param at milliseconds since the epoch. */
export function formatTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
