import { Kinds, Label, type Node } from '../../sdk/api';
import { AuditType } from '../audit/audit-log';
import { HOUR_MS, Rig, TENANT, until } from '../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
beforeEach(async () => {
  rig = await Rig.open('c02a');
  await rig.operate();
  await rig.createLease('ios');
  await rig.untilLease('ios', 'Bound');
});
afterEach(() => rig.close());

const node = (): Node => {
  const found = rig.plane.peek(Kinds.Node, { name: 'mac-c02a' });
  if (found === null) throw new Error('no node');
  return found;
};
const tenantTaint = [{ key: 'macrack.io/tenant', value: TENANT, effect: 'NoSchedule' }];

describe('repair from the claim', () => {
  it('puts back a floor that was shortened', async () => {
    const lease = rig.lease('ios');
    if (lease === null) throw new Error('no lease');
    rig.plane.put({ ...lease, status: { ...lease.status, earliestReleaseAt: '2026-11-29T11:00:00Z' } });
    await until('the floor is back', () => rig.lease('ios')?.status?.earliestReleaseAt === '2026-11-30T10:00:00Z');
  });

  it('puts back a status that was lost', async () => {
    const lease = rig.lease('ios');
    if (lease === null) throw new Error('no lease');
    const { status: before, ...bare } = lease;
    rig.plane.put(bare);
    await until('the status is back', () => rig.lease('ios')?.status?.phase === 'Bound');
    expect(rig.lease('ios')?.status).toMatchObject({ chassis: 'c02a', boundAt: before?.boundAt, earliestReleaseAt: before?.earliestReleaseAt, bindingUID: before?.bindingUID });
    await until('one intent, one outcome', async () => (await rig.audit.rows({ type: AuditType.LeaseBound })).map((r) => r.stage).join() === 'intent,outcome');
  });

  it('puts the finalizer back', async () => {
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { metadata: { finalizers: [] } });
    await until('it is back', () => rig.lease('ios')?.metadata.finalizers?.includes('macrack.io/floor') === true);
  });

  it.each([
    ['missing', []],
    ['another tenant’s', [{ key: 'macrack.io/tenant', value: 'mallory', effect: 'NoSchedule' }]],
    ['unleased', [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]],
  ])('re-applies a taint that is %s, and the label', async (_, taints) => {
    rig.plane.put({ ...node(), spec: { taints }, metadata: { ...node().metadata, labels: { [Label.Serial]: 'c02a' } } });
    await until('the taint is back', () => JSON.stringify(node().spec.taints) === JSON.stringify(tenantTaint));
    await until('the label is back', () => node().metadata.labels?.[Label.NodeSerial] === 'c02a');
  });

  it('gives a namespace that was made again under the name nothing of the old one', async () => {
    rig.plane.erase(Kinds.Namespace, { name: TENANT });
    await rig.plane.create(Kinds.Namespace, { metadata: { name: TENANT } });
    await rig.createInstance('spy');
    await rig.untilInstance('spy', 'Pending');
    expect(rig.instance('spy')?.status?.reason).toBe('CrossTenant');
    expect(rig.plane.all(Kinds.Pod)).toEqual([]);
  });
});

describe('a claim whose lease is gone', () => {
  it('keeps the Mac until its floor, is recorded, and then ends in the same order', async () => {
    rig.plane.erase(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' });
    await until('it is recorded', async () => (await rig.audit.rows({ type: AuditType.ClaimOrphaned })).length === 1);
    await rig.createLease('next');
    await until('the next waits', () => rig.lease('next')?.status?.reason === 'NoCapacity');
    await rig.pass(24 * HOUR_MS);
    await rig.pass(59_000);
    expect(rig.plane.all(Kinds.MacNodeBinding)).toHaveLength(1);
    await rig.pass(1_000);
    await rig.untilLease('next', 'Bound');
    const released = await rig.audit.rows({ type: AuditType.LeaseReleased });
    expect(released.map((r) => r.stage)).toEqual(['intent', 'outcome']);
    expect(released[1]?.payload).toMatchObject({ orphan: true, nodeUnleased: true });
  });
});

describe('a claim that was tampered with', () => {
  it('and is gone, leaves the lease Bound and the Mac out of service, with a row', async () => {
    rig.plane.erase(Kinds.MacNodeBinding, { name: 'c02a' });
    await until('it is recorded', async () => (await rig.audit.rows({ type: AuditType.ClaimLost })).length === 1);
    await rig.createLease('next');
    await until('the next waits', () => rig.lease('next')?.status?.reason === 'NoCapacity');
    expect(rig.lease('ios')?.status?.phase).toBe('Bound');
  });

  it('and was deleted before its floor, is stuck: its finalizer stays, with a row', async () => {
    await rig.plane.remove(Kinds.MacNodeBinding, { name: 'c02a' });
    await until('it is recorded', async () => (await rig.audit.rows({ type: AuditType.ClaimStuck })).length === 1);
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.pass(25 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    expect(rig.plane.peek(Kinds.MacNodeBinding, { name: 'c02a' })?.metadata.finalizers).toEqual(['macrack.io/claim']);
  });

  it('and deleted after its floor while the lease is Bound, stays until the lease is released', async () => {
    await rig.pass(25 * HOUR_MS);
    await rig.plane.remove(Kinds.MacNodeBinding, { name: 'c02a' });
    await rig.pass(10_000);
    expect(rig.lease('ios')?.status?.phase).toBe('Bound');
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.untilLease('ios', 'Released');
    expect(rig.plane.all(Kinds.MacNodeBinding)).toEqual([]);
  });
});
