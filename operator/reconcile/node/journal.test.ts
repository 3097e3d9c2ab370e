import { Kinds, type JournalEntry } from '../../../sdk/api';
import { AuditType } from '../../audit/audit-log';
import { Rig, until } from '../../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
beforeEach(async () => {
  rig = await Rig.open('c02a');
  await rig.operate();
});
afterEach(() => rig.close());

const line = (seq: number, of: Partial<JournalEntry> = {}): JournalEntry => ({
  seq, event: 'Started', at: '2026-11-29T10:00:00Z', instanceUID: 'i', podUID: `p${seq}`, leaseUID: 'l', bindingUID: 'b', tenant: 'tenant-b', vmCount: 1, ...of,
});
const report = (...journal: JournalEntry[]) => rig.macs[0]?.report({ journal, journalSeq: journal.at(-1)?.seq ?? 0 });
const rows = async () => (await rig.audit.rows()).map((r) => [r.type, r.layer, r.payload['reason']]);

describe("a Mac's journal", () => {
  it.each([
    ['ThirdInstance', AuditType.ThirdInstanceRejected, 'agent'],
    ['KernelLimit', AuditType.ThirdInstanceRejected, 'kernel'],
    ['CrossTenant', AuditType.CrossTenantRejected, 'agent'],
    ['IdentityCollision', AuditType.StartRefused, 'agent'],
  ])('turns a start refused with %s into "%s" of layer %s', async (reason, type, layer) => {
    await report(line(1, { event: 'Refused', reason }));
    await until('a row', async () => (await rig.audit.rows()).length === 1);
    expect(await rows()).toEqual([[type, layer, reason]]);
  });

  it('names source namespace, target node and the tenant of the target of a crossing', async () => {
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await report(line(1, { event: 'Refused', reason: 'CrossTenant' }));
    await until('a row', async () => (await rig.audit.rows({ type: AuditType.CrossTenantRejected })).length === 1);
    expect((await rig.audit.rows({ type: AuditType.CrossTenantRejected }))[0]?.payload).toMatchObject({ sourceNamespace: 'tenant-b', targetNode: 'mac-c02a', targetLeaseTenant: 'tenant-a' });
  });

  it('that is reported again and again is read once', async () => {
    for (let i = 0; i < 3; i += 1) await report(line(1), line(2, { event: 'Stopped' }));
    await until('two rows', async () => (await rig.audit.rows()).length === 2);
    await rig.operate();
    await report(line(1), line(2, { event: 'Stopped' }), line(3));
    await until('three rows', async () => (await rig.audit.rows()).length === 3);
  });

  it('with numbers missing leaves a gap with its span, and that span is not covered', async () => {
    await report(line(1));
    await until('a row', async () => (await rig.audit.rows()).length === 1);
    await report(line(4, { at: '2026-11-29T10:05:00Z' }));
    await until('the gap', async () => (await rig.audit.rows({ type: AuditType.JournalGap })).length === 1);
    expect((await rig.audit.rows({ type: AuditType.JournalGap }))[0]?.payload).toEqual({ serial: 'c02a', fromSeq: 2, toSeq: 3, after: '2026-11-29T10:00:00Z', before: '2026-11-29T10:05:00Z' });
    const proof = await rig.audit.proveFleet({ from: rig.plane.now, to: rig.plane.now });
    expect(proof.chassis[0]?.uncovered).toHaveLength(1);
  });
});

describe('a node', () => {
  it('loses the mark not-ready when it is ready, and keeps its other taints', async () => {
    const node = await rig.plane.get(Kinds.Node, { name: 'mac-c02a' });
    const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }, { key: 'macrack.io/unleased', effect: 'NoSchedule' }];
    rig.plane.put({ ...node, spec: { taints }, status: { conditions: [{ type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '' }] } });
    await until('the mark is off', () => rig.plane.peek(Kinds.Node, { name: 'mac-c02a' })?.spec.taints?.length === 1);
    expect(rig.plane.peek(Kinds.Node, { name: 'mac-c02a' })?.spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
  });
});

describe('a class', () => {
  it('shows counts and the next release, rounded up to the hour', async () => {
    const status = () => rig.plane.peek(Kinds.MacClass, { name: 'base' })?.status;
    await until('one is free', () => status()?.unleased === 1);
    await rig.pass(30 * 60_000);
    await rig.createLease('ios');
    await until('one is leased', () => status()?.leased === 1 && status()?.unleased === 0);
    expect(status()?.nextReleaseAt).toBeUndefined();
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ios' }, { spec: { release: true } });
    await until('one is held', () => status()?.held === 1);
    expect(status()).toEqual({ total: 1, unleased: 0, leased: 0, held: 1, nextReleaseAt: '2026-11-30T11:00:00Z' });
  });
});
