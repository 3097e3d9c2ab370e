import { type AuditRow, AuditType } from '../../../operator';
import type { MacNodeBinding, MacNodeLease, MacOSInstance } from '../../../sdk/api/kinds';
import { parseInstant } from '../../../sdk/rules/instant';
import type { Evidence, Law } from './evidence';
import { judge } from './judge';

const NOW = '2026-12-01T10:00:00Z';
const stored = (uid: string, creationTimestamp = '2026-11-29T10:00:00Z') => ({ uid, resourceVersion: '1', creationTimestamp });
const spec = { leaseNamespace: 'a', leaseName: 'ci', leaseUID: 'lease-1', namespaceUID: 'ns', tenant: 'a', minimumDuration: '24h' };
const claim = (metadata: object = {}): MacNodeBinding => ({ apiVersion: 'macrack.io/v1', kind: 'MacNodeBinding', metadata: { name: 'c02a', ...stored('claim-1'), ...metadata }, spec });
const lease = (status: object = {}): MacNodeLease => ({
  apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { namespace: 'a', name: 'ci', ...stored('lease-1') },
  spec: { class: 'base', minimumDuration: '24h', release: false }, status: { phase: 'Bound', node: 'mac-c02a', chassis: 'c02a', bindingUID: 'claim-1', ...status },
});
const instance = (uid: string, namespace = 'a'): MacOSInstance => ({
  apiVersion: 'macrack.io/v1', kind: 'MacOSInstance', metadata: { namespace, name: uid, ...stored(uid) },
  spec: { leaseName: 'ci', image: 'registry.example/macos:26', shape: { cpu: 2, memory: '4Gi', disk: '60Gi' }, running: true },
});
const row = (type: AuditRow['type'], stage: AuditRow['stage'], payload: AuditRow['payload']): AuditRow =>
  ({ seq: 1, dedupe: 'd', at: parseInstant(NOW), serial: 'c02a', tenant: 'a', type, stage, payload });
