import type { CoordinationLease } from '../../../sdk/api';

/** Name of the leader lease. */
export const LEADER_LEASE = 'macrack-operator';

/** Milliseconds of local time that a holder's silence must last before another may lead. */
export const LEASE_DURATION_MS = 15_000;
/** Milliseconds after which a leader that could not renew stops writing; shorter, so that it has stopped when another begins. */
export const RENEW_DEADLINE_MS = 10_000;
/** Milliseconds between two tries to lead, or to renew. */
export const RETRY_PERIOD_MS = 2_000;

/** What the leader lease says. */
export interface LeaderRecord {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** RFC 3339 with microseconds, by the clock of the holder. Shown to people; nothing is judged by it. */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

const microTime = (): string => new Date().toISOString().replace(/\.(\d{3})Z$/, '.$1000Z');

/** The record of a holder that leads from now on, or renews. */
export function heldBy(identity: string, before: CoordinationLease | null): LeaderRecord {
  const now = microTime();
  const { holderIdentity = '', acquireTime, leaseTransitions = 0 } = before?.spec ?? {};
  const renews = holderIdentity === identity;
  return {
    holderIdentity: identity, leaseDurationSeconds: LEASE_DURATION_MS / 1000, renewTime: now,
    acquireTime: renews && acquireTime !== undefined ? acquireTime : now, leaseTransitions: before === null || renews ? leaseTransitions : leaseTransitions + 1,
  };
}

/** The record of a lease that anybody may take at once. */
export function released(before: CoordinationLease): object {
  return { holderIdentity: null, leaseDurationSeconds: 1, renewTime: microTime(), leaseTransitions: before.spec.leaseTransitions ?? 0 };
}
