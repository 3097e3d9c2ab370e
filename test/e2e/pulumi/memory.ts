import { readFileSync } from 'node:fs';
import type { Outcome } from '../../../cli/pulumi/outcome';
import type { Started } from '../../../cli/pulumi/run';

/** Milliseconds between two looks at the processes. */
const LOOK_MS = 200;

/** The most memory that a process ever held, in bytes; 0 for one that is gone, and where the system does not tell. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    // It ended since it was listed.
    return 0;
  }
}

/** Waits for a run, and adds up the peaks of all its processes: at no moment did they hold more together. */
export async function observePeak(started: Started): Promise<{ readonly run: Outcome; readonly bytes: number }> {
  const peaks = new Map<number, number>();
  const look = (): void => {
    for (const pid of [started.child.pid ?? 0, ...started.processes().map(({ pid: below }) => below)]) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakOf(pid)));
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    return { run: await started.done, get bytes() { return [...peaks.values()].reduce((sum, peak) => sum + peak, 0); } };
  } finally {
    clearInterval(timer);
  }
}
