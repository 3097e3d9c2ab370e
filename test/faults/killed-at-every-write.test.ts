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

  it.each([
    ['the operator', operator], ['the agents', agents], ['kube-scheduler', server('kube-scheduler')], ['kube-apiserver', server('kube-apiserver')], ['etcd', server('etcd')],
  ] as const)('of %s changes nothing in how it ends', async (_name, death) => {
    expect(await waves.kill(death)).toEqual([]);
  });
});
