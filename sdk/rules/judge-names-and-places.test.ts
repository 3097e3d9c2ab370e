import { judgeCapacity, judgeSerial } from './judge-capacity';
import { judgeIdentity } from './judge-identity';
import { judgeName, type NamedLease } from './judge-name';
import { judgePlacement, type PlacementLease } from './judge-placement';
import { judgeShape } from './judge-shape';
import { parseInstant } from './instant';
import { isKnown, UNKNOWN, type Maybe } from './unknown';

const floor = parseInstant('2026-11-30T10:00:00Z');

describe('one tenant on a Mac', () => {
  const place = (lease: Maybe<PlacementLease | null>, namespace = 'team-a', namespaceUID: Maybe<string> = 'u1') =>
    judgePlacement({ instance: { namespace, name: 'vm', namespaceUID }, leaseRef: { namespace: 'team-a', name: 'l1' }, lease });
  const bound = { phase: 'Bound', namespaceUID: 'u1' };

  it('allows an instance on a Bound lease of its own namespace, also on one that this run makes', () => {
    expect(place(bound).refusals).toEqual([]);
    expect(place({ phase: 'declared', namespaceUID: null }).refusals).toEqual([]);
  });

  it('refuses another namespace without looking at the lease', () => {
    expect(place(UNKNOWN, 'team-b').refusals[0]).toMatchObject({ reason: 'CrossTenant', rule: 2, path: 'lease' });
  });

  it('refuses a namespace that was made again under the name', () => {
    expect(place(bound, 'team-a', 'u2').refusals[0]?.reason).toBe('CrossTenant');
    expect(place(bound, 'team-a', UNKNOWN).undetermined).toHaveLength(1);
  });

  it('refuses a lease that is not there or not Bound', () => {
    expect(place(null).refusals[0]?.reason).toBe('LeaseNotFound');
    for (const phase of ['Pending', 'Binding', 'Held', 'Releasing']) expect(place({ ...bound, phase }).refusals[0]?.reason).toBe('LeaseNotBound');
  });

  it('says to wait only for a lease that can still become Bound, and else to create a new one', () => {
    const said = (phase: string): string => place({ ...bound, phase }).refusals[0]?.message ?? '';
    for (const phase of ['Pending', 'Binding']) expect(said(phase)).toContain('Wait until `kubectl get macnodelease l1 -n team-a` shows Bound');
    for (const [phase, state] of [['Releasing', 'is ending'], ['Released', 'has ended']] as const) {
      expect(said(phase)).not.toContain('Wait');
      expect(said(phase)).toContain(`That lease ${state} and never becomes Bound again. Create a new lease and name that one.`);
    }
  });
});

describe('the name of a Held lease', () => {
  const held: NamedLease = { namespace: 'team-a', name: 'l1', serial: 'c02xyz', phase: 'Held', earliestReleaseAt: floor, class: 'base', keepable: true };
  const judge = (adopt: boolean, existing: Partial<NamedLease> = {}, className = 'base') =>
    judgeName({ namespace: 'team-a', name: 'l1', class: className, adopt, existing: { ...held, ...existing }, now: floor });

  it('is taken until its floor, unless the lease is adopted', () => {
    expect(judge(false).refusals[0]).toMatchObject({ reason: 'NameHeld', path: 'name', until: floor });
    expect(judge(true)).toMatchObject({ refusals: [], notes: [{ reason: 'Adopts' }] });
  });

  it('cannot be adopted by another class, or after it was deleted on the server', () => {
    expect(judge(true, {}, 'pro').refusals[0]?.message).toContain('It is of class base, not pro');
    expect(judge(true, { keepable: false }).refusals[0]?.message).toContain('cannot be kept');
    expect(judge(false, { keepable: false }).refusals[0]?.message).not.toContain('adopt = true');
  });

  it('is free where nobody has it or the lease has another phase, and unknown where it cannot be asked', () => {
    expect(judge(false, { phase: 'Released' }).refusals).toEqual([]);
    expect(judgeName({ namespace: 'n', name: 'l', class: 'base', adopt: false, existing: null, now: floor }).refusals).toEqual([]);
    expect(judgeName({ namespace: 'n', name: 'l', class: 'base', adopt: false, existing: UNKNOWN, now: floor }).undetermined).toHaveLength(1);
  });
});

describe('a Mac for a lease', () => {
  it('that is absent and one that is leased are refused with the same words', () => {
    expect(judgeSerial({ serial: 'C02XYZ', available: false }).refusals[0]).toMatchObject({ reason: 'SerialUnavailable', rule: 2, path: 'serial' });
    expect(judgeSerial({ serial: 'C02XYZ', available: true }).refusals).toEqual([]);
    expect(judgeSerial({ serial: 'C02XYZ', available: UNKNOWN }).undetermined).toHaveLength(1);
  });

  it('that is not free now is a warning, and refuses a replacement', () => {
    expect(judgeCapacity({ class: 'studio', wanted: 2, free: 1 })).toMatchObject({ refusals: [], notes: [{ reason: 'NoCapacity' }] });
    expect(judgeCapacity({ class: 'studio', wanted: 1, free: 0, replaces: 'team-a/l1' }).refusals[0]?.message).toContain('Lease the new one under another name first');
    expect(judgeCapacity({ class: 'studio', wanted: 1, free: 1, replaces: 'team-a/l1' }).refusals).toEqual([]);
    expect(judgeCapacity({ class: 'studio', wanted: 1, free: UNKNOWN }).undetermined).toHaveLength(1);
    expect(judgeCapacity({ class: 'studio', wanted: 2, free: 1, nextRelease: parseInstant('2026-11-30T12:00:00Z') }).notes[0]?.message).toContain('2 of class studio wanted, 1 free now, and the next may come free at 2026-11-30T12:00:00Z');
  });
});

describe('the sizes of the instances of a lease', () => {
  const GiB = 2 ** 30;
  const half = { cpu: 4, memory: 8 * GiB, disk: 128 * GiB };
  const chassis = { cpu: 8, memory: 16 * GiB, disk: 256 * GiB };

  it('fit together or are refused, each dimension with its sum', () => {
    expect(judgeShape({ lease: 'a/l', class: 'base', chassis, shapes: [half, half] }).refusals).toEqual([]);
    const { refusals } = judgeShape({ lease: 'a/l', class: 'base', chassis, shapes: [half, { ...half, cpu: 5, memory: 9 * GiB }] });
    expect(refusals.map((r) => r.path)).toEqual(['shape.cpu', 'shape.memory']);
    expect(refusals[1]?.message).toContain('17Gi');
  });
});

describe('the fourth stop', () => {
  const known = [{ instance: 'a', machineID: 'id-a', mac: '02:00:00:00:00:0A' }];
  it('refuses a machine identifier or MAC address that another machine has, in any case of its letters', () => {
    expect(judgeIdentity({ candidate: { instance: 'b', machineID: 'id-a', mac: '02:00:00:00:00:0a' }, known }).refusals).toHaveLength(2);
    expect(judgeIdentity({ candidate: { instance: 'a', machineID: 'id-a', mac: '02:00:00:00:00:0a' }, known }).refusals).toEqual([]);
  });
});

it('unknown is neither null nor known', () => {
  expect([isKnown(null), isKnown(UNKNOWN)]).toEqual([true, false]);
});
