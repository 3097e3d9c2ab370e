import fc from 'fast-check';
import { LONGEST_NAME, NAME_PATTERN, nodeName, podName, SERIAL_PATTERN } from './names';

test.each(['a', '0', 'ci', 'ci-1', 'a--b', 'a'.repeat(58)])('%s is a name', (name) => {
  expect(name).toMatch(NAME_PATTERN);
});

test.each(['', '-', '-a', 'a-', 'A', 'ci_1', 'ci.1', 'ci 1', 'ci\n', 'é', 'a'.repeat(59)])('%j is no name', (name) => {
  expect(name).not.toMatch(NAME_PATTERN);
});

test('the pod of the longest name is a DNS label', () => {
  expect(podName('a'.repeat(LONGEST_NAME), 1)).toHaveLength(63);
});

test('slots of one lease, and leases of one slot, never share a pod name', () => {
  const name = fc.stringMatching(NAME_PATTERN);
  const slot = fc.constantFrom(0, 1);
  fc.assert(fc.property(name, slot, name, slot, (a, i, b, j) => (podName(a, i) === podName(b, j)) === (a === b && i === j)));
});

test('a serial is letters and digits, in either case, and names one node', () => {
  expect('C02XK0ABJG5H').toMatch(SERIAL_PATTERN);
  for (const serial of ['', 'C02-A', 'C02 A', 'a'.repeat(33)]) expect(serial).not.toMatch(SERIAL_PATTERN);
  expect(nodeName('C02XK0ABJG5H')).toBe(nodeName('c02xk0abjg5h'));
  expect(nodeName('C02A')).toBe('mac-c02a');
});
