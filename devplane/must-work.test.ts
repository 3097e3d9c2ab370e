import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Kinds } from '../sdk/api';
import type { ControlPlane } from '../sdk/client';
import { type Development, startDevelopmentPlane } from './development-plane';
import { kubectl } from './testing/client';

/** Asks until the answer is there. */
async function until<T>(what: string, ask: () => Promise<T | undefined | null | false>): Promise<T> {
  const deadline = performance.now() + 180_000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not in time`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const lease = { metadata: { namespace: 'tenant-a', name: 'ci' }, spec: { class: 'base' } };
const instance = (name: string) => ({ metadata: { namespace: 'tenant-a', name }, spec: { leaseName: 'ci', image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } });

/** What must work on the development plane: the whole life of a lease, through the same client that every part uses. */
describe('the development plane with operator and agents', () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-'));
  let world: Development;
  let a: ControlPlane;
  let b: ControlPlane;
  const clients: ControlPlane[] = [];
  const as = async (user: string) => {
    const client = await world.connectAs(user);
    clients.push(client);
    return client;
  };
  const ci = () => a.tryGet(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ci' });
  const vm = (name: string) => a.tryGet(Kinds.MacOSInstance, { namespace: 'tenant-a', name });

  beforeAll(async () => {
    world = await startDevelopmentPlane({ directory, log: () => undefined, logger: pino({ level: 'silent' }) });
    [a, b] = [await as('tenant-a'), await as('tenant-b')];
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await world.stop();
    rmSync(directory, { recursive: true });
  });

  test('every Mac is registered, Ready and unleased', async () => {
    expect((await kubectl(world.plane, 'macrack-admin', 'get', 'nodes')).out).toMatch(/(mac-sim000\d\s+Ready.*\n){3}/);
    expect((await kubectl(world.plane, 'macrack-admin', 'get', 'macnodes', '-o', 'name')).out.trim().split('\n')).toHaveLength(3);
  });

  test('a lease becomes Bound, and says so in its columns', async () => {
    await a.create(Kinds.MacNodeLease, lease);
    const bound = await until('the lease is Bound', async () => (await ci())?.status?.phase === 'Bound' && ci());
    expect(bound?.status?.chassis).toMatch(/^sim000\d$/);
    expect((await kubectl(world.plane, 'tenant-a', '-n', 'tenant-a', 'get', 'macnodeleases')).out).toMatch(/NAME\s+PHASE\s+CHASSIS\s+BOUND-AT\s+EARLIEST-RELEASE\s+DELETING\s+AGE\nci\s+Bound/);
  });

  test('two machines run', async () => {
    for (const name of ['vm-1', 'vm-2']) await a.create(Kinds.MacOSInstance, instance(name));
    for (const name of ['vm-1', 'vm-2']) await until(`${name} runs`, async () => (await vm(name))?.status?.phase === 'Running');
  });

  test('the third is refused by admission', async () => {
    await expect(a.create(Kinds.MacOSInstance, instance('vm-3'))).rejects.toThrow(/admission webhook "validate.macrack.io" denied the request/);
  });

  test('another tenant sees and touches none of it', async () => {
    await expect(b.list(Kinds.MacNodeLease, { namespace: 'tenant-a' })).rejects.toMatchObject({ detail: { code: 403 } });
    await expect(b.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-b', name: 'x' }, spec: { class: 'base', serial: (await ci())?.status?.chassis ?? '' } }, { dryRun: true })).rejects.toThrow();
  });

  test('a viewer reads and cannot write', async () => {
    const viewer = await as('tenant-a-viewer');
    expect((await viewer.list(Kinds.MacNodeLease, { namespace: 'tenant-a' })).items).toHaveLength(1);
    await expect(viewer.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-a', name: 'y' }, spec: { class: 'base' } })).rejects.toMatchObject({ detail: { code: 403 } });
  });

  test('an early kubectl delete holds the lease, with a warning', async () => {
    const deleted = await kubectl(world.plane, 'tenant-a', '-n', 'tenant-a', 'delete', 'macnodelease', 'ci', '--wait=false');
    expect(deleted).toMatchObject({ code: 0, out: 'macnodelease.macrack.io "ci" deleted\n' });
    expect(deleted.err).toMatch(/^Warning: macrack:/);
    await until('the lease is Held', async () => (await ci())?.status?.phase === 'Held');
  });

  test('at the floor it is released by itself, and the Mac is wiped and unleased', async () => {
    const serial = (await ci())?.status?.chassis ?? '';
    const admin = await as('macrack-admin');
    world.plane.clock.advance(24 * 3_600_000);
    world.plane.clock.advance(120_000);
    await until('the lease is gone', async () => (await ci()) === null);
    expect(await admin.tryGet(Kinds.MacNodeBinding, { name: serial })).toBeNull();
    const mac = await admin.get(Kinds.MacNode, { name: serial });
    expect([mac.status?.vmCount, mac.status?.disks?.length]).toEqual([0, 0]);
    expect((await admin.get(Kinds.Node, { name: `mac-${serial}` })).spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
  });

  test('a restarted operator takes over, on the same audit record', async () => {
    await world.restartOperator();
    await b.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-b', name: 'next' }, spec: { class: 'base' } });
    await until('the lease is Bound', async () => (await b.get(Kinds.MacNodeLease, { namespace: 'tenant-b', name: 'next' })).status?.phase === 'Bound');
  });

  test('a namespace with a Held lease stays Terminating and names the floor', async () => {
    const admin = await as('macrack-admin');
    await kubectl(world.plane, 'macrack-admin', 'delete', 'namespace', 'tenant-b', '--wait=false');
    const conditions = await until('the namespace says what is left', async () => {
      const { status } = await admin.get(Kinds.Namespace, { name: 'tenant-b' });
      return JSON.stringify(status).includes('has 1 resource instances') && JSON.stringify(status);
    });
    expect(conditions).toContain('macnodeleases.macrack.io has 1 resource instances');
    expect(conditions).toContain('macrack.io/floor in 1 resource instances');
  });
});
