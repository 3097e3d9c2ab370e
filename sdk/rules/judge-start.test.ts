import { parseInstant } from './instant';
import { judgeStart, type Holder, type StartFacts } from './judge-start';
import { UNKNOWN } from './unknown';

const now = parseInstant('2026-11-29T15:00:00Z');
const holder = (name: string, state = 'Running', extra: Partial<Holder> = {}): Holder => ({ namespace: 'team-a', name, state, ...extra });

function judge(facts: Partial<StartFacts>) {
  return judgeStart({ lease: { namespace: 'team-a', name: 'l1' }, serial: 'c02xyz', holders: [], starting: [], now, ...facts });
}

describe('the two-machine rule', () => {
  it('refuses a third beside two, with both instances, their ages and owners, and the command that frees a slot', () => {
    const holders = [
      holder('a', 'Running', { owner: 'ada', since: parseInstant('2026-11-29T12:30:00Z') }),
      holder('b', 'Stopped', { owner: 'bob', since: parseInstant('2026-11-29T14:59:00Z') }),
    ];
    const { refusals: [refusal] } = judge({ holders, starting: [holder('c', 'declared')] });
    expect(refusal).toEqual({
      reason: 'ThirdInstance', rule: 1, path: 'lease',
      message: 'Lease team-a/l1 (Mac c02xyz) takes 2 instances, and 3 are asked for. '
        + 'Its slots are held by team-a/a (Running, 2h 30m old, of ada) and team-a/b (Stopped, 0h 01m old, of bob); refused: team-a/c. '
        + "Apple's licence, section 2B(iii), permits 2 macOS virtual machines on a Mac; this does not end with time, and a stopped instance counts. "
        + 'Free a slot with `kubectl delete macosinstance a -n team-a` or by removing it from the configuration, or lease another Mac.',
    });
  });

  it('refuses three that are all new, and names them all', () => {
    const { refusals } = judge({ starting: ['c', 'a', 'b'].map((name) => holder(name, 'declared')) });
    expect(refusals).toHaveLength(1);
    expect(refusals[0]?.message).toContain('refused: team-a/a, team-a/b, team-a/c');
  });

  it('counts an instance that exists and is asked for once', () => {
    expect(judge({ holders: [holder('a'), holder('b')], starting: [holder('b', 'declared')] }).refusals).toEqual([]);
  });

  it('counts a stopped one and not a failed one', () => {
    expect(judge({ holders: [holder('a'), holder('b', 'Stopped')], starting: [holder('c')] }).refusals).toHaveLength(1);
    expect(judge({ holders: [holder('a'), holder('b', 'Failed')], starting: [holder('c')] }).refusals).toEqual([]);
  });

  it('does not say "allowed" over holders that it does not know', () => {
    expect(judge({ holders: UNKNOWN, starting: [holder('a')] })).toMatchObject({ refusals: [], undetermined: ['which instances already run on lease team-a/l1'] });
    expect(judge({ holders: UNKNOWN, starting: ['a', 'b', 'c'].map((name) => holder(name)) }).refusals).toHaveLength(1);
  });
});
