import { Gate } from './gate';

describe('a gate', () => {
  it('lets as many tasks run at once as it is wide, in their order, and goes on after one that fails', async () => {
    const gate = new Gate(2);
    const [order, ends]: [number[], ((fails?: boolean) => void)[]] = [[], []];
    const tasks = [0, 1, 2, 3].map((i) => gate.run(() => {
      order.push(i);
      return new Promise<number>((resolve, reject) => { ends[i] = (fails = false) => (fails ? reject(new Error('no')) : resolve(i)); });
    }));
    const settled = Promise.allSettled(tasks);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    expect(order).toEqual([0, 1]);
    ends[1]?.(true);
    await turn();
    expect(order).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await turn();
    expect(order).toEqual([0, 1, 2, 3]);
    ends[3]?.();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await gate.run(() => Promise.resolve('free'))).toBe('free');
  });
});
