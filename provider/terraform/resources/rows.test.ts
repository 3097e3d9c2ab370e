import { UNKNOWN as NOT_KNOWN } from '../../../sdk/rules/unknown';
import { instanceObject, leaseObject } from '../../core/testing/scene';
import { UNKNOWN, isUnknown } from '../values/unknown';
import * as instanceRow from './instance-row';
import { instanceSchema, type InstancePlanned, type InstanceStored } from './instance-schema';
import * as leaseRow from './lease-row';
import { leaseSchema, type LeasePlanned, type LeaseStored } from './lease-schema';
import { tryParseDuration } from '../../core/timeouts';
import { patienceOf, checkTimeouts } from './timeouts';
import { toDiagnostic } from './finding-diagnostics';
import { failure } from '../../core/finding';
import { adoptionMismatch } from '../../core/lease-adopt';

const leaseConfig = (over: Partial<LeasePlanned> = {}): LeasePlanned => ({
  id: null, namespace: null, name: 'l1', class: 'base', serial: null, minimum_duration: null, on_early_release: null, adopt: null, timeouts: null,
  uid: null, phase: null, chassis: null, node: null, bound_at: null, earliest_release_at: null, held_since: null, slots: null, ...over,
});
const leaseState = (over: Partial<LeaseStored> = {}): LeaseStored => ({ ...leaseRow.importedState(leaseObject('l1')), ...over });

describe('the row of a lease', () => {
  it('has its id at plan, and the defaults of what is left out', () => {
    const planned = leaseRow.plannedLease(leaseRow.resolveLease(leaseConfig(), null, 'team-a'), null, true);
    expect(planned).toMatchObject({ id: 'team-a/l1', namespace: 'team-a', minimum_duration: '24h', on_early_release: 'refuse', serial: null, adopt: null });
    expect(isUnknown(planned.phase)).toBe(true);
  });

  it('has no id while its name or namespace is unknown', () => {
    expect(isUnknown(leaseRow.plannedLease(leaseRow.resolveLease(leaseConfig({ name: UNKNOWN }), null, 'team-a'), null, true).id)).toBe(true);
    expect(isUnknown(leaseRow.plannedLease(leaseRow.resolveLease(leaseConfig(), null, NOT_KNOWN), null, true).id)).toBe(true);
  });

  it('does not change where the configuration says nothing: no serial is filled in, no default moves it, no floor is lowered', () => {
    const state = leaseState({ minimum_duration: '48h' });
    expect(leaseRow.plannedLease(leaseRow.resolveLease(leaseConfig(), state, 'another'), state, false)).toEqual(state);
  });

  it('falls back to refuse when hold is taken out of the configuration', () => {
    expect(leaseRow.resolveLease(leaseConfig(), leaseState({ on_early_release: 'hold' }), 'team-a').on_early_release).toBe('refuse');
  });

  it('keeps the form in which serial and duration were written', () => {
    const state = leaseState({ serial: 'C02XYZ', minimum_duration: '024h' });
    expect(leaseRow.resolveLease(leaseConfig({ serial: 'c02xyz', minimum_duration: '24h' }), state, 'team-a')).toMatchObject({ serial: 'C02XYZ', minimum_duration: '024h' });
    expect(leaseRow.refreshedState(state, leaseObject('l1', {}, { serial: 'c02xyz' }))).toMatchObject({ serial: 'C02XYZ', minimum_duration: '024h' });
  });

  it('keeps what is known where nothing is written, and only that', () => {
    const state = leaseState();
    const row = leaseRow.resolveLease(leaseConfig({ minimum_duration: '48h' }), state, 'team-a');
    const planned = leaseRow.plannedLease(row, state, true);
    expect([planned.uid, isUnknown(planned.earliest_release_at), isUnknown(planned.slots)]).toEqual([state.uid, true, true]);
  });

  it('shows the drift of what the server reports', () => {
    expect(leaseRow.refreshedState(leaseState(), leaseObject('l1', { phase: 'Held', heldSince: '2026-11-29T12:00:00Z' }, { minimumDuration: '48h' })))
      .toMatchObject({ phase: 'Held', held_since: '2026-11-29T12:00:00Z', minimum_duration: '48h', serial: null });
  });
});

const instanceConfig = (over: Partial<InstancePlanned> = {}): InstancePlanned => ({
  id: null, namespace: null, name: 'vm', lease: 'team-a/l1', image: 'acme/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' }, running: null, await_ip: null, timeouts: null,
  uid: null, phase: null, reason: null, slot: null, node: null, machine_id: null, mac: null, ip: null, ...over,
});
const instanceState = (over: Partial<InstanceStored> = {}): InstanceStored => ({ ...instanceRow.importedState(instanceObject('vm')), ...over });

