import { Kinds } from '../../sdk/api';
import { AuditType } from '../audit/audit-log';
import { LeaseKeys } from '../audit/lease-keys';
import { Rig, START, TENANT, until } from '../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
beforeEach(async () => {
  rig = await Rig.open('c02a');
});
afterEach(() => rig.close());

const spec = { leaseNamespace: TENANT, leaseName: 'ios', leaseUID: 'gone', namespaceUID: 'n', tenant: TENANT, minimumDuration: '24h' };
const subject = { tenant: TENANT, serial: 'c02a', leaseUID: 'gone', at: START };
const closed = () => until('no intent is open', async () => (await rig.audit.openIntents()).length === 0);
const stages = async () => (await rig.audit.rows()).filter((r) => r.type !== AuditType.ClaimOrphaned).map((r) => `${r.type} ${r.stage}`);

describe('an open intent, when an operator starts', () => {
  it('to bind, whose claim was never made and whose lease is gone, is abandoned', async () => {
    await rig.audit.intent({ key: LeaseKeys.bind('gone', 'c02a'), type: AuditType.LeaseBound, ...subject, payload: { ...spec, serial: 'c02a' } });
    await rig.operate();
    await closed();
    expect(await stages()).toEqual(['Lease bound intent', 'Lease bound abandoned']);
  });

  it('to bind, whose claim was made and whose lease is gone, gets its outcome from the claim', async () => {
    await rig.audit.intent({ key: LeaseKeys.bind('gone', 'c02a'), type: AuditType.LeaseBound, ...subject, payload: { ...spec, serial: 'c02a' } });
    await rig.plane.create(Kinds.MacNodeBinding, { metadata: { name: 'c02a', finalizers: ['macrack.io/claim'] }, spec });
    await rig.operate();
    await closed();
    expect(await stages()).toEqual(['Lease bound intent', 'Lease bound outcome']);
    expect((await rig.audit.rows({ type: AuditType.LeaseBound }))[1]?.payload).toMatchObject({ serial: 'c02a', boundAt: '2026-11-29T10:00:00Z', earliestReleaseAt: '2026-11-30T10:00:00Z', orphan: true });
  });

  it('to release, whose claim and lease are gone, gets its outcome with the confirmation that was read before', async () => {
    const payload = { namespace: TENANT, lease: 'ios', bindingUID: 'b', boundAt: '2026-11-28T10:00:00Z', nodeUnleased: true, tenantTaintGone: true };
    await rig.audit.intent({ key: LeaseKeys.release('b'), type: AuditType.LeaseReleased, ...subject, payload });
    await rig.operate();
    await closed();
    expect((await rig.audit.rows())[1]).toMatchObject({ stage: 'outcome', payload: { nodeUnleased: true, releasedAt: '2026-11-29T10:00:00Z', orphan: true } });
  });

  it('to bind a lease that is still being bound is left to that lease, and closed once', async () => {
    const lease = await rig.createLease('ios');
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { metadata: { finalizers: ['macrack.io/floor'] } });
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { status: { phase: 'Binding', node: 'mac-c02a' } }, { subresource: 'status' });
    await rig.audit.intent({ key: LeaseKeys.bind(lease.metadata.uid, 'c02a'), type: AuditType.LeaseBound, ...subject, leaseUID: lease.metadata.uid, payload: { ...spec, serial: 'c02a' } });
    await rig.operate();
    await rig.untilLease('ios', 'Bound');
    await closed();
    expect(await stages()).toEqual(['Lease bound intent', 'Lease bound outcome']);
  });
});
