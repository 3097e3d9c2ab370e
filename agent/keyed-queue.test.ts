import { KeyedQueue } from './keyed-queue';
import { ManualTimers } from './testing/manual-timers';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue of an agent', () => {
  const timers = new ManualTimers();
  const build = (work: (key: string) => Promise<void>, retries: number[] = []) => new KeyedQueue({ work, timers, onError: (_key, _error, retryMs) => void retries.push(retryMs) });

  it('works on one key one at a time, and once more for all that came meanwhile', async () => {
    const ends: (() => void)[] = [];
    const queue = build(() => new Promise((resolve) => ends.push(resolve)));
    for (let i = 0; i < 5; i += 1) queue.add('a');
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await turn();
    expect(ends).toHaveLength(2);
  });

  it('works on different keys at the same time', () => {
    const begun: string[] = [];
    const queue = build((key) => new Promise(() => void begun.push(key)));
    queue.add('a');
    queue.add('b');
    expect(begun).toEqual(['a', 'b']);
  });

  it('tries a failed key again after half a second, then twice as long each time, ten seconds at most', async () => {
    const retries: number[] = [];
    const queue = build(() => Promise.reject(new Error('no')), retries);
    queue.add('a');
    for (let i = 0; i < 6; i += 1) {
      await turn();
      timers.advance(retries.at(-1) ?? 0);
    }
    await turn();
    expect(retries).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('begins nothing after it was stopped', async () => {
    let works = 0;
    const queue = build(() => { works += 1; return Promise.reject(new Error('no')); });
    queue.add('a');
    await turn();
    queue.stop();
    queue.add('b');
    timers.advance(60_000);
    await turn();
    expect(works).toBe(1);
  });
});
