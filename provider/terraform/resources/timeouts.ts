import type { Patience } from '../../core/core';
import { DEFAULT_PATIENCE } from '../../core/core';
import type { Diagnostics } from '../diagnostics';
import { errorAt } from '../diagnostics';
import { optional } from '../schema/attributes';
import type { RowOf } from '../schema/schema';
import { object, string } from '../schema/types';
import { isUnknown, type Unknown } from '../values/unknown';

const OPERATIONS = ['create', 'update', 'delete'] as const;
type Operation = (typeof OPERATIONS)[number];

const minutes = (operation: Operation): string => `${DEFAULT_PATIENCE[operation] / 60_000}m`;

const ATTRIBUTES = {
  create: optional(string, `Longest wait of a create, for example "10m" or "1h30m". Default ${minutes('create')}.`),
  update: optional(string, `Longest wait of an update. Default ${minutes('update')}.`),
  delete: optional(string, `Longest wait of a delete. Default ${minutes('delete')}.`),
};

/** The attribute `timeouts` of every resource. */
export const timeoutsAttribute = optional(object(ATTRIBUTES), 'How long to wait for each operation.');

type Timeouts<Hole> = RowOf<typeof ATTRIBUTES, Hole>;

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
export function checkTimeouts(timeouts: Timeouts<Unknown> | Unknown | null): Diagnostics {
  if (timeouts === null || isUnknown(timeouts)) return [];
  return OPERATIONS.flatMap((operation) => {
    const value = timeouts[operation];
    if (value === null || isUnknown(value) || tryParseDuration(value) !== undefined) return [];
    return [errorAt(['timeouts', operation], `InvalidValue: ${JSON.stringify(value)} is no duration`, 'A duration is hours, minutes and seconds in that order, for example "10m" or "1h30m", and more than zero. Write it so.')];
  });
}

/** What was set, with the defaults for the rest. */
export function patienceOf(timeouts: Timeouts<never> | null): Patience {
  const of = (operation: Operation): number => tryParseDuration(timeouts?.[operation] ?? '') ?? DEFAULT_PATIENCE[operation];
  return { create: of('create'), update: of('update'), delete: of('delete') };
}