const macNode = { apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: 'c02a', ...stored('mac') }, spec: { class: 'base' as const, serial: 'c02a', hardwareUUID: 'h', cordoned: false, retired: false } };
const tainted = (key: string, value?: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-c02a', ...stored('node') }, spec: { taints: [{ key, effect: 'NoSchedule' as const, ...(value !== undefined && { value }) }] } });
const moment = (...running: string[]) => ({ serial: 'c02a', running, disks: running });

const BOUND = row(AuditType.LeaseBound, 'outcome', { bindingUID: 'claim-1' });
const RELEASED = row(AuditType.LeaseReleased, 'outcome', { bindingUID: 'claim-1' });
const started = (uid: string) => row(AuditType.InstanceStarted, 'event', { instanceUID: uid, podUID: `pod-${uid}` });
const stopped = (uid: string) => row(AuditType.InstanceStopped, 'event', { instanceUID: uid, podUID: `pod-${uid}` });

/** A Mac that is leased, with two machines on it, of which one is gone again. */
const whole: Evidence = {
  at: Date.parse(NOW), moments: [moment('one'), moment('one', 'two'), moment('one')], starts: ['one', 'two'].map((instanceUID) => ({ serial: 'c02a', instanceUID })),
  claims: [{ object: claim(), isGone: false }], leases: [{ object: lease(), isGone: false }], instances: ['one', 'two'].map((uid) => ({ object: instance(uid), isGone: false })),
  macs: [{ macNode, node: tainted('macrack.io/tenant', 'a'), now: moment('one') }], rows: [BOUND, started('one'), started('two'), stopped('two')], openIntents: [], asked: new Set(), aged: false, proof: undefined,
};
/** The same Mac after its lease has ended. */
const ended: Evidence = {
  ...whole, claims: [{ object: claim({ deletionTimestamp: '2026-11-30T10:01:00Z' }), isGone: true }], leases: [{ object: lease({ phase: 'Released' }), isGone: false }], asked: new Set(['lease-1']),
  macs: [{ macNode, node: tainted('macrack.io/unleased'), now: moment() }], rows: [...whole.rows, stopped('one'), RELEASED],
};

describe('the judge of a faulty run', () => {
  it.each([['a lease that lives', whole], ['a lease that has ended', ended]])('finds nothing wrong with %s', (_what, evidence) => {
    expect(judge(evidence)).toEqual([]);
  });

  const cut = claim({ deletionTimestamp: '2026-11-30T09:59:00Z' });
  const cases: readonly (readonly [what: string, law: Law, evidence: Evidence])[] = [
    ['three machines on a Mac', 'TwoMachines', { ...whole, moments: [moment('one', 'two', 'three')], instances: [...whole.instances, { object: instance('three'), isGone: false }] }],
    ['a third machine that is none of ours', 'TwoMachines', { ...whole, moments: [{ serial: 'c02a', running: ['one', 'two', undefined], disks: [] }] }],
    ['machines of two tenants', 'OneTenant', { ...whole, moments: [moment('one', 'theirs')], instances: [...whole.instances, { object: instance('theirs', 'b'), isGone: false }] }],
    ['a machine beside a disk of another tenant', 'OneTenant', { ...whole, moments: [{ serial: 'c02a', running: ['theirs'], disks: ['theirs', 'one'] }], instances: [...whole.instances, { object: instance('theirs', 'b'), isGone: false }] }],
    ['a claim that is gone before its floor', 'Floor', { ...ended, claims: [{ object: cut, isGone: true }] }],
    ['a claim that vanished before its floor, undeleted', 'Floor', { ...ended, claims: [{ object: claim(), isGone: true, goneBy: Date.parse('2026-11-30T09:00:00Z') }] }],
    ['a claim that is gone before the floor that its lease was raised to', 'Floor', { ...ended, leases: [{ object: lease({ phase: 'Released', earliestReleaseAt: '2026-12-01T10:00:00Z' }), isGone: false }] }],
    ['a lease that is gone unasked', 'NoLeaseLost', { ...ended, asked: new Set() }],
    ['a lease that is Released unasked', 'NoLeaseLost', { ...whole, leases: [{ object: lease({ phase: 'Released' }), isGone: false }] }],
    ['a lease that is Bound without its claim', 'NoLeaseLost', { ...whole, leases: [{ object: lease({ bindingUID: 'another' }), isGone: false }] }],
    ['a claim that is deleted past its floor and stays', 'NoMacStuck', { ...ended, claims: [{ object: claim({ deletionTimestamp: '2026-11-30T10:01:00Z' }), isGone: false }], rows: whole.rows }],
    ['a claim whose lease is gone and whose floor has passed', 'NoMacStuck', { ...ended, claims: [{ object: claim(), isGone: false }], leases: [{ object: lease({ phase: 'Released' }), isGone: true }] }],
    ['a claim cut short of which no row tells', 'NoMacStuck', { ...whole, claims: [{ object: cut, isGone: false }] }],
    ['a Mac without claim that is not unleased', 'NoMacStuck', { ...ended, macs: whole.macs }],
    ['a Mac without claim that keeps a disk', 'NoMacStuck', { ...ended, macs: [{ macNode, node: tainted('macrack.io/unleased'), now: { serial: 'c02a', running: [], disks: ['one'] } }] }],
    ['a leased Mac that is tainted for nobody', 'NoMacStuck', { ...whole, macs: [{ macNode, node: tainted('macrack.io/unleased'), now: moment('one') }] }],
    ['a lease that is Binding for good', 'NoMacStuck', { ...ended, leases: [{ object: lease({ phase: 'Binding' }), isGone: false }] }],
    ['an open intent', 'NoGapInTheRecord', { ...whole, openIntents: ['bind/lease-1/c02a'] }],
    ['a missing part of a journal', 'NoGapInTheRecord', { ...whole, rows: [...whole.rows, row(AuditType.JournalGap, 'event', { fromSeq: 1, toSeq: 3 })] }],
    ['a machine that came up without a row', 'NoGapInTheRecord', { ...whole, rows: whole.rows.filter((r) => r.payload['instanceUID'] !== 'one') }],
    ['a machine that is gone without a row', 'NoGapInTheRecord', { ...whole, rows: whole.rows.filter((r) => r.type !== 'Instance stopped') }],
    ['a start that is told twice', 'NoGapInTheRecord', { ...whole, rows: [...whole.rows, started('one')] }],
    ['a claim that was never recorded', 'NoGapInTheRecord', { ...whole, rows: whole.rows.filter((r) => r.type !== 'Lease bound') }],
    ['a release that was never recorded', 'NoGapInTheRecord', { ...ended, rows: ended.rows.filter((r) => r.type !== 'Lease released') }],
    ['a release that did not happen', 'NoGapInTheRecord', { ...whole, rows: [...whole.rows, RELEASED] }],
    ['a record that proves a violation', 'NoGapInTheRecord', { ...whole, proof: { from: parseInstant(NOW), to: parseInstant(NOW), verdict: 'violated', chassis: [{ serial: 'c02a', verdict: 'violated', coveredUntil: parseInstant(NOW), uncovered: [], violations: [{ kind: 'TwoTenants', from: parseInstant(NOW), to: parseInstant(NOW), rows: [1] }] }] } }],
  ];

  it.each(cases)('finds %s', (_what, law, evidence) => {
    const laws = new Set(judge(evidence).map((found) => found.law));
    expect([...laws]).toContain(law);
  });

  it('lets a claim stand that was cut short by force, once that is recorded: it fails safe', () => {
    expect(judge({ ...whole, claims: [{ object: cut, isGone: false }], rows: [...whole.rows, row(AuditType.ClaimStuck, 'event', {})] })).toEqual([]);
  });
});
