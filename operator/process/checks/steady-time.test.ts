import * as fc from 'fast-check';
import { instant } from '../../../sdk/rules/instant';
import { SteadyTime } from './steady-time';

const START = 1_795_946_400_000;
/** What a server says whose clock is `ahead` of `START` + the time that passed: whole seconds, rounded down. */
const stamp = (at: number, ahead = 0) => instant(Math.floor((START + at + ahead) / 1000) * 1000);
const asked = (at: number, took = 0) => ({ before: at, after: at + took });

it('finds no step in a clock that runs with this host\'s', () => {
  const time = new SteadyTime();
  for (let at = 0; at < 3_600_000; at += 9_973) expect(time.observe(stamp(at), asked(at))).toBe(0);
});

it('finds a step forward and a step back, with its size within the resolution, until the clock is put back', () => {
  const time = new SteadyTime();
  for (let at = 0; at < 60_000; at += 997) time.observe(stamp(at), asked(at));
  expect(time.observe(stamp(60_000, 60_000), asked(60_000)) / 1000).toBeCloseTo(60, -1);
  expect(time.observe(stamp(70_000, -60_000), asked(70_000)) / 1000).toBeCloseTo(-60, -1);
  expect(time.observe(stamp(80_000), asked(80_000))).toBe(0);
});

it('takes a slow answer, or a process that was paused amid a question, for no step', () => {
  const time = new SteadyTime();
  time.observe(stamp(0), asked(0));
  expect(time.observe(stamp(100_000), { before: 10_000, after: 200_000 })).toBe(0);
  expect(time.observe(stamp(300_000), asked(300_000))).toBe(0);
});

it('lets a clock be slewed by half a thousandth', () => {
  const time = new SteadyTime();
  for (let at = 0; at < 24 * 3_600_000; at += 60_000) expect(time.observe(stamp(at, at * 0.0004), asked(at))).toBe(0);
});

it('never says that more time has passed than has', () => {
  fc.assert(fc.property(fc.array(fc.record({ wait: fc.integer({ min: 1, max: 600_000 }), took: fc.integer({ min: 0, max: 5_000 }), within: fc.double({ min: 0, max: 1, noNaN: true }) }), { minLength: 1, maxLength: 40 }), (questions) => {
    const time = new SteadyTime();
    let at = 0;
    for (const { wait, took, within } of questions) {
      at += wait;
      expect(time.observe(stamp(at + took * within), asked(at, took))).toBe(0);
      at += took;
      const known = time.now(at) ?? instant(0);
      expect(known).toBeGreaterThanOrEqual(START + at - 1);
    }
  }));
});
