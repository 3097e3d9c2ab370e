import { spawnSync } from 'node:child_process';

/** A process as `ps` lists it. */
export interface Process {
  readonly pid: number;
  readonly command: string;
}

function all(): (Process & { readonly parent: number })[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8', maxBuffer: 64 << 20 }).stdout.split('\n');
  return rows.flatMap((row) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** All processes below one. The engine's parts are in groups of their own, so that a signal to its group misses them. */
export function processesBelow(pid: number | undefined): Process[] {
  const processes = all();
  const below = (parent: number | undefined): Process[] => processes.filter((each) => each.parent === parent).flatMap((each) => [{ pid: each.pid, command: each.command }, ...below(each.pid)]);
  return below(pid);
}

/** Ends a process at once. One that is gone already is what was wanted. */
export function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
