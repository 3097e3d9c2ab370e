import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { end } from '../../cli/pulumi/process-tree';
import type { Development } from '../../devplane/development-plane';
import { isAlive } from '../../realplane/processes';
import { until } from '../../sdk/client/until';

/** A write of one user, counted from 1 over a run, and the side of it on which the engine dies. */
export interface KillPoint {
  readonly write: number;
  readonly moment: 'before' | 'after';
}

/** A run of an engine. */
export interface Mortal<R> {
  readonly child: ChildProcess;
  readonly done: Promise<R>;
  /** What the engine has below it, where that outlives it for minutes; it is ended after the run. Default: children, which end by themselves. */
  processes?(): readonly { readonly pid: number }[];
}

const childrenOf = (pid: number | undefined): number[] => spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.split('\n').filter((line) => line !== '').map(Number);

/**
 * Runs the engine and kills it with SIGKILL exactly before or after the user's n-th write: before, the write is never made; after, it is
 * made and nobody hears of it. A run that makes fewer writes ends by itself (`killed` is false).
 */
export async function killedAt<R>({ development }: { readonly development: Development }, user: string, point: KillPoint, start: () => Mortal<R> | Promise<Mortal<R>>): Promise<{ readonly run: R; readonly killed: boolean }> {
  const started = await start();
  let [seen, dead] = [0, false];
  const orphans: number[] = [];
  const die = async (): Promise<void> => {
    dead = true;
    const providers = started.processes?.().map(({ pid }) => pid) ?? childrenOf(started.child.pid);
    const ended = once(started.child, 'exit');
    started.child.kill('SIGKILL');
    await ended;
    orphans.push(...providers);
    throw new Error('the engine was killed');
  };
  const numbers = new Map<number, number>();
  const remove = development.plane.requests.add({
    async before(record) {
      if (record.user !== user || record.write === undefined) return;
      if (dead) throw new Error('the engine was killed');
      numbers.set(record.write, ++seen);
      if (seen === point.write && point.moment === 'before') await die();
    },
    async after(record) {
      if (record.user === user && numbers.get(record.write ?? 0) === point.write && point.moment === 'after') await die();
    },
  });
  try {
    const run = await started.done;
    // A provider outlives its engine, and would repeat the write that was refused here.
    if (started.processes !== undefined) orphans.forEach(end);
    await until('the providers of the engine are gone', () => Promise.resolve(orphans.some(isAlive) ? undefined : true));
    return { run, killed: dead };
  } finally {
    remove();
  }
}
