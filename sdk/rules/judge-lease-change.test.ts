import { instant, parseInstant } from './instant';
import { judgeLeaseChange, judgeMinimumDuration, replacedBy, type LeaseChangeFacts, type LeaseInputs } from './judge-lease-change';
import { UNKNOWN } from './unknown';

const floor = parseInstant('2026-11-30T10:00:00Z');
const inputs: LeaseInputs = { namespace: 'team-a', name: 'l1', class: 'base', serial: null, minimumDuration: '48h' };

function change(next: Partial<LeaseInputs>, now: LeaseChangeFacts['now'] = instant(floor - 3_600_000)): LeaseChangeFacts {
  return { lease: { namespace: 'team-a', name: 'l1', serial: 'c02xyz', phase: 'Bound', earliestReleaseAt: floor }, prior: inputs, next: { ...inputs, ...next }, now };
}

describe('a change of a lease inside its floor', () => {
  it.each([['class', 'pro'], ['serial', 'c02abc'], ['namespace', 'team-b'], ['name', 'l2']] as const)('of %s is LeaseImmutable and points at it', (field, value) => {
    const { refusals } = judgeLeaseChange(change({ [field]: value }));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatchObject({ reason: 'LeaseImmutable', rule: 3, path: field, until: floor });
    expect(refusals[0]?.message).toContain('1h 00m');
  });

  it('names every field that changes', () => {
    expect(judgeLeaseChange(change({ class: 'pro', name: 'l2' })).refusals.map((r) => r.path)).toEqual(['name', 'class']);
  });

  it('that lowers the minimum is FloorTooShort, and one that raises it is allowed', () => {
    expect(judgeLeaseChange(change({ minimumDuration: '24h' })).refusals[0]).toMatchObject({ reason: 'FloorTooShort', path: 'minimumDuration' });
    expect(judgeLeaseChange(change({ minimumDuration: '72h' })).refusals).toEqual([]);
  });

  it('of a serial to the same one in another case is no change', () => {
    const facts = change({ serial: 'C02XYZ' });
    expect(replacedBy({ ...facts, prior: { ...inputs, serial: 'c02xyz' } })).toEqual([]);
  });

  it('to a value that is not known yet is undetermined', () => {
    expect(judgeLeaseChange(change({ class: UNKNOWN }))).toMatchObject({ refusals: [], undetermined: ['whether class of lease team-a/l1 may change'] });
    expect(judgeLeaseChange(change({ class: 'pro' }, UNKNOWN)).undetermined).toHaveLength(1);
  });
});

describe('a higher minimum of a lease that is ending', () => {
  const ending = (phase: LeaseChangeFacts['lease']['phase'], next: Partial<LeaseInputs>): LeaseChangeFacts => ({ ...change(next, floor), lease: { ...change(next).lease, phase } });

  it.each(['Releasing', 'Released'])('is LeaseImmutable while it is %s: the Mac would be given back before the new floor', (phase) => {
    expect(judgeLeaseChange(ending(phase, { minimumDuration: '72h' })).refusals).toEqual([expect.objectContaining({ reason: 'LeaseImmutable', rule: 3, path: 'minimumDuration', message: expect.stringContaining(`is ${phase} and cannot raise`) as string })]);
  });

  it('is allowed while it is Held, and where the lease is replaced', () => {
    expect(judgeLeaseChange(ending('Held', { minimumDuration: '72h' })).refusals).toEqual([]);
    expect(judgeLeaseChange(ending('Releasing', { minimumDuration: '72h', class: 'pro' })).refusals).toEqual([]);
  });

  it('is undetermined while the phase is not known', () => {
    expect(judgeLeaseChange(ending(UNKNOWN, { minimumDuration: '72h' }))).toMatchObject({ refusals: [], undetermined: ['whether lease team-a/l1 is ending'] });
  });
});

describe('a change of a lease past its floor', () => {
  it('is an ordinary replacement', () => {
    const facts = change({ class: 'pro', minimumDuration: '24h' }, floor);
    expect(judgeLeaseChange(facts).refusals).toEqual([]);
    expect(replacedBy(facts)).toEqual(['class', 'minimumDuration']);
  });
});

describe('the minimum of a new lease', () => {
  it('is at least 24 hours', () => {
    expect(judgeMinimumDuration('23h').refusals[0]).toMatchObject({ reason: 'FloorTooShort', rule: 3, path: 'minimumDuration' });
    expect(judgeMinimumDuration('24h')).toEqual({ refusals: [], undetermined: [], notes: [] });
  });

  it('is remarked on above that, since a floor only grows', () => {
    expect(judgeMinimumDuration('48h').notes[0]).toMatchObject({ reason: 'FloorGrows' });
    expect(judgeMinimumDuration(UNKNOWN).undetermined).toEqual(['minimumDuration']);
  });
});
