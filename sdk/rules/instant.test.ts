import fc from 'fast-check';
import { formatInstant, instant, parseInstant, tryParseInstant } from './instant';

describe('an instant', () => {
  it.each([
    ['2026-11-29T10:00:00Z', 1_795_946_400_000],
    ['1970-01-01T00:00:00Z', 0],
    ['2024-02-29T23:59:59Z', 1_709_251_199_000],
    ['2026-11-29T11:00:00+01:00', 1_795_946_400_000],
    ['2026-11-29T10:00:00.5Z', 1_795_946_400_500],
  ])('%s is %d ms after the epoch', (text, milliseconds) => {
    expect(parseInstant(text)).toBe(milliseconds);
  });

  it.each(['', 'yesterday', '2026-11-29', '2026-13-01T00:00:00Z', '2026-11-29T25:00:00Z', '2026-11-29 10:00:00Z'])('is not read from %j', (text) => {
    expect(tryParseInstant(text)).toBeUndefined();
    expect(() => parseInstant(text)).toThrow(RangeError);
  });

  it('prints what it reads, in whole seconds of UTC', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
      const at = instant(seconds * 1000);
      expect(parseInstant(formatInstant(at))).toBe(at);
      expect(formatInstant(at)).toBe(new Date(at).toISOString().replace('.000', ''));
    }));
  });
});
