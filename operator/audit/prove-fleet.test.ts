import * as fc from 'fast-check';
import { instant } from '../../sdk/rules/instant';
import { proveChassis, proveFleet, sweep, type ChassisEvidence, type ClaimSpan, type Run } from './prove-fleet';

const HOUR = 3_600_000;
const period = { from: instant(0), to: instant(100 * HOUR) };
const run = (startSeq: number, endSeq: number | undefined, of: Partial<Run> = {}): Run => ({
  instanceUID: `i${startSeq}`, bindingUID: 'b1', tenant: 'a', startSeq, start: instant(startSeq * 1000), rows: [startSeq],
  ...(endSeq === undefined ? {} : { endSeq, end: instant(endSeq * 1000) }), ...of,
});
const claim = (of: Partial<ClaimSpan> = {}): ClaimSpan => ({ bindingUID: 'b1', tenant: 'a', from: instant(0), rows: [100], ...of });
const chassis = (of: Partial<ChassisEvidence> = {}): ChassisEvidence => ({ serial: 'c02a', enrolledAt: instant(0), lastSeen: period.to, runs: [], claims: [claim()], gaps: [], overCounts: [], ...of });
const kinds = (evidence: ChassisEvidence): string[] => proveChassis(evidence, period).violations.map((v) => v.kind);

describe('the proof of one chassis', () => {
  it('is proven for two machines of one tenant, and for one that starts as another ends', () => {
    expect(proveChassis(chassis({ runs: [run(1, 5), run(2, 4), run(4, undefined)] }), period)).toMatchObject({ verdict: 'proven', violations: [], uncovered: [] });
  });

  it('finds a third machine, with the rows of all three', () => {
    expect(proveChassis(chassis({ runs: [run(1, 9), run(2, 9), run(3, 9)] }), period)).toMatchObject({ verdict: 'violated', violations: [{ kind: 'ThirdMachine', rows: [1, 2, 3] }] });
  });

  it('finds a foreign run that is hidden inside a longer one', () => {
    const runs = [run(1, 20), run(2, 3), run(5, 6, { tenant: 'b', bindingUID: 'b2' })];
    expect(kinds(chassis({ runs, claims: [claim(), claim({ bindingUID: 'b2', tenant: 'b', from: instant(99 * HOUR) })] }))).toContain('TwoTenants');
  });

  it('finds claims that overlap, one that ended before 24 hours, and a run without a claim of its tenant', () => {
    expect(kinds(chassis({ claims: [claim({ to: instant(30 * HOUR) }), claim({ bindingUID: 'b2', from: instant(29 * HOUR) })] }))).toEqual(['ClaimsOverlap']);
    expect(kinds(chassis({ claims: [claim({ to: instant(24 * HOUR - 1) })] }))).toEqual(['ClaimTooShort']);
    expect(kinds(chassis({ claims: [claim({ to: instant(24 * HOUR) })] }))).toEqual([]);
    expect(kinds(chassis({ runs: [run(1, 2, { bindingUID: 'other' })] }))).toEqual(['RunOutsideClaim']);
    expect(kinds(chassis({ runs: [run(1, 2, { tenant: 'b' })] }))).toEqual(['RunOutsideClaim']);
  });

  it('is not covered where numbers of the journal are missing, and after the last heartbeat', () => {
    const gap = { from: instant(HOUR), to: instant(2 * HOUR) };
    expect(proveChassis(chassis({ gaps: [gap] }), period)).toMatchObject({ verdict: 'notCovered', uncovered: [gap] });
    const silent = proveChassis(chassis({ lastSeen: instant(50 * HOUR) }), period);
    expect(silent).toMatchObject({ verdict: 'notCovered', coveredUntil: 50 * HOUR, uncovered: [{ from: 50 * HOUR, to: 100 * HOUR }] });
  });

  it('is violated rather than not covered when it is both', () => {
    expect(proveChassis(chassis({ lastSeen: instant(50 * HOUR), runs: [run(1, 9), run(2, 9), run(3, 9)] }), period).verdict).toBe('violated');
  });

  it('leaves out what lies outside the period', () => {
    const late = { from: instant(50 * HOUR), to: instant(60 * HOUR) };
    expect(proveChassis(chassis({ runs: [run(1, 9), run(2, 9), run(3, 9)] }), late).verdict).toBe('proven');
  });

  it('takes a report of three machines for a breach, even if no run explains it', () => {
    expect(kinds(chassis({ overCounts: [{ at: instant(5), vmCount: 3, row: 7 }] }))).toEqual(['ThirdMachine']);
  });
});

/** Runs as a journal could tell them: each number is used once. */
const journals = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 24 }).chain((seqs) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength: seqs.length, maxLength: seqs.length }).map((tenants) => {
    const runs: Run[] = [];
    for (let i = 0; i + 1 < seqs.length; i += 2) {
      const [x = 0, y = 0] = [seqs[i], seqs[i + 1]];
      runs.push(run(Math.min(x, y), Math.max(x, y), { tenant: tenants[i] ?? 'a' }));
    }
    return runs;
  }));

const alive = (runs: readonly Run[], at: number): readonly Run[] => runs.filter((r) => r.startSeq <= at && (r.endSeq ?? Infinity) > at);

describe('the sweep', () => {
  it('finds a third machine exactly when a count at some moment says three', () => {
    fc.assert(fc.property(journals, (runs) => {
      const three = Array.from({ length: 41 }, (_, at) => alive(runs, at)).some((a) => a.length > 2);
      return sweep(runs).some((v) => v.kind === 'ThirdMachine') === three;
    }));
  });

  it('finds two tenants exactly when two of them run at some moment', () => {
    fc.assert(fc.property(journals, (runs) => {
      const two = Array.from({ length: 41 }, (_, at) => alive(runs, at)).some((a) => new Set(a.map((r) => r.tenant)).size > 1);
      return sweep(runs).some((v) => v.kind === 'TwoTenants') === two;
    }));
  });
});

describe('the proof of a fleet', () => {
  it('is one object: violated beats not covered, and a Mac enrolled later is no part of it', () => {
    const fleet = [chassis(), chassis({ serial: 'c02b', lastSeen: instant(0) }), chassis({ serial: 'c02c', enrolledAt: instant(101 * HOUR) })];
    expect(proveFleet(fleet, period)).toMatchObject({ verdict: 'notCovered', chassis: [{ serial: 'c02a', verdict: 'proven' }, { serial: 'c02b', verdict: 'notCovered' }] });
    expect(proveFleet([...fleet, chassis({ serial: 'c02d', runs: [run(1, 9), run(2, 9), run(3, 9)] })], period).verdict).toBe('violated');
    expect(proveFleet([], period).verdict).toBe('proven');
  });
});
