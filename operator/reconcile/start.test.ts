import { Kinds } from '../../sdk/api';
import { Rig, until } from '../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
afterEach(() => rig.close());

/** Those of the operator: Macs report by themselves. */
const writes = (): string[] => rig.plane.writes.filter((w) => !w.includes(' macnodes '));
const ticks = async (n: number): Promise<void> => {
  for (let i = 0; i < n; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('reconcilers in one process', () => {
  it('are started and stopped again and again, also before they are ready and in the midst of work, and finish what was begun', async () => {
    rig = await Rig.open('c02a', 'c02b');
    for (const name of ['one', 'two']) await rig.createLease(name);
    for (let pause = 0; pause < 40; pause += 1) {
      const reconcilers = await rig.begin();
      await ticks(pause);
      await reconcilers.stop();
    }
    await rig.operate();
    for (const name of ['one', 'two']) await rig.untilLease(name, 'Bound');
    expect(rig.plane.all(Kinds.MacNodeBinding)).toHaveLength(2);
    expect(rig.errors).toEqual([]);
  });

  it('write nothing after they were stopped, neither the Clock nor what they were about to', async () => {
    rig = await Rig.open('c02a');
    for (let pause = 0; pause < 20; pause += 1) {
      const reconcilers = await rig.begin();
      if (pause % 2 === 0) await rig.createLease(`lease-${pause}`);
      await ticks(pause);
      await reconcilers.stop();
      const before = writes().length;
      rig.plane.advance(120_000);
      await ticks(50);
      expect(writes().slice(before)).toEqual([]);
    }
  });

  it('see what changed while none of them ran', async () => {
    rig = await Rig.open('c02a');
    const first = await rig.operate();
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await first.stop();
    await rig.plane.remove(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ios' });
    await rig.operate();
    await until('it is held', () => rig.lease('ios')?.status?.phase === 'Held');
  });
});
