import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kinds, type MacNodeLease } from '../../sdk/api';
import { connect, type ControlPlane } from '../../sdk/client';
import { until } from '../../sdk/client/until';
import { macrack, type Run } from './command';

const ref = { namespace: 'tenant-a', name: 'ci' };
const shape = { cpu: 2, memory: '4Gi', disk: '40Gi' };

describe('macrack dev --data-dir', () => {
  const home = mkdtempSync(join(tmpdir(), 'macrack-kept-'));
  const directory = join(home, 'plane');
  const kubeconfig = join(directory, 'tenant-a.kubeconfig');
  let run: Run;

  async function start(): Promise<void> {
    run = macrack('dev', '--macs', '1', '--data-dir', directory);
    await until('the plane is up', () => Promise.resolve(run.printed().includes('Ctrl-C') ? true : undefined));
  }
  /** With the kubeconfig as it was written first. */
  async function asTenant<T>(ask: (tenant: ControlPlane) => Promise<T>): Promise<T> {
    const tenant = await connect({ configPath: kept });
    return ask(tenant).finally(() => tenant.close());
  }
  const kept = join(home, 'kept.kubeconfig');

  beforeAll(start);
  afterAll(async () => {
    run.child.kill('SIGKILL');
    await run.ended;
    rmSync(home, { recursive: true, force: true });
  });

  it('goes on after SIGKILL: the lease, the running machine, its identity, and kubeconfigs of before', async () => {
    copyFileSync(kubeconfig, kept);
    const running = (tenant: ControlPlane) => until('the machine runs', async () => {
      const { status } = await tenant.get(Kinds.MacOSInstance, { ...ref, name: 'vm' });
      return status?.phase === 'Running' ? status : undefined;
    });
    const lease = (tenant: ControlPlane): Promise<MacNodeLease> => until('the lease is Bound', async () => {
      const found = await tenant.get(Kinds.MacNodeLease, ref);
      return found.status?.phase === 'Bound' ? found : undefined;
    });
    const before = await asTenant(async (tenant) => {
      await tenant.create(Kinds.MacNodeLease, { metadata: ref, spec: { class: 'base' } });
      const bound = await lease(tenant);
      await tenant.create(Kinds.MacOSInstance, { metadata: { ...ref, name: 'vm' }, spec: { leaseName: 'ci', image: 'ghcr.io/acme/macos:15', shape } });
      return { bound, machine: await running(tenant) };
    });
    run.child.kill('SIGKILL');
    await run.ended;
    await start();
    await asTenant(async (tenant) => {
      const after = await lease(tenant);
      expect([after.metadata.uid, after.status?.boundAt, after.status?.chassis]).toEqual([before.bound.metadata.uid, before.bound.status?.boundAt, before.bound.status?.chassis]);
      expect((await running(tenant)).machineID).toBe(before.machine.machineID);
      await tenant.create(Kinds.MacOSInstance, { metadata: { ...ref, name: 'vm-2' }, spec: { leaseName: 'ci', image: 'ghcr.io/acme/macos:15', shape } });
      await until('a second machine runs', async () => (await tenant.get(Kinds.MacOSInstance, { ...ref, name: 'vm-2' })).status?.phase === 'Running' || undefined);
    });
  });

  it('lets no second process in', async () => {
    const { code, stderr } = await macrack('dev', '--port', '0', '--data-dir', directory).ended;
    expect({ code, told: stderr.includes('is in use by another development plane') }).toEqual({ code: 1, told: true });
  });
});
