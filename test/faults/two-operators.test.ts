import { FaultWorld } from '../harness/fault-world/fault-world';
import { Gate } from '../harness/fault-world/gate';
import { Life } from '../harness/fault-world/life';
import type { PassingRequest } from '../harness/fault-world/passing-request';
import type { ProxyHook } from '../harness/fault-world/plane-proxy';
import { isHeartbeat, writeLabel } from '../harness/fault-world/write-label';

// As many as an operator has workers: with one write of each on its way, it does nothing else.
const AT_ONCE = 4;
const SERIALS = Array.from({ length: AT_ONCE }, (_, i) => `c02t0${i + 1}`);
const TENANTS = ['tenant-a', 'tenant-b'];

/** What the operator writes in the life of a lease, in order; each group on one side of the floor, which the lives pass together. */
const WRITES = [
  ['patch macnodeleases with finalizer', 'patch macnodeleases/status Binding', 'create macnodebindings', 'patch nodes macrack.io/tenant'],
  ['patch macnodeleases/status Bound', 'patch macosinstances with finalizer', 'patch macosinstances/status Starting', 'patch nodes macrack.io/keep-disks'],
  ['create pods', 'patch macosinstances/status Running', 'patch macosinstances/status Stopped'],
  ['patch nodes macrack.io/keep-disks empty', 'patch macosinstances without finalizer', 'patch macnodeleases/status Held'],
  ['patch macnodeleases/status Releasing', 'patch nodes macrack.io/unleased', 'delete macnodebindings', 'patch macnodebindings without finalizer'],
  ['patch macnodeleases/status Released', 'patch macnodeleases without finalizer'],
];

/** Holds the first write of each wanted label until the gate opens, each of another life. */
class Sleeper implements ProxyHook {
  readonly gate = new Gate();
  readonly asleep: Promise<void>;
  #wake!: () => void;

  constructor(private readonly wanted: Map<string, string>) {
    this.gate.shut();
    this.asleep = new Promise((resolve) => { this.#wake = resolve; });
  }

  async before(request: PassingRequest): Promise<void> {
    if (!request.isWrite || isHeartbeat(request)) return;
    const serial = [...this.wanted.keys()].find((each) => `${request.name}`.includes(each));
    if (serial === undefined || this.wanted.get(serial) !== writeLabel(request)) return;
    this.wanted.delete(serial);
    if (this.wanted.size === 0) this.#wake();
    await this.gate.passed();
  }
}

describe('two operators', () => {
  let world: FaultWorld;
  let number = 0;
  const life = (serial: string): Life => new Life(world, serial, TENANTS[++number % TENANTS.length] ?? '', `t${number}`);

  beforeAll(async () => {
    world = await FaultWorld.open({ ground: 'dev', serials: SERIALS, tenants: TENANTS });
  });
  afterAll(() => world?.close());

  // Lives end together where a floor is passed by a clock that is everybody's.
  const live = async (lives: readonly Life[]): Promise<void> => {
    await Promise.all(lives.map(async (each) => {
      await each.bind();
      await each.start();
      await each.stop();
      await each.deleteInstance();
      await each.hold();
    }));
    await Promise.all(lives.map((each) => each.pastFloor()));
  };

  it('at work at once do everything once', async () => {
    await world.startOperator();
    await live(SERIALS.map(life));
    await world.untilWhole();
    expect(world.operators).toHaveLength(2);
    await world.killOperators();
    await world.startOperator();
  });

  it.each(WRITES.map((group) => [group.join('`, `'), group] as const))('of which one falls asleep just before `%s`: the other goes on, and what the first does when it wakes changes nothing', async (_names, group) => {
    const sleeper = new Sleeper(new Map(group.map((label, i) => [SERIALS[i] ?? '', label])));
    const [first] = world.operators;
    first?.proxy.hooks.add(sleeper);
    const lived = live(group.map((_label, i) => life(SERIALS[i] ?? '')));
    await Promise.race([sleeper.asleep, lived.then(() => { throw new Error('a write did not come'); })]);
    await world.startOperator();
    await world.inTime(lived);
    sleeper.gate.open();
    first?.proxy.hooks.delete(sleeper);
    // A claim that was made for a lease which had ended meanwhile is an orphan, until its floor.
    await world.untilWhole();
    await world.untilEmpty();
    await world.untilWhole();
    await world.killOperators();
    await world.startOperator();
  });
});
