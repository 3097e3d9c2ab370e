import { basename, dirname } from 'node:path';
import type { ControlPlane } from '../../sdk/client';
import { IdentityRig, type Life } from '../testing/identity-rig';
import { durableFiles, type DurableFiles } from './durable-files';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Ends an agent before or after one of its writes, to the disk or to the plane, as kill -9 does: nothing comes back from then on. */
class Death {
  readonly writes: string[] = [];
  readonly ending = new AbortController();
  readonly #begun = new Set<Promise<unknown>>();

  constructor(private readonly at: string | undefined, private readonly side: 'before' | 'after') {}

  readonly files: DurableFiles = {
    read: (path) => this.#alive(() => durableFiles.read(path)),
    write: (path, text) => this.#write(`write ${basename(dirname(path))}/${basename(path)}`, () => durableFiles.write(path, text)),
    remove: (path) => this.#write(`remove ${basename(dirname(path))}/${basename(path)}`, () => durableFiles.remove(path)),
  };

  plane(plane: ControlPlane): ControlPlane {
    return new Proxy(plane, { get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      const call = (...args: unknown[]): unknown => (value as (...args: unknown[]) => unknown).apply(target, args);
      if (key !== 'create') return (...args: unknown[]) => this.#alive(() => Promise.resolve(call(...args)));
      return (...args: unknown[]) => this.#write(`ask ${String((args[1] as { metadata: { name: string } }).metadata.name.split('.')[1])}`, () => Promise.resolve(call(...args)));
    } });
  }

  async #write<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.ending.signal.aborted) return never();
    this.writes.push(`${what} #${this.writes.filter((write) => write.startsWith(`${what} #`)).length + 1}`);
    const isLast = this.writes.at(-1) === this.at;
    if (isLast && this.side === 'before') return this.#die();
    const value = await this.#underWay(work());
    return isLast ? this.#die() : value;
  }

  /** A process that is gone writes no more; here what it had begun is let finish before another begins. */
  settled(): Promise<unknown> {
    return Promise.allSettled(this.#begun);
  }

  #underWay<T>(work: Promise<T>): Promise<T> {
    this.#begun.add(work);
    void work.finally(() => this.#begun.delete(work)).catch(() => undefined);
    return work;
  }

  async #alive<T>(work: () => Promise<T>): Promise<T> {
    if (this.ending.signal.aborted) return never();
    const value = await work();
    return this.ending.signal.aborted ? never() : value;
  }

  #die<T>(): Promise<T> {
    this.ending.abort();
    return never();
  }
}

const RENEWALS_DUE_MS = 17 * 3_600_000;

const left = async ({ state }: IdentityRig, purpose: string): Promise<boolean> => {
  const [key, pair] = [await durableFiles.read(`${state}/${purpose}/next.key`), await durableFiles.read(`${state}/${purpose}/current.pem`)];
  return key !== undefined && pair?.includes(key) !== true;
};

/** Enrolled, and renewed once; an agent that was killed before its renewals is not followed into them. Resolves to the writes. */
async function liveWithDeath(at: string | undefined, side: 'before' | 'after'): Promise<readonly string[]> {
  const rig = await IdentityRig.open();
  const death = new Death(at, side);
  let life: Life | undefined;
  let isRevived = false;
  const holds = async (fact: () => boolean | Promise<boolean>): Promise<boolean> => {
    if (death.ending.signal.aborted && !isRevived) {
      isRevived = true;
      await death.settled();
      life = await rig.live();
    }
    return fact();
  };
  const keys = () => rig.issuer.keys.get('client')?.size;
  const served = () => life?.served.at(-1)?.certificate;
  // One that is killed while it opens never comes back.
  void rig.live({ files: death.files, plane: death.plane(rig.plane), signal: death.ending.signal }).then((first) => { life = first; });
  try {
    await rig.until('it serves', () => holds(() => served() !== undefined));
    expect(keys()).toBe(1);
    if (isRevived) return death.writes;
    const first = served();
    rig.pass(RENEWALS_DUE_MS);
    await rig.until('both are renewed', () => holds(async () => served() !== first && keys() === 2 && !await left(rig, 'client') && !await left(rig, 'serving')));
    return death.writes;
  } finally {
    expect(rig.exposed()).toEqual([]);
    death.ending.abort();
    rig.close();
  }
}

describe('an identity whose agent is killed', () => {
  it('is whole in the end, whatever write it was killed at, and its enrolment is used for one key alone', async () => {
    const writes = await liveWithDeath(undefined, 'before');
    expect(writes).toEqual(expect.arrayContaining(['write client/next.key #1', 'ask client #1', 'write client/current.pem #1', 'remove client/next.key #1', 'ask serving #2', 'write serving/current.pem #2']));
    for (const at of writes) {
      for (const side of ['before', 'after'] as const) {
        await liveWithDeath(at, side).catch((error: unknown) => { throw new Error(`killed ${side} ${at}: ${String(error)}`, { cause: error }); });
      }
    }
  });
});
