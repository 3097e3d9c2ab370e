import { spawnSync } from 'node:child_process';

/** Ids of all processes below one. The engine's parts are in groups of their own, so that a signal to its group misses them. */
export function descendants(pid: number | undefined): number[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n').map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] => rows.flatMap(([child, of]) => (child !== undefined && of === parent ? [child, ...below(child)] : []));
  return below(pid);
}
