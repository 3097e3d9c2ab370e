import { formatInstant, instant, parseInstant } from './instant';
import { judgeRelease, type ReleaseFacts } from './judge-release';
import { UNKNOWN } from './unknown';

const boundAt = parseInstant('2026-11-29T10:00:00Z');
const floor = parseInstant('2026-11-30T10:00:00Z');

function judge(facts: Partial<ReleaseFacts> = {}, lease: Partial<ReleaseFacts['lease']> = {}) {
  return judgeRelease({
    lease: { namespace: 'team-a', name: 'l1', serial: 'c02xyz', phase: 'Bound', earliestReleaseAt: floor, ...lease },
    onEarlyRelease: 'refuse', cause: 'destroyed', replacement: false, now: instant(boundAt + 5 * 3_600_000), ...facts,
  });
}

describe('the day floor', () => {
  it('refuses a release before it with the lease, the Mac, the instant and what remains', () => {
    const { refusals: [refusal] } = judge();
    expect(refusal).toMatchObject({ reason: 'EarlyRelease', rule: 3, until: floor });
    for (const word of ['team-a/l1', 'c02xyz', '2026-11-30T10:00:00Z', '19h 00m', 'on_early_release = "hold"', '3A(ii)']) expect(refusal?.message).toContain(word);
  });

  it('allows at the instant, and refuses a millisecond before', () => {
    expect(judge({ now: floor }).refusals).toEqual([]);
    expect(judge({ now: instant(floor - 1) }).refusals).toHaveLength(1);
  });

  it('becomes a statement with hold, and never permits a replacement', () => {
    const held = judge({ onEarlyRelease: 'hold' });
    expect(held.refusals).toEqual([]);
    expect(held.notes[0]).toMatchObject({ reason: 'BilledUntil', until: floor });
    expect(held.notes[0]?.message).toContain(`until ${formatInstant(floor)}, billed for 19h 00m more`);
    expect(judge({ onEarlyRelease: 'hold', replacement: true }).refusals).toHaveLength(1);
  });

  it('has begun while the lease is Binding, although its end is not stamped yet', () => {
    expect(judge({}, { phase: 'Binding', earliestReleaseAt: null }).refusals).toHaveLength(1);
  });

  it('does not exist before the binding and after the release', () => {
    expect(judge({}, { phase: 'Pending', earliestReleaseAt: null }).refusals).toEqual([]);
    expect(judge({}, { phase: 'Released' }).refusals).toEqual([]);
  });

  it('is not allowed on a guess', () => {
    for (const verdict of [judge({ now: UNKNOWN }), judge({}, { phase: UNKNOWN }), judge({}, { earliestReleaseAt: UNKNOWN })]) {
      expect(verdict).toMatchObject({ refusals: [], undetermined: ['whether the floor of lease team-a/l1 has passed'] });
    }
  });
});
