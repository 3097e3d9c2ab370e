import { Annotation, Kinds } from '../../../sdk/api';
import { AuditType } from '../../audit/audit-log';
import { HOUR_MS, Rig, TENANT, until } from '../../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
beforeEach(async () => {
  rig = await Rig.open('c02a');
  await rig.operate();
  await rig.createLease('ios');
  await rig.untilLease('ios', 'Bound');
});
afterEach(() => rig.close());

const keptDisks = () => rig.plane.peek(Kinds.Node, { name: 'mac-c02a' })?.metadata.annotations?.[Annotation.KeepDisks];
const pod = (slot: number) => rig.plane.peek(Kinds.Pod, { namespace: TENANT, name: `ios-vm-${slot}` });

describe('an instance', () => {
  it('runs in a slot of its lease, with the identity and address that the Mac reports', async () => {
    const created = await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    expect(rig.instance('one')).toMatchObject({
      metadata: { finalizers: ['macrack.io/vm'], ownerReferences: [{ kind: 'MacNodeLease', name: 'ios', uid: rig.lease('ios')?.metadata.uid, blockOwnerDeletion: true }] },
      status: { slot: 0, node: 'mac-c02a', podRef: 'tenant-a/ios-vm-0', machineID: `id-${created.metadata.uid}`, ip: '192.168.64.2', conditions: [{ type: 'Addressable', status: 'True' }] },
    });
  });

  it('has its disk kept before its pod exists', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    const relevant = rig.plane.requests.filter((r) => r === 'patch nodes /mac-c02a' || r === 'create pods tenant-a/ios-vm-0');
    expect(relevant.at(-1)).toBe('create pods tenant-a/ios-vm-0');
    expect(keptDisks()).toBe(rig.instance('one')?.metadata.uid);
  });

  it('of which there are two, leaves the third Failed, with the names of those that hold the slots, and one row', async () => {
    await rig.createInstance('one');
    await rig.createInstance('two');
    await Promise.all([rig.untilInstance('one', 'Running'), rig.untilInstance('two', 'Running')]);
    await rig.createInstance('three');
    await rig.untilInstance('three', 'Failed');
    const { status } = rig.instance('three') ?? {};
    expect(status).toMatchObject({ reason: 'ThirdInstance' });
    expect(status?.slot).toBeUndefined();
    expect(status?.message).toMatch(/tenant-a\/one \(Running\).*tenant-a\/two \(Running\)/);
    const rows = await rig.audit.rows({ type: AuditType.ThirdInstanceRejected });
    expect(rows.map((r) => [r.layer, r.tenant, r.payload['node']])).toEqual([['operator', 'tenant-a', 'mac-c02a']]);
  });

  it('made three at once leaves exactly two running', async () => {
    await Promise.all(['one', 'two', 'three'].map((name) => rig.createInstance(name)));
    await until('all are settled', () => ['one', 'two', 'three'].every((n) => ['Running', 'Failed'].includes(rig.instance(n)?.status?.phase ?? '')));
    expect(['one', 'two', 'three'].filter((n) => rig.instance(n)?.status?.phase === 'Running')).toHaveLength(2);
  });

  it('that is stopped keeps its slot and disk, and starts again in the same slot with the same identity', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    const before = rig.instance('one')?.status;
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' }, { spec: { running: false } });
    await rig.untilInstance('one', 'Stopped');
    expect(rig.instance('one')?.status).toMatchObject({ slot: 0 });
    expect(pod(0)).toBeNull();
    expect(keptDisks()).toBe(rig.instance('one')?.metadata.uid);
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' }, { spec: { running: true } });
    await rig.untilInstance('one', 'Running');
    expect(rig.instance('one')?.status).toMatchObject({ slot: 0, machineID: before?.machineID, mac: before?.mac });
  });

  it('that is deleted goes only when its machine has stopped and its disk is gone', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    await rig.plane.remove(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' });
    await until('the instance is gone', () => rig.instance('one') === null);
    expect(rig.plane.peek(Kinds.MacNode, { name: 'c02a' })?.status).toMatchObject({ vms: [], disks: [] });
  });

  it('that a tenant takes away with its finalizer leaves no machine and no disk, and its slot goes to the next', async () => {
    await rig.createInstance('one');
    await rig.createInstance('two');
    await Promise.all([rig.untilInstance('one', 'Running'), rig.untilInstance('two', 'Running')]);
    const [gone, stays] = [rig.instance('one'), rig.instance('two')];
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' }, { metadata: { finalizers: [], ownerReferences: [] } });
    await rig.plane.remove(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' });
    await until('it is gone', () => rig.instance('one') === null);
    const next = await rig.createInstance('next');
    await rig.untilInstance('next', 'Running');
    expect(rig.instance('next')?.status).toMatchObject({ slot: gone?.status?.slot, machineID: `id-${next.metadata.uid}` });
    const left = rig.plane.peek(Kinds.MacNode, { name: 'c02a' })?.status;
    expect(left?.disks?.map((d) => d.instanceUID).sort()).toEqual([stays?.metadata.uid, next.metadata.uid].sort());
    expect(keptDisks()?.split(',').sort()).toEqual([stays?.metadata.uid, next.metadata.uid].sort());
  });

  it('that was the only one leaves no machine either when it goes without its finalizer', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' }, { metadata: { finalizers: [] } });
    await rig.plane.remove(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' });
    await until('its machine and its disk are gone', () => {
      const { vms = [], disks = [] } = rig.plane.peek(Kinds.MacNode, { name: 'c02a' })?.status ?? {};
      return vms.length === 0 && disks.length === 0 && keptDisks() === '';
    });
  });

  it('whose agent is silent is Unknown and keeps its slot; an agent that comes back without the machine makes it Failed and frees it', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    const mac = rig.macs[0];
    if (mac === undefined) throw new Error('no Mac');
    mac.alive = false;
    await rig.pass(41_000);
    await rig.untilInstance('one', 'Unknown');
    expect(rig.instance('one')?.status?.slot).toBe(0);
    mac.loseMachines();
    mac.alive = true;
    await mac.report();
    await rig.untilInstance('one', 'Failed');
    expect(rig.instance('one')?.status).toMatchObject({ reason: 'Crashed' });
    expect(rig.instance('one')?.status?.slot).toBeUndefined();
    await until('its pod is gone', () => pod(0) === null);
    await rig.createInstance('next');
    await rig.untilInstance('next', 'Running');
  });

  it('whose agent comes back with the machine is Running again', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    for (const mac of rig.macs) mac.alive = false;
    await rig.pass(41_000);
    await rig.untilInstance('one', 'Unknown');
    expect(rig.instance('one')?.status?.lastSeen).toBe('2026-11-29T10:00:00Z');
    for (const mac of rig.macs) await mac.report();
    await rig.untilInstance('one', 'Running');
  });

  it('for which the scheduler finds no slot says so, and is recorded as rejected by the scheduler, once', async () => {
    for (const mac of rig.macs) mac.alive = false;
    await rig.createInstance('one');
    await until('its pod is there', () => pod(0) !== null);
    const message = '0/1 nodes are available: 1 Insufficient macrack.io/macos-vm, 1 Too many pods.';
    await rig.plane.patch(Kinds.Pod, { namespace: TENANT, name: 'ios-vm-0' }, { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] } }, { subresource: 'status' });
    await until('it says so', () => rig.instance('one')?.status?.reason === 'ThirdInstance');
    expect(rig.instance('one')?.status).toMatchObject({ phase: 'Starting', slot: 0 });
    expect((await rig.audit.rows({ type: AuditType.ThirdInstanceRejected })).map((r) => r.layer)).toEqual(['scheduler']);
  });

  it('without an address for a minute says so, and stays Running', async () => {
    for (const mac of rig.macs) mac.addresses = false;
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    expect(rig.instance('one')?.status?.conditions).toBeUndefined();
    for (let i = 0; i < 7; i += 1) await rig.pass(10_000);
    await until('the condition is False', () => rig.instance('one')?.status?.conditions?.[0]?.status === 'False');
    expect(rig.instance('one')?.status).toMatchObject({ phase: 'Running', conditions: [{ type: 'Addressable', reason: 'NoAddress' }] });
    expect(rig.instance('one')?.status?.ip).toBeUndefined();
  });

  it('with the identity of another one anywhere in the fleet is Failed and stopped', async () => {
    for (const mac of rig.macs) mac.identity = () => ({ machineID: 'clone', mac: '02:00:00:00:00:01' });
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    await rig.createInstance('two');
    await rig.untilInstance('two', 'Failed');
    expect(rig.instance('two')?.status?.reason).toBe('IdentityCollision');
    await until('its machine is stopped', () => pod(1) === null);
    expect(rig.instance('one')?.status?.phase).toBe('Running');
  });

  it('of a lease that is Held runs on, and a new one waits with LeaseNotBound', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    await rig.createInstance('two');
    await rig.untilInstance('two', 'Pending');
    expect(rig.instance('two')?.status?.reason).toBe('LeaseNotBound');
    expect(rig.instance('one')?.status?.phase).toBe('Running');
  });

  it('of a lease that does not exist waits with LeaseNotFound', async () => {
    await rig.createInstance('stray', { leaseName: 'none' });
    await rig.untilInstance('stray', 'Pending');
    expect(rig.instance('stray')?.status?.reason).toBe('LeaseNotFound');
  });

  it('starts and stops become rows with lease, serial, instance, count, identity and MAC, once each', async () => {
    const one = await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    await rig.plane.remove(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' });
    await until('a stop row', async () => (await rig.audit.rows({ type: AuditType.InstanceStopped })).length === 1);
    const [started] = await rig.audit.rows({ type: AuditType.InstanceStarted });
    expect(started).toMatchObject({
      serial: 'c02a', tenant: 'tenant-a',
      payload: { lease: 'tenant-a/ios', serial: 'c02a', instance: 'tenant-a/one', instanceUID: one.metadata.uid, vmCount: 1, machineID: `id-${one.metadata.uid}`, mac: expect.stringMatching(/^02:/) as string },
    });
    expect((await rig.audit.rows({ type: AuditType.InstanceStopped }))[0]?.payload).toMatchObject({ vmCount: 0 });
    await rig.pass(HOUR_MS);
    expect(await rig.audit.rows({ type: AuditType.InstanceStarted })).toHaveLength(1);
  });
});
