declare const brand: unique symbol;

/** A point in time: milliseconds since 1970-01-01T00:00:00Z, as the API server stamped it. */
export type Instant = number & { readonly [brand]: 'Instant' };

const DAY_MS = 86_400_000;
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

/** Brands a count of milliseconds since the epoch. */
export function instant(milliseconds: number): Instant {
  return milliseconds as Instant;
}

// Days between the epoch and a civil date, counted in years that begin in March so that the leap day comes last.
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): readonly [year: number, month: number, day: number] {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1];
}

function offsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000;
}

/** Reads an RFC 3339 instant in any zone; undefined for anything else. */
export function tryParseInstant(text: string): Instant | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const clock = ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
  return instant(daysFromCivil(year, month, day) * DAY_MS + clock - offsetMs(match[8] ?? 'Z'));
}

/** Reads an RFC 3339 instant. Throws RangeError on anything else. */
export function parseInstant(text: string): Instant {
  const parsed = tryParseInstant(text);
  if (parsed === undefined) throw new RangeError(`not an RFC 3339 instant: ${JSON.stringify(text)}`);
  return parsed;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Prints an instant as RFC 3339 UTC with `Z`, in whole seconds (rounded down, as Kubernetes does). */
export function formatInstant(at: Instant): string {
  const days = Math.floor(at / DAY_MS);
  const seconds = Math.floor((at - days * DAY_MS) / 1000);
  const [year, month, day] = civilFromDays(days);
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}Z`;
}
