import type { Timers } from '../../../sdk/client/timers';
import { instant } from '../../../sdk/rules/instant';
import { WorkQueue, type Again, type Reconcile } from './queue';

class ManualTimers implements Timers {
  readonly waits: { ms: number; ring: () => void }[] = [];
  after(ms: number, callback: () => void): () => void {
    const wait = { ms, ring: callback };
    this.waits.push(wait);
    return () => void this.waits.splice(this.waits.indexOf(wait), 1);
  }
  ring(): void {
    this.waits.splice(0).forEach((w) => w.ring());
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const open = (reconcile: Reconcile, workers = 4) => {
  const timers = new ManualTimers();
  const errors: unknown[] = [];
  return { timers, errors, queue: new WorkQueue({ timers, reconcile, workers, backOff: (_, failures) => failures * 100, onError: (_, error) => errors.push(error) }) };
};
const again = (at: number, wait: number): Again => ({ at: instant(at), wait });

describe('the work queue', () => {
  it('looks at a key once however often it is added before its turn', async () => {
    const seen: string[] = [];
    const { queue } = open((key) => Promise.resolve(void seen.push(key)), 1);
    ['a', 'b', 'b', 'c', 'b'].forEach((k) => queue.add(k));
    await turn();
    await turn();
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('never looks at one key twice at once, and looks again for what came meanwhile', async () => {
    let running = 0, most = 0, looks = 0;
    const { queue } = open(async () => {
      looks += 1;
      most = Math.max(most, ++running);
      await turn();
      running -= 1;
      return undefined;
    });
    queue.add('a');
    queue.add('a');
    queue.add('a');
    for (let i = 0; i < 6; i += 1) await turn();
    expect([most, looks]).toEqual([1, 2]);
  });

  it('works on no more keys at once than it has workers', async () => {
    let running = 0, most = 0;
    const { queue } = open(async () => {
      most = Math.max(most, ++running);
      await turn();
      running -= 1;
      return undefined;
    }, 2);
    ['a', 'b', 'c', 'd'].forEach((k) => queue.add(k));
    for (let i = 0; i < 8; i += 1) await turn();
    expect(most).toBe(2);
  });

  it('comes back at a known time, and says that it is due', async () => {
    const dues: (number | undefined)[] = [];
    const { queue, timers } = open((_, due) => Promise.resolve(void dues.push(due)).then(() => (due === undefined ? again(5_000, 5_000) : undefined)));
    queue.add('a');
    await turn();
    expect(timers.waits.map((w) => w.ms)).toEqual([5_000]);
    timers.ring();
    await turn();
    expect(dues).toEqual([undefined, 5_000]);
    expect(timers.waits).toEqual([]);
  });

  it('keeps the timer of an instant that is asked for again, and moves it for another', async () => {
    const answers = [again(5_000, 5_000), again(5_000, 9_999), again(7_000, 7_000)];
    const { queue, timers } = open(() => Promise.resolve(answers.shift()));
    for (const expected of [5_000, 5_000, 7_000]) {
      queue.add('a');
      await turn();
      expect(timers.waits.map((w) => w.ms)).toEqual([expected]);
    }
  });

  it('backs off on errors, longer each time, and a change does not cut that short', async () => {
    const { queue, timers, errors } = open(() => Promise.reject(new Error('down')));
    queue.add('a');
    await turn();
    queue.add('a');
    await turn();
    expect(errors).toHaveLength(1);
    expect(timers.waits.map((w) => w.ms)).toEqual([100]);
    timers.ring();
    await turn();
    expect(timers.waits.map((w) => w.ms)).toEqual([200]);
  });

  it('does nothing more once stopped, and waits for what runs', async () => {
    let looks = 0;
    const { queue, timers } = open(async () => {
      looks += 1;
      await turn();
      return again(1, 1);
    });
    queue.add('a');
    await queue.stop();
    queue.add('b');
    timers.ring();
    await turn();
    expect(looks).toBe(1);
  });
});
