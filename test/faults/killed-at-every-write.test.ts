import type { ServerName } from '../../realplane/servers';
import { FaultWorld } from '../harness/fault-world/fault-world';
import { KillWaves } from '../harness/fault-world/kill-waves';
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

describeRealPlane('kill -9 before and after every write in the life of a lease, on Kubernetes 1.37', () => {
  let world: FaultWorld;
  let waves: KillWaves;

  beforeAll(async () => {
    world = await FaultWorld.open({ ground: 'real', serials: SERIALS, tenants: TENANTS });
    waves = new KillWaves(world, TENANTS);
    for (const { proxy } of [...world.operators, ...world.macs.values()]) proxy.hooks.add(waves.hook);
  });
  afterAll(() => world?.close());

  const server = (name: ServerName) => async (): Promise<void> => {
    await world.ground.servers?.kill(name);
    await world.ground.servers?.start(name);
  };
  const operator = async (): Promise<void> => {
    await world.killOperators();
    (await world.startOperator()).proxy.hooks.add(waves.hook);
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

  // Each alone at each write, too: on development planes, where a death costs nothing.
  it('of the operator and the agents changes nothing in how it ends', async () => {
    expect(await waves.kill(async () => void await Promise.all([operator(), agents()]))).toEqual([]);
  });

  it('of kube-scheduler changes nothing in how a machine starts', async () => {
    const start = ['patch macosinstances/status Starting #1', 'patch nodes macrack.io/keep-disks #1', 'create pods #1', 'patch pods/status Running #1', 'patch macosinstances/status Running #1', 'delete pods #1'];
    expect(await waves.kill(server('kube-scheduler'), start)).toEqual([]);
  });

  it.each(['kube-apiserver', 'etcd'] as const)('of %s changes nothing in how it ends', async (name) => {
    expect(await waves.kill(server(name))).toEqual([]);
  });
});
