import fc from 'fast-check';
import { isSameQuantity, parseQuantity, tryParseQuantity } from './quantity';

test.each([
  ['8Gi', 8 * 2 ** 30], ['8192Mi', 8 * 2 ** 30], ['1Ti', 2 ** 40], ['64G', 64e9], ['1.5Gi', 1.5 * 2 ** 30], ['500k', 500_000], ['1024', 1024], ['0.5Ki', 512],
])('%s is %d bytes', (text, bytes) => {
  expect(tryParseQuantity(text)).toBe(bytes);
});

test.each(['', ' 8Gi', '8 Gi', '8GB', '8gi', '-8Gi', '+8Gi', '8e9', 'Gi', '8.', '.5Gi', '8Gi\n', '0', '0Gi', '0.1', '0.3Ki', '8500m', '99999Pi', '١Gi'])('%j is no quantity of bytes', (text) => {
  expect(tryParseQuantity(text)).toBeUndefined();
});

test('a text that is no quantity is an error that shows it', () => {
  expect(() => parseQuantity('8GB')).toThrow(new RangeError('not a quantity of bytes: "8GB"'));
});

test('quantities are the same by value', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 4096 }), (n) => isSameQuantity(`${n}Gi`, `${n * 1024}Mi`) && isSameQuantity(`${n}G`, `${n * 1000}M`)));
  expect(isSameQuantity('8Gi', '8G')).toBe(false);
});

test('texts that are no quantities are the same only as texts', () => {
  expect([isSameQuantity('large', 'large'), isSameQuantity('large', 'huge'), isSameQuantity('large', '8Gi')]).toEqual([true, false, false]);
});
