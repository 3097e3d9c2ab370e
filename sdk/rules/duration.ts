import { FLOOR_MS, LONGEST_FLOOR_MS } from './limits';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WHOLE_HOURS = /^([0-9]{1,8})h$/;

/** Milliseconds of a `minimumDuration` ("24h"); undefined unless it is whole hours. Bounds are judged elsewhere. */
export function tryParseHours(text: string): number | undefined {
  const match = WHOLE_HOURS.exec(text);
  return match === null ? undefined : Number(match[1]) * HOUR_MS;
}

/** The floor that a lease asks for, in milliseconds: never under the licence's 24 hours, whatever the text says. */
export function floorOf(minimumDuration: string | null | undefined): number {
  const asked = minimumDuration == null ? undefined : tryParseHours(minimumDuration);
  return Math.max(FLOOR_MS, Math.min(asked ?? FLOOR_MS, LONGEST_FLOOR_MS));
}

/** Prints a remaining time as `19h 00m`, rounded up: what is refused never reads as zero. */
export function formatRemaining(milliseconds: number): string {
  const minutes = Math.max(0, Math.ceil(milliseconds / MINUTE_MS));
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
}