describe('the row of an instance', () => {
  it('lives in the namespace of its lease, and runs', () => {
    expect(instanceRow.resolveInstance(instanceConfig(), null)).toMatchObject({ namespace: 'team-a', running: true });
    expect(isUnknown(instanceRow.resolveInstance(instanceConfig({ lease: UNKNOWN }), null).namespace)).toBe(true);
  });

  it('compares sizes by value and keeps the form that is in the state', () => {
    const state = instanceState();
    const row = instanceRow.resolveInstance(instanceConfig({ shape: { cpu: 4, memory: '8192Mi', disk: '102400Mi' } }), state);
    expect(instanceRow.plannedInstance(row, state, false)).toEqual(state);
    expect(instanceRow.refreshedState(instanceState({ shape: { cpu: 4, memory: '8192Mi', disk: '100Gi' } }), instanceObject('vm')).shape).toEqual({ cpu: 4, memory: '8192Mi', disk: '100Gi' });
  });

  it('has no address, and not an empty one, while there is none', () => {
    expect(instanceRow.appliedState({ ...instanceConfig(), namespace: 'team-a', running: true }, instanceObject('vm')).ip).toBeNull();
  });

  it('keeps machine identifier and MAC address known over a stop', () => {
    const state = instanceState({ machine_id: 'id', mac: '02:00:00:00:00:01' });
    const planned = instanceRow.plannedInstance(instanceRow.resolveInstance(instanceConfig({ running: false }), state), state, true);
    expect([planned.machine_id, planned.mac, isUnknown(planned.ip)]).toEqual(['id', '02:00:00:00:00:01', true]);
  });

  it('reads a fraction of a core as what it is', () => {
    expect(instanceRow.shapeOf({ cpu: '1.5', memory: '8Gi', disk: '1Gi' })).toMatchObject({ cpu: 1.5 });
  });
});

describe('timeouts', () => {
  it('are hours, minutes and seconds', () => {
    expect([tryParseDuration('1h30m'), tryParseDuration('10m'), tryParseDuration('45s')]).toEqual([5_400_000, 600_000, 45_000]);
    for (const text of ['', '10', '0s', '1d', '30m1h', '-5m']) expect(tryParseDuration(text)).toBeUndefined();
    expect(checkTimeouts({ create: 'soon', update: null, delete: '5m' })).toMatchObject([{ path: ['timeouts', 'create'] }]);
  });

  it('have defaults', () => {
    expect(patienceOf(null)).toEqual({ create: 600_000, update: 300_000, delete: 600_000 });
    expect(patienceOf({ create: '1h', update: null, delete: null }).create).toBe(3_600_000);
  });
});

describe('a diagnostic', () => {
  it('begins with the reason and points at the attribute as it is called here', () => {
    expect(toDiagnostic(failure('FloorTooShort', 'minimumDuration', 'too short', 'why'))).toEqual({ severity: 'error', summary: 'FloorTooShort: too short', detail: 'why', path: ['minimum_duration'] });
    expect(toDiagnostic(failure('ShapeTooLarge', 'shape.memory', 't', 'd')).path).toEqual(['shape', 'memory']);
  });

  it('calls each input as it is written here, also in the words of the control plane', () => {
    const mismatch = adoptionMismatch({ class: 'base', serial: null, minimumDuration: '24h' }, leaseObject('l1', {}, { minimumDuration: '48h' })).map(toDiagnostic);
    expect(mismatch).toMatchObject([{ path: ['minimum_duration'], detail: expect.stringContaining('has another minimum_duration: 48h') as string }]);
    expect(mismatch[0]?.detail).toContain('Set minimum_duration to that value');
    expect(toDiagnostic(failure('Refused', '', 'onEarlyRelease of it', 'd')).summary).toBe('Refused: on_early_release of it');
    const said = (detail: string): string => toDiagnostic(failure('Refused', '', 't', detail)).detail;
    expect(said('macrack: minimumDuration only grows; "awaitIp"')).toBe('macrack: minimum_duration only grows; "await_ip"');
    expect(said('spec.minimumDuration: Invalid value')).toBe('spec.minimumDuration: Invalid value');
  });

  it('knows every input whose name differs here', () => {
    const inputs = [leaseSchema, instanceSchema].flatMap(({ attributes }) => Object.entries(attributes)).filter(([name, { mode }]) => mode !== 'computed' && name.includes('_')).map(([name]) => name);
    for (const name of inputs) {
      const camel = name.replaceAll(/_./g, ([, letter = '']) => letter.toUpperCase());
      expect(toDiagnostic(failure('Refused', '', 't', `Set ${camel}.`)).detail).toBe(`Set ${name}.`);
    }
  });

  it('gives the import block of what exists', () => {
    const { detail } = toDiagnostic({ ...failure('AlreadyExists', 'name', 't', 'd'), adoptable: { kind: 'lease', id: 'team-a/ci-1' } });
    expect(detail).toContain('import {\n  to = macrack_mac_node_lease.ci_1\n  id = "team-a/ci-1"\n}');
  });
});
