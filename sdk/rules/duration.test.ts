import { floorOf, formatRemaining, tryParseHours } from './duration';
import { FLOOR_MS, LONGEST_FLOOR_MS } from './limits';

describe('a minimum duration', () => {
  it('is whole hours', () => {
    expect(tryParseHours('24h')).toBe(86_400_000);
    for (const text of ['24', '1d', '1440m', '24h1s', 'P1D', '-24h', '24.5h', ' 24h', '']) expect(tryParseHours(text)).toBeUndefined();
  });

  it('never makes a floor shorter than 24 hours, or longer than a year', () => {
    expect(floorOf('1h')).toBe(FLOOR_MS);
    expect(floorOf('nonsense')).toBe(FLOOR_MS);
    expect(floorOf(undefined)).toBe(FLOOR_MS);
    expect(floorOf('48h')).toBe(2 * FLOOR_MS);
    expect(floorOf('9000h')).toBe(LONGEST_FLOOR_MS);
  });

  it('that remains is rounded up to the minute, so that what is refused never reads as zero', () => {
    expect(formatRemaining(19 * 3_600_000)).toBe('19h 00m');
    expect(formatRemaining(1)).toBe('0h 01m');
    expect(formatRemaining(-5)).toBe('0h 00m');
  });
});
