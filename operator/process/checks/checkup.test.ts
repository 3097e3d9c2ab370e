import { parseInstant } from '../../../sdk/rules/instant';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import type { Check } from './check';
import { Checkup } from './checkup';
import { bad, Fault, GOOD, unknown, type Finding } from './finding';

let timers: MemoryPlane;
let changes: number;

beforeEach(() => {
  timers = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
  changes = 0;
});

/** A check that finds what the test sets. */
function check(name: string, halts: boolean, finding: Finding): Check & { finding: Finding } {
  return { name, halts, everyMs: 30_000, finding, look() { return Promise.resolve(this.finding); } };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function begin(...checks: Check[]): Promise<Checkup> {
  const checkup = new Checkup(checks, timers, () => { changes += 1; });
  checkup.start();
  await settle();
  return checkup;
}

const DOWN = unknown(Fault.PlaneUnavailable, 'no answer');
const SKEW = bad(Fault.ClockSkew, 'a minute ahead');

it('halts until everything has been looked at', async () => {
  const checkup = new Checkup([check('clock', true, GOOD)], timers, () => undefined);
  expect(checkup.halted()).toMatchObject({ fault: 'NotChecked' });
  checkup.start();
  await settle();
  expect(checkup.halted()).toBeUndefined();
  checkup.stop();
});

it('halts while one check is bad, looks again soon, and goes on by itself', async () => {
  const clock = check('clock', true, SKEW);
  const checkup = await begin(check('rights', true, GOOD), clock);
  expect(checkup.halted()).toEqual({ fault: 'ClockSkew', message: 'a minute ahead' });
  clock.finding = GOOD;
  timers.advance(3_000);
  await settle();
  expect([checkup.halted(), checkup.troubles()]).toEqual([undefined, []]);
  checkup.stop();
});

it('does not halt for what could not be looked at this time: it stands as it was, and is told', async () => {
  const clock = check('clock', true, GOOD);
  const checkup = await begin(clock);
  clock.finding = DOWN;
  timers.advance(30_000);
  await settle();
  expect([checkup.halted(), checkup.troubles()]).toEqual([undefined, [{ fault: 'PlaneUnavailable', message: 'no answer' }]]);
  checkup.stop();
});

it('halts for what could not be looked at since the start', async () => {
  const checkup = await begin(check('clock', true, DOWN));
  expect(checkup.halted()).toMatchObject({ fault: 'NotChecked' });
  expect(checkup.troubles()).toMatchObject([{ fault: 'PlaneUnavailable' }]);
  checkup.stop();
});

it('tells of a check that does not halt, after those that do', async () => {
  const checkup = await begin(check('audit', false, bad(Fault.AuditUnavailable, 'no disk')), check('clock', true, SKEW));
  expect(checkup.troubles().map(({ fault }) => fault)).toEqual(['ClockSkew', 'AuditUnavailable']);
  checkup.stop();
});

it('counts a finding from outside at once, and looks again soon', async () => {
  const checkup = await begin(check('clock', true, GOOD));
  checkup.found('clock', SKEW);
  expect(checkup.halted()).toMatchObject({ fault: 'ClockSkew' });
  timers.advance(3_000);
  await settle();
  expect(checkup.halted()).toBeUndefined();
  checkup.stop();
});

it('tells of changes only', async () => {
  const checkup = await begin(check('clock', true, GOOD));
  expect(changes).toBe(1);
  timers.advance(30_000);
  await settle();
  expect(changes).toBe(1);
  checkup.stop();
});

it('looks at nothing after its end', async () => {
  const clock = check('clock', true, GOOD);
  const checkup = await begin(clock);
  checkup.stop();
  clock.finding = SKEW;
  timers.advance(60_000);
  checkup.again('clock');
  await settle();
  expect(checkup.halted()).toBeUndefined();
});
