import type { ServerName } from '../../realplane/servers';
import { FaultWorld } from '../harness/fault-world/fault-world';
import { KillWaves } from '../harness/fault-world/kill-waves';
import { Life } from '../harness/fault-world/life';
import { endLeadership, OperatorProcess } from '../harness/fault-world/operator-process';
import { describeRealPlane } from '../harness/real-plane-suite';

jest.setTimeout(400_000);

const SERIALS = Array.from({ length: 14 }, (_, i) => `c02f${String(i + 1).padStart(2, '0')}`);
const TENANTS = ['tenant-a', 'tenant-b', 'tenant-c'];

/** What binding, starting, stopping, holding and releasing take, whoever makes them. */
const WRITES = [
  'patch macnodeleases/status Binding #1', 'create macnodebindings #1', 'patch nodes macrack.io/tenant #1', 'patch macnodeleases/status Bound #1', 'create pods #1', 'patch pods/status Running #1',
  'patch macosinstances/status Running #1', 'delete pods #1', 'patch macosinstances/status Stopped #1', 'patch macnodeleases/status Held #1', 'patch macnodeleases/status Bound #2', 'patch macosinstances without finalizer #1',
  'patch macnodeleases/status Releasing #1', 'patch nodes macrack.io/unleased #1', 'delete macnodebindings #1', 'patch macnodebindings without finalizer #1', 'patch macnodeleases/status Released #1', 'patch macnodeleases without finalizer #1',
];

/** Between these the scheduler has something to do. */
const START = ['patch macosinstances/status Starting #1', 'patch nodes macrack.io/keep-disks #1', 'create pods #1', 'patch pods/status Running #1', 'patch macosinstances/status Running #1', 'delete pods #1'];

describeRealPlane('kill -9 before and after every write in the life of a lease, on Kubernetes 1.37', () => {
  let world: FaultWorld;
  let waves: KillWaves;
  let operator: OperatorProcess;

  beforeAll(async () => {
    world = await FaultWorld.open({ ground: 'real', serials: SERIALS, tenants: TENANTS, operated: false });
    operator = await OperatorProcess.open(world, 'operator');
    waves = new KillWaves(world, TENANTS);
    for (const { proxy } of [operator, ...world.macs.values()]) proxy.hooks.add(waves.hook);
    await operator.start();
    await operator.takeWebhooks();
    await operator.untilLeads();
  });
  afterAll(async () => {
    await operator?.close();
    await world?.close();
  });

  const server = (name: ServerName) => async (): Promise<void> => {
    await world.ground.servers?.kill(name);
    await world.ground.servers?.start(name);
  };
  const agents = async (): Promise<void> => {
    await Promise.all([...world.macs.values()].map(async (mac) => {
      await mac.killAgent();
      await mac.startAgent();
    }));
  };

  it('knows the writes', async () => {
    const labels = await waves.scout();
    expect(WRITES.filter((write) => !labels.includes(write))).toEqual([]);
  });

  it('of the operator, a process of its own, changes nothing in how it ends', async () => {
    const death = async (): Promise<void> => {
      await operator.kill();
      await endLeadership(world);
      await operator.start();
      await operator.untilLeads();
    };
    expect(await waves.kill(death)).toEqual([]);
  });

  it('of the agents changes nothing in how it ends', async () => {
    expect(await waves.kill(agents)).toEqual([]);
  });

  it('of kube-scheduler changes nothing in how a machine starts', async () => {
    expect(await waves.kill(server('kube-scheduler'), START)).toEqual([]);
  });

  it.each(['kube-apiserver', 'etcd'] as const)('of %s changes nothing in how it ends', async (name) => {
    expect(await waves.kill(server(name))).toEqual([]);
  });

  it('is not even needed: an operator that is stopped (SIGSTOP) loses the lead, and when it wakes (SIGCONT) it changes nothing that the other has done', async () => {
    const other = await OperatorProcess.open(world, 'other');
    try {
      await other.start();
      const lives = SERIALS.slice(0, 4).map((serial, i) => new Life(world, serial, TENANTS[i % 3] ?? '', 'stopped'));
      const bound = lives.map((life) => life.bind());
      await lives[0]?.untilLease('Binding', 'Bound');
      operator.replica.child.kill('SIGSTOP');
      await other.takeWebhooks();
      await endLeadership(world);
      await other.untilLeads();
      await Promise.all(bound);
      await Promise.all(lives.map((life) => life.start()));
      operator.replica.child.kill('SIGCONT');
      await operator.replica.untilReady('the one that slept knows that it does not lead', ({ leader }) => !leader);
      await Promise.all(lives.map((life) => life.hold()));
      await Promise.all(lives.map((life) => life.pastFloor()));
      await world.untilWhole();
    } finally {
      await other.close();
    }
  });
});
