import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import { DEFAULT_PATIENCE, type Patience } from './core';
import { failure, type Findings } from './finding';

/** Longest waits as they are written, for example "1h30m"; null or left out: the default. */
export type TimeoutTexts = { readonly [K in keyof Patience]?: Maybe<string | null> | undefined };

const OPERATIONS = ['create', 'update', 'delete'] as const;

const UNITS = { h: 3_600_000, m: 60_000, s: 1000 } as const;
const DURATION = /^(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

/** Milliseconds of a duration such as `1h30m`; undefined for anything else, and for zero. */
export function tryParseDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const total = Number(match[1] ?? 0) * UNITS.h + Number(match[2] ?? 0) * UNITS.m + Number(match[3] ?? 0) * UNITS.s;
  return total > 0 ? total : undefined;
}

/** Faults of the durations, each with what is allowed. */
export function checkTimeouts(timeouts: TimeoutTexts): Findings {
  return OPERATIONS.flatMap((operation) => {
    const value = timeouts[operation];
    if (value === undefined || value === null || !isKnown(value) || tryParseDuration(value) !== undefined) return [];
    return [failure('InvalidValue', `timeouts.${operation}`, `${JSON.stringify(value)} is no duration`, 'A duration is hours, minutes and seconds in that order, for example "10m" or "1h30m", and more than zero. Write it so.')];
  });
}

/** What was set, with the defaults for the rest. */
export function patienceOf(timeouts: { readonly [K in keyof Patience]?: string | null | undefined }): Patience {
  const of = (operation: keyof Patience): number => tryParseDuration(timeouts[operation] ?? '') ?? DEFAULT_PATIENCE[operation];
  return { create: of('create'), update: of('update'), delete: of('delete') };
}
