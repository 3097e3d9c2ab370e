import { Annotation, Kinds, Label } from '../../../sdk/api';
import { parseInstant } from '../../../sdk/rules/instant';
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

const ref = { namespace: TENANT, name: 'ios' };
const release = (wanted: boolean) => rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { release: wanted }, metadata: { annotations: { [Annotation.ReleaseRequestedBy]: 'alice' } } });
const claim = () => rig.plane.peek(Kinds.MacNodeBinding, { name: 'c02a' });
const node = () => rig.plane.peek(Kinds.Node, { name: 'mac-c02a' });

describe('holding a lease', () => {
  it('becomes Held when its release is asked for before the floor, and says until when it is billed', async () => {
    await rig.pass(5 * HOUR_MS);
    await release(true);
    await rig.untilLease('ios', 'Held');
    expect(rig.lease('ios')?.status).toMatchObject({
      heldSince: '2026-11-29T15:00:00Z', releaseRequestedAt: '2026-11-29T15:00:00Z', earliestReleaseAt: '2026-11-30T10:00:00Z',
      message: 'Held until 2026-11-30T10:00:00Z and billed until then; it will be released by itself.',
    });
  });

  it('records who asked, when, and what was left of the floor, once', async () => {
    await rig.pass(5 * HOUR_MS);
    await release(true);
    await until('the row', async () => (await rig.audit.rows({ type: AuditType.EarlyDeleteHeld })).length > 0);
    await rig.pass(10_000);
    const rows = await rig.audit.rows({ type: AuditType.EarlyDeleteHeld });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ actor: 'alice', serial: 'c02a', payload: { attemptedAt: '2026-11-29T15:00:00Z', remainingFloorSeconds: 19 * 3600, actor: 'alice', by: 'spec.release' } });
  });

  it('is kept by taking the release back: Bound again, the floor unchanged', async () => {
    await release(true);
    await rig.untilLease('ios', 'Held');
    await release(false);
    await rig.untilLease('ios', 'Bound');
    expect(rig.lease('ios')?.status).toMatchObject({ earliestReleaseAt: '2026-11-30T10:00:00Z' });
    expect(rig.lease('ios')?.status?.heldSince).toBeUndefined();
  });

  it('becomes Held on a raw DELETE, which cannot be taken back', async () => {
    await rig.audit.noteDeletion(rig.lease('ios')?.metadata.uid ?? '', 'bob', parseInstant('2026-11-29T10:00:00Z'));
    await rig.plane.remove(Kinds.MacNodeLease, ref);
    await rig.untilLease('ios', 'Held');
    await until('the row', async () => (await rig.audit.rows({ type: AuditType.EarlyDeleteHeld })).length > 0);
    expect((await rig.audit.rows({ type: AuditType.EarlyDeleteHeld }))[0]).toMatchObject({ actor: 'bob', payload: { by: 'delete' } });
    await rig.plane.remove(Kinds.MacNodeLease, ref);
    await rig.pass(10_000);
    expect(rig.lease('ios')?.status?.phase).toBe('Held');
    expect(await rig.audit.rows({ type: AuditType.EarlyDeleteHeld })).toHaveLength(1);
  });
});

