import { BackOff } from './back-off';

it('doubles up to the longest wait, and begins anew after a reset', () => {
  const backOff = new BackOff(100, 500, () => 0.5);
  expect([1, 2, 3, 4, 5].map(() => backOff.next())).toEqual([100, 200, 400, 500, 500]);
  backOff.reset();
  expect(backOff.next()).toBe(100);
});

it('strays by a fifth at most, and never past the longest wait', () => {
  expect(new BackOff(100, 500, () => 0).next()).toBe(80);
  expect(new BackOff(100, 500, () => 1).next()).toBe(120);
  expect(new BackOff(500, 500, () => 1).next()).toBe(500);
});
