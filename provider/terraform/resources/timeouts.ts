import type { Patience } from '../../core/core';
import { DEFAULT_PATIENCE } from '../../core/core';
import { checkTimeouts as check, patienceOf as patience } from '../../core/timeouts';
import type { Diagnostics } from '../diagnostics';
import { optional } from '../schema/attributes';
import type { RowOf } from '../schema/schema';
import { object, string } from '../schema/types';
import { isUnknown, type Unknown } from '../values/unknown';
import { toDiagnostics } from './finding-diagnostics';
import { maybe } from './holes';

type Operation = keyof Patience;

const minutes = (operation: Operation): string => `${DEFAULT_PATIENCE[operation] / 60_000}m`;

const ATTRIBUTES = {
  create: optional(string, `Longest wait of a create, for example "10m" or "1h30m". Default ${minutes('create')}.`),
  update: optional(string, `Longest wait of an update. Default ${minutes('update')}.`),
  delete: optional(string, `Longest wait of a delete. Default ${minutes('delete')}.`),
};

/** The attribute `timeouts` of every resource. */
export const timeoutsAttribute = optional(object(ATTRIBUTES), 'How long to wait for each operation.');

type Timeouts<Hole> = RowOf<typeof ATTRIBUTES, Hole>;

/** Faults of the durations, each with what is allowed. */
export function checkTimeouts(timeouts: Timeouts<Unknown> | Unknown | null): Diagnostics {
  if (timeouts === null || isUnknown(timeouts)) return [];
  return toDiagnostics(check({ create: maybe(timeouts.create), update: maybe(timeouts.update), delete: maybe(timeouts.delete) }));
}

/** What was set, with the defaults for the rest. */
export function patienceOf(timeouts: Timeouts<never> | null): Patience {
  return patience(timeouts ?? {});
}