describe('releasing a lease', () => {
  it('happens by itself: Releasing at the floor, Released a minute later, wiped, the node unleased', async () => {
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    await release(true);
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await until('the machine is gone', () => rig.instance('one') === null && (rig.plane.peek(Kinds.MacNode, { name: 'c02a' })?.status?.disks ?? []).length === 0);
    expect(claim()).not.toBeNull();
    await rig.pass(60_000);
    await rig.untilLease('ios', 'Released');
    expect(claim()).toBeNull();
    expect(node()?.spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
    expect(node()?.metadata.labels?.[Label.NodeSerial]).toBeUndefined();
    expect(rig.lease('ios')?.status).toMatchObject({ releasedAt: '2026-11-30T10:01:00Z', message: 'Released. Billed until 2026-11-30T10:00:00Z.' });
  });

  it('records releasedAt, duration and the confirmation of the node, once', async () => {
    await release(true);
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await rig.pass(60_000);
    await until('the outcome', async () => (await rig.audit.rows({ type: AuditType.LeaseReleased })).some((r) => r.stage === 'outcome'));
    const outcomes = (await rig.audit.rows({ type: AuditType.LeaseReleased })).filter((r) => r.stage === 'outcome');
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]?.payload).toMatchObject({ releasedAt: '2026-11-30T10:01:00Z', durationSeconds: 86_460, nodeUnleased: true, tenantTaintGone: true });
    expect(await rig.audit.openIntents()).toEqual([]);
  });

  it('is billed until the release was asked for when that was after the floor', async () => {
    await rig.pass(30 * HOUR_MS);
    await release(true);
    await rig.untilLease('ios', 'Released');
    expect(rig.lease('ios')?.status?.message).toBe('Released. Billed until 2026-11-30T16:00:00Z.');
    expect(await rig.audit.rows({ type: AuditType.EarlyDeleteHeld })).toEqual([]);
  });

  it('waits while the Mac does not show that it is wiped', async () => {
    await release(true);
    await rig.untilLease('ios', 'Held');
    const [mac] = rig.macs;
    if (mac === undefined) throw new Error('no Mac');
    mac.alive = false;
    await rig.pass(24 * HOUR_MS + 60_000);
    await rig.untilLease('ios', 'Releasing');
    await rig.pass(HOUR_MS);
    expect(claim()).not.toBeNull();
    mac.alive = true;
    await mac.report();
    await rig.untilLease('ios', 'Released');
  });

  it('takes a Mac that the administrator retired for wiped: it is in no pool', async () => {
    for (const mac of rig.macs) mac.alive = false;
    await release(true);
    await rig.untilLease('ios', 'Held');
    await rig.plane.remove(Kinds.MacNode, { name: 'c02a' });
    rig.plane.advance(24 * HOUR_MS + 60_000);
    await rig.untilLease('ios', 'Released');
  });

  it('lets another tenant bind the Mac, and not before', async () => {
    await rig.createLease('other', {}, 'tenant-b');
    await until('the other waits', () => rig.lease('other', 'tenant-b')?.status?.reason === 'NoCapacity');
    await release(true);
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    expect(rig.lease('other', 'tenant-b')?.status?.phase).toBe('Pending');
    await rig.pass(60_000);
    await until('the other is Bound', () => rig.lease('other', 'tenant-b')?.status?.phase === 'Bound');
    expect(node()?.spec.taints).toEqual([{ key: 'macrack.io/tenant', value: 'tenant-b', effect: 'NoSchedule' }]);
  });

  it('removes a Released lease after ten minutes, and a deleted one at once', async () => {
    await rig.pass(25 * HOUR_MS);
    await release(true);
    await rig.untilLease('ios', 'Released');
    await until('the finalizer is off', () => rig.lease('ios')?.metadata.finalizers?.length === 0);
    await rig.pass(9 * 60_000);
    expect(rig.lease('ios')).not.toBeNull();
    await until('it is gone', async () => {
      await rig.pass(1_000);
      return rig.lease('ios') === null;
    });
  });

  it('ends a deleted lease: the object is gone after its floor', async () => {
    await rig.plane.remove(Kinds.MacNodeLease, ref);
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await rig.pass(60_000);
    await until('it is gone', () => rig.lease('ios') === null);
    expect((await rig.audit.rows({ type: AuditType.LeaseReleased })).filter((r) => r.stage === 'outcome')).toHaveLength(1);
  });

  it('follows a minimum that grew after the bind', async () => {
    await rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { minimumDuration: '48h' } });
    await until('the floor has moved', () => rig.lease('ios')?.status?.earliestReleaseAt === '2026-12-01T10:00:00Z');
    await release(true);
    await rig.untilLease('ios', 'Held');
    await rig.pass(25 * HOUR_MS);
    expect(rig.lease('ios')?.status?.phase).toBe('Held');
  });
});
