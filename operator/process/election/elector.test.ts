import { Kinds } from '../../../sdk/api';
import { parseInstant } from '../../../sdk/rules/instant';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { until } from '../../testing/rig';
import { Elector } from './elector';
import { LEASE_DURATION_MS, RENEW_DEADLINE_MS, RETRY_PERIOD_MS } from './record';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ref = { namespace: 'macrack-system', name: 'macrack-operator' };

let plane: MemoryPlane;
let changes: string[];

beforeEach(() => {
  plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
  changes = [];
});

function candidate(identity: string): Elector {
  const elector = new Elector({ plane, timers: plane, log, namespace: ref.namespace, identity, monotonic: () => plane.now, onChange: (leads) => changes.push(`${identity} ${leads ? 'leads' : 'rests'}`) });
  elector.start();
  return elector;
}

const holder = () => plane.peek(Kinds.CoordinationLease, ref)?.spec.holderIdentity;
/** Lets one round of every candidate come due and end. */
async function round(): Promise<void> {
  const asked = plane.requests.length;
  plane.advance(RETRY_PERIOD_MS * 1.5);
  await until('a round ended', () => plane.requests.length > asked);
  await new Promise((resolve) => setImmediate(resolve));
}

it('elects one of several', async () => {
  const all = ['a', 'b', 'c'].map(candidate);
  await until('somebody leads', () => all.some((e) => e.leads()));
  await round();
  expect(all.filter((e) => e.leads())).toHaveLength(1);
  expect(changes).toHaveLength(1);
  await Promise.all(all.map((e) => e.release()));
});

it('hands over at once when the leader releases', async () => {
  const a = candidate('a');
  await until('a leads', () => a.leads());
  const b = candidate('b');
  await round();
  await a.release();
  expect([holder(), a.leads()]).toEqual([undefined, false]);
  await round();
  await until('b leads', () => b.leads());
  expect(changes).toEqual(['a leads', 'a rests', 'b leads']);
  expect(plane.peek(Kinds.CoordinationLease, ref)?.spec.leaseTransitions).toBe(1);
  await b.release();
});

it('ends the leadership of one that cannot renew, before another begins, and does not take it back', async () => {
  const a = candidate('a');
  await until('a leads', () => a.leads());
  plane.down = 'Unreachable';
  plane.advance(RENEW_DEADLINE_MS);
  expect(changes).toEqual(['a leads', 'a rests']);
  plane.down = undefined;
  await plane.patch(Kinds.CoordinationLease, ref, { spec: { holderIdentity: 'b' } });
  await round();
  expect(a.leads()).toBe(false);
  const since = plane.now;
  while (!a.leads()) await round();
  expect(plane.now - since).toBeGreaterThan(LEASE_DURATION_MS - RETRY_PERIOD_MS * 1.5);
  await a.release();
});

it('does not lead after a pause of the whole process, even before a timer has fired', async () => {
  let now = 0;
  const elector = new Elector({ plane, timers: plane, log, namespace: ref.namespace, identity: 'a', monotonic: () => now, onChange: () => undefined });
  elector.start();
  await until('it leads', () => elector.leads());
  now += RENEW_DEADLINE_MS;
  expect(elector.leads()).toBe(false);
  await elector.release();
});
