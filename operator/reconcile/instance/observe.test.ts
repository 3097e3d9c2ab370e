import type { JournalEntry, MacNode, MacOSInstance, Pod } from '../../../sdk/api';
import { formatInstant, instant, parseInstant } from '../../../sdk/rules/instant';
import type { GroupFacts } from './facts';
import { observe } from './observe';

const SEEN = parseInstant('2026-11-29T10:00:00Z');
const instance = { metadata: { namespace: 'tenant-a', name: 'one', uid: 'u1', generation: 1 }, spec: { running: true }, status: { phase: 'Running', slot: 0, machineID: 'm1' } } as MacOSInstance;
const pod = { metadata: { name: 'ios-vm-0', uid: 'p1' }, spec: { nodeName: 'mac-c02a' }, status: { phase: 'Running' } } as Pod;

/** A Mac that reports and does not run the machine, so long after the report. */
function without(laterMs: number, ...journal: readonly Partial<JournalEntry>[]): GroupFacts {
  const macNode = { status: { lastSeen: formatInstant(SEEN), vms: [], journal } } as unknown as MacNode;
  return { now: instant(SEEN + laterMs), mac: { macNode, node: null, claim: null } } as unknown as GroupFacts;
}

const ended = (podUID: string, reason: string): Partial<JournalEntry> => ({ event: 'Stopped', podUID, reason, message: 'so it is' });

describe('a machine that a fresh report misses while its pod still says Running', () => {
  it('has ended for the reason that the journal of the Mac gives', () => {
    expect(observe(without(0, ended('p1', 'StoppedByOperator')), instance, 0, pod)).toMatchObject({ step: { status: { phase: 'Failed', reason: 'StoppedByOperator', message: 'so it is', slot: undefined } } });
  });

  it('is not called crashed before the agent had time to say why it ended', () => {
    expect(observe(without(0, ended('another', 'Crashed'), { event: 'Started', podUID: 'p1' }), instance, 0, pod)).toEqual({ wait: SEEN + 5_000 });
  });

  it('has crashed where nothing is said by then', () => {
    expect(observe(without(5_000), instance, 0, pod)).toMatchObject({ step: { status: { phase: 'Failed', reason: 'Crashed' } } });
  });
});
