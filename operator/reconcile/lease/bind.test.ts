import { Kinds, Label } from '../../../sdk/api';
import { AuditType } from '../../audit/audit-log';
import { Rig, until } from '../../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
afterEach(() => rig.close());


describe('binding a lease', () => {
  it('binds a Mac that is ready, and shows the floor that the claim was stamped with', async () => {
    rig = await Rig.open('c02a');
    await rig.operate();
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    const claim = await rig.plane.get(Kinds.MacNodeBinding, { name: 'c02a' });
    expect(rig.lease('ios')).toMatchObject({
      metadata: { finalizers: ['macrack.io/floor'] },
      status: { chassis: 'c02a', node: 'mac-c02a', bindingUID: claim.metadata.uid, boundAt: '2026-11-29T10:00:00Z', earliestReleaseAt: '2026-11-30T10:00:00Z', slots: { total: 2, used: 0, leaked: 0 } },
    });
  });

  it('hands the node over by taint and label', async () => {
    rig = await Rig.open('c02a');
    await rig.operate();
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    const node = await rig.plane.get(Kinds.Node, { name: 'mac-c02a' });
    expect(node.spec.taints).toEqual([{ key: 'macrack.io/tenant', value: 'tenant-a', effect: 'NoSchedule' }]);
    expect(node.metadata.labels?.[Label.NodeSerial]).toBe('c02a');
  });

  it('takes five writes on the server, whatever else waits', async () => {
    rig = await Rig.open('c02a', 'c02b', 'c02c');
    await rig.operate();
    await until('the operator is at rest', () => rig.plane.peek(Kinds.MacClass, { name: 'base' })?.status !== undefined);
    rig.plane.requests.length = 0;
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await until('the row is written', async () => (await rig.audit.rows({ type: AuditType.LeaseBound })).length === 2);
    expect(rig.plane.writes.filter((w) => !w.includes('macclasses') && !w.includes('clock'))).toEqual([
      'create macnodeleases tenant-a/ios',
      'patch macnodeleases tenant-a/ios', 'patch-status macnodeleases tenant-a/ios', 'create macnodebindings /c02a', 'patch nodes /mac-c02a', 'patch-status macnodeleases tenant-a/ios',
    ]);
  });

  it('records the intent before the claim, and one outcome with tenant, serial, times and actor', async () => {
    rig = await Rig.open('c02a');
    await rig.operate();
    await rig.createLease('ios');
    await until('two rows', async () => (await rig.audit.rows()).length === 2);
    const [intent, outcome] = await rig.audit.rows();
    expect(intent).toMatchObject({ type: 'Lease bound', stage: 'intent', serial: 'c02a', tenant: 'tenant-a' });
    expect(outcome).toMatchObject({
      type: 'Lease bound', stage: 'outcome', serial: 'c02a', tenant: 'tenant-a',
      payload: { namespace: 'tenant-a', serial: 'c02a', boundAt: '2026-11-29T10:00:00Z', earliestReleaseAt: '2026-11-30T10:00:00Z', actor: 'unknown' },
    });
    expect(await rig.audit.openIntents()).toEqual([]);
  });
});
