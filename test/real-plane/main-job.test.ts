import pino from 'pino';
import { until } from '../../sdk/client/until';
import { Kinds, type MacNodeLease, type MacOSInstance } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { describeRealPlane } from '../harness/real-plane-suite';
import { ADMIN } from '../../realplane/identities';
import { type RealDevelopment, startRealDevelopment } from '../../realplane/real-development';

jest.setTimeout(180_000);

const PATIENCE_S = 60;
const leaseRef = { namespace: 'tenant-a', name: 'ci' };
const instance = (name: string) => ({ metadata: { namespace: 'tenant-a', name }, spec: { leaseName: 'ci', image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } });

describeRealPlane('the life of a lease on Kubernetes 1.37, with the operator and two simulated Macs', () => {
  let world: RealDevelopment;
  let admin: ControlPlane;
  let tenant: ControlPlane;
  let serial = '';
  const lease = (): Promise<MacNodeLease | null> => tenant.tryGet(Kinds.MacNodeLease, leaseRef);
  const untilLease = (phase: string): Promise<MacNodeLease> => until(`the lease is ${phase}`, async () => {
    const found = await lease();
    return found?.status?.phase === phase ? found : undefined;
  }, PATIENCE_S);
  const untilRunning = (name: string): Promise<MacOSInstance> => until(`${name} runs`, async () => {
    const found = await tenant.get(Kinds.MacOSInstance, { namespace: 'tenant-a', name });
    return found.status?.phase === 'Running' ? found : undefined;
  }, PATIENCE_S);

  beforeAll(async () => {
    world = await startRealDevelopment({ logger: pino({ level: 'silent' }) });
    [admin, tenant] = [await world.connectAs(ADMIN), await world.connectAs('tenant-a')];
  });
  afterAll(async () => {
    admin?.close();
    tenant?.close();
    await world?.stop();
  });

  it('starts with every Mac registered by its agent, Ready, unleased and offering two slots', async () => {
    const nodes = await until('both nodes are schedulable', async () => {
      const { items } = await admin.list(Kinds.Node);
      return items.length === 2 && items.every(({ spec }) => spec.taints?.length === 1) ? items : undefined;
    }, PATIENCE_S);
    for (const { spec, status } of nodes) {
      expect(spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
      expect(status?.allocatable).toMatchObject({ 'macrack.io/macos-vm': '2', pods: '2' });
    }
  });

  it('binds the lease to a Mac for at least a day', async () => {
    await tenant.create(Kinds.MacNodeLease, { metadata: leaseRef, spec: { class: 'base' } });
    const { status, metadata } = await untilLease('Bound');
    serial = status?.chassis ?? '';
    const claim = await admin.get(Kinds.MacNodeBinding, { name: serial });
    expect([status?.boundAt, claim.metadata.finalizers]).toEqual([claim.metadata.creationTimestamp, ['macrack.io/claim']]);
    expect(Date.parse(status?.earliestReleaseAt ?? '') - Date.parse(status?.boundAt ?? '')).toBe(24 * 3_600_000);
    expect(metadata.annotations?.['macrack.io/requested-by']).toBe('tenant-a');
    const { spec } = await admin.get(Kinds.Node, { name: `mac-${serial}` });
    expect(spec.taints).toEqual([{ key: 'macrack.io/tenant', value: 'tenant-a', effect: 'NoSchedule' }]);
  });

  it('runs two machines with identities of their own, placed by kube-scheduler', async () => {
    for (const name of ['vm-1', 'vm-2']) await tenant.create(Kinds.MacOSInstance, instance(name));
    const machines = [await untilRunning('vm-1'), await untilRunning('vm-2')];
    expect(new Set(machines.map(({ status }) => status?.machineID)).size).toBe(2);
    const { items } = await admin.list(Kinds.Pod, { namespace: 'tenant-a' });
    expect(items.map(({ metadata, spec }) => [metadata.name, spec.nodeName]).sort()).toEqual([['ci-vm-0', `mac-${serial}`], ['ci-vm-1', `mac-${serial}`]]);
    expect(world.macs.get(serial)?.mac.running()).toHaveLength(2);
  });

  it('refuses a third at admission, naming the rule', async () => {
    await expect(tenant.create(Kinds.MacOSInstance, instance('vm-3'))).rejects.toThrow(/admission webhook "validate.macrack.io" denied the request: macrack: ThirdInstance: .*section 2B\(iii\)/);
  });

  it('keeps the finalizer of the claim from a member of system:masters before the floor', async () => {
    await expect(admin.patch(Kinds.MacNodeBinding, { name: serial }, { metadata: { finalizers: null } })).rejects.toMatchObject({ detail: { code: 403 } });
    await expect(admin.remove(Kinds.MacNodeBinding, { name: serial })).rejects.toMatchObject({ detail: { code: 403 } });
    const { metadata } = await admin.get(Kinds.MacNodeBinding, { name: serial });
    expect([metadata.finalizers, metadata.deletionTimestamp]).toEqual([['macrack.io/claim'], undefined]);
  });

  it('holds a lease that is deleted early, with a warning', async () => {
    const warnings: string[] = [];
    await tenant.remove(Kinds.MacNodeLease, leaseRef, { onWarning: (text) => warnings.push(text) });
    expect(warnings.join()).toMatch(/^macrack: lease .* until /);
    await untilLease('Held');
    expect(world.macs.get(serial)?.mac.running()).toHaveLength(2);
  });

  it('releases it by itself past the floor: machines and disks are gone, the Mac is unleased', async () => {
    await world.passFloor('tenant-a', 'ci');
    await until('the lease is gone', async () => (await lease()) === null || undefined, PATIENCE_S);
    expect(await admin.tryGet(Kinds.MacNodeBinding, { name: serial })).toBeNull();
    const { mac } = world.macs.get(serial) ?? {};
    expect([mac?.running(), mac?.bundles()]).toEqual([[], []]);
    const { status } = await admin.get(Kinds.MacNode, { name: serial });
    expect([status?.vmCount, status?.disks]).toEqual([0, []]);
    const { spec } = await admin.get(Kinds.Node, { name: `mac-${serial}` });
    expect(spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
  });

  it('leases the Mac again after the operator was restarted', async () => {
    await world.restartOperator();
    const other = await world.connectAs('tenant-b');
    const next = { namespace: 'tenant-b', name: 'next' };
    await other.create(Kinds.MacNodeLease, { metadata: next, spec: { class: 'base', serial } });
    await until('the next lease is Bound', async () => (await other.get(Kinds.MacNodeLease, next)).status?.phase === 'Bound' || undefined, PATIENCE_S);
    other.close();
  });
});
