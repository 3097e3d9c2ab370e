import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesFile } from '../../agent/journal/lines-file';
import { Kinds } from '../../sdk/api/kinds';
import { AGENT_STALE_MS, HEARTBEAT_MS } from '../../sdk/api/timing';
import { until } from '../../sdk/client/until';
import { FaultWorld } from '../harness/fault-world/fault-world';
import { connectAs } from '../harness/fault-world/ground';
import { Life } from '../harness/fault-world/life';
import { TinyDisk } from '../harness/tiny-disk';

const SERIALS = ['c02s01', 'c02s02', 'c02s03'];
const [FIRST = ''] = SERIALS;
const TENANTS = ['tenant-a', 'tenant-b'];

describe('one thing that fails', () => {
  let world: FaultWorld;
  let number = 0;
  const life = (serial = FIRST, tenant = 'tenant-a'): Life => new Life(world, serial, tenant, `f${++number}`);
  const mac = (serial = FIRST) => world.mac(serial);
  const operator = () => world.operators[0] as NonNullable<(typeof world.operators)[0]>;
  const runs = (of: Life): boolean => mac(of.serial).mac.running().some(({ instanceUID }) => instanceUID === world.seen.instance(of.instance)?.metadata.uid);
  const eventually = (what: string, holds: () => boolean | Promise<boolean>) => until(what, async () => ((await holds()) ? true : undefined));
  /** Time as an idle fleet spends it: heartbeat by heartbeat. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= HEARTBEAT_MS) {
      world.ground.advance?.(HEARTBEAT_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const finish = async (of: Life): Promise<void> => {
    await of.hold();
    await of.pastFloor();
    await world.untilWhole();
    expect(world.seen.instance(of.instance)).toBeUndefined();
  };

  beforeAll(async () => {
    world = await FaultWorld.open({ ground: 'dev', serials: SERIALS, tenants: TENANTS });
  });
  afterAll(() => world?.close());

  it('the webhooks: nothing new is admitted, what runs goes on, and what waited is done when they are back', async () => {
    const running = life();
    await running.bind();
    await running.start();
    await world.ground.redirectWebhooks('https://127.0.0.1:1', world.ground.ca);
    const impatient = await connectAs(world.ground, 'tenant-b', world.ground.url, 2_000);
    const refused = impatient.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-b', name: 'unjudged' }, spec: { class: 'base' } });
    await expect(refused).rejects.toMatchObject({ detail: { fault: 'Unavailable' } });
    impatient.close();
    expect(runs(running)).toBe(true);
    const late = life(SERIALS[1]);
    const bound = late.bind();
    await world.ground.redirectWebhooks(operator().operator.admissionOrigin, operator().operator.caPem);
    await bound;
    expect(world.seen.lease({ namespace: 'tenant-b', name: 'unjudged' })).toBeUndefined();
    await finish(running);
    await finish(late);
  });

  it.each([['of everything', /./], ['of Macs and claims', /^(macnodes|macnodebindings|nodes)$/], ['of pods', /^pods$/]])('the watches, which tell nothing %s: what is decided is decided on what is true', async (_what, resources) => {
    const first = life();
    await first.bind();
    operator().proxy.withholdEvents(resources);
    const informed = await world.startOperator();
    const rival = life(FIRST, 'tenant-b');
    await first.start();
    const waits = rival.bind();
    await first.hold();
    await first.pastFloor();
    await waits;
    operator().proxy.deliverEvents();
    await rival.start();
    await world.killOperator(informed);
    await finish(rival);
  });

  it('the history of the store, which is compacted (410): every watch starts again', async () => {
    const one = life();
    await one.bind();
    for (const { proxy } of [...world.operators, ...world.macs.values()]) proxy.expireWatches();
    await one.start();
    for (const { proxy } of [...world.operators, ...world.macs.values()]) proxy.expireWatches();
    await one.deleteInstance();
    await finish(one);
  });

  it('the disk of a journal, which is full: nothing is started, what runs is stopped all the same, and told when there is space', async () => {
    const one = life();
    await one.bind();
    await one.start();
    let isFull = true;
    await mac().killAgent();
    await mac().startAgent((lines) => ({
      ...lines, read: () => lines.read(), close: () => lines.close(),
      append: (line) => (isFull ? Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })) : lines.append(line)),
    }));
    const second = { namespace: 'tenant-a', name: `second-${FIRST}` };
    await world.admin.create(Kinds.MacOSInstance, { metadata: second, spec: { leaseName: one.lease.name, image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } });
    await world.admin.patch(Kinds.MacOSInstance, one.instance, { spec: { running: false } });
    await eventually('the machine is stopped', () => mac().mac.running().length === 0);
    await eventually('the Mac says why it starts nothing', async () => {
      world.ground.advance?.(HEARTBEAT_MS);
      const { status } = await world.admin.get(Kinds.MacNode, { name: FIRST }) ?? {};
      return status?.conditions?.some(({ type, status: is, reason }) => type === 'Ready' && is === 'False' && reason === 'JournalUnwritable') === true;
    });
    expect(mac().mac.running()).toEqual([]);
    isFull = false;
    await eventually('the second machine runs', () => {
      world.ground.advance?.(HEARTBEAT_MS);
      return world.seen.instance(second)?.status?.phase === 'Running';
    });
    await finish(one);
  });

  const mountable = TinyDisk.isPossible();
  (mountable ? it : it.skip)(`the disk of a journal, a real one of 64 KiB${mountable ? '' : ' (skipped: this user may not mount one)'}: the same`, async () => {
    const disk = TinyDisk.tryMount();
    if (disk === undefined) throw new Error('the disk could not be mounted');
    try {
      // A Mac that has not journaled anything yet: a file that has begun a page may fill it.
      const fresh = SERIALS[2] ?? '';
      const one = life(fresh);
      await mac(fresh).killAgent();
      const journal = join(disk.directory, 'journal');
      await mac(fresh).startAgent(() => linesFile(journal));
      await mac(fresh).ready();
      await one.bind();
      disk.fill();
      const started = one.start();
      await eventually('the Mac says why it starts nothing', async () => {
        world.ground.advance?.(HEARTBEAT_MS);
        const { status } = await world.admin.get(Kinds.MacNode, { name: fresh }) ?? {};
        return status?.conditions?.some(({ reason }) => reason === 'JournalUnwritable') === true;
      });
      expect(mac(fresh).mac.running()).toEqual([]);
      disk.clear();
      await eventually('the machine runs', () => {
        world.ground.advance?.(HEARTBEAT_MS);
        return world.seen.instance(one.instance)?.status?.phase === 'Running';
      });
      await started;
      await finish(one);
      await mac(fresh).killAgent();
      copyFileSync(journal, mac(fresh).journalFile);
      await mac(fresh).startAgent();
    } finally {
      disk.unmount();
    }
  });

  it.each(['refuses', 'swallows'] as const)('the network between a Mac and the plane, which %s what is sent: the machine runs on, its Mac is given to nobody, and the lease ends when it is back', async (how) => {
    const one = life();
    await one.bind();
    await one.start();
    if (how === 'refuses') mac().proxy.cut();
    else mac().proxy.stall();
    await pass(2 * AGENT_STALE_MS);
    await one.untilInstance('Unknown');
    expect(runs(one)).toBe(true);
    await one.hold();
    await world.ground.passFloor([]);
    await one.untilLease('Releasing');
    await pass(4 * AGENT_STALE_MS);
    const rival = life(FIRST, 'tenant-b');
    const bound = rival.bind();
    expect(world.seen.lease(one.lease)?.status?.phase).toBe('Releasing');
    expect(await world.admin.get(Kinds.MacNodeBinding, { name: FIRST })).toMatchObject({ spec: { leaseName: one.lease.name } });
    expect(mac().mac.running()).toHaveLength(1);
    mac().proxy.mend();
    mac().proxy.resume();
    await eventually('the claim is given back', () => {
      world.ground.advance?.(HEARTBEAT_MS);
      return world.seen.lease(one.lease)?.status?.phase === 'Released';
    });
    await world.inTime(bound);
    await finish(rival);
  });
});
