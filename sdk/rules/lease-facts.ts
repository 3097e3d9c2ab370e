import type { Instant } from './instant';
import type { Maybe } from './unknown';

/** A lease on the server, as far as the day floor is concerned. */
export interface LeaseFacts {
  readonly namespace: string;
  readonly name: string;
  readonly serial: Maybe<string | null>;
  readonly phase: Maybe<string>;
  /** The end of the floor; null while nothing is bound. */
  readonly earliestReleaseAt: Maybe<Instant | null>;
}

/** Where a lease stands against its floor at `now`. */
export type FloorState =
  | { readonly kind: 'unbound' }
  | { readonly kind: 'inside'; readonly until?: Instant }
  | { readonly kind: 'past' }
  | { readonly kind: 'unknown' };

const UNBOUND = new Set(['Pending', 'Released']);

/**
 * A Pending or Released lease has no floor. Binding is inside it, although its instant is not stamped yet: the claim may exist already.
 * `now == earliestReleaseAt` is past, one millisecond before is inside.
 */
export function floorState(lease: LeaseFacts, now: Maybe<Instant>): FloorState {
  const { phase, earliestReleaseAt: until } = lease;
  if (typeof phase === 'symbol' || typeof until === 'symbol') return { kind: 'unknown' };
  if (UNBOUND.has(phase)) return { kind: 'unbound' };
  if (until === null) return { kind: 'inside' };
  if (typeof now === 'symbol') return { kind: 'unknown' };
  return now >= until ? { kind: 'past' } : { kind: 'inside', until };
}
