import type { MacNodeLease } from '../../../sdk/api';
import { parseInstant, type Instant } from '../../../sdk/rules/instant';

/** A lease is asked to go by `spec.release`, or by a raw DELETE. */
export function wantsRelease(lease: MacNodeLease): boolean {
  return lease.spec.release || lease.metadata.deletionTimestamp !== undefined;
}

/** When the release was asked for: the server's stamp of a DELETE, or the moment that `spec.release` was first seen. */
export function releaseAskedAt(lease: MacNodeLease, now: Instant): Instant {
  const { status, metadata } = lease;
  if (status?.releaseRequestedAt !== undefined) return parseInstant(status.releaseRequestedAt);
  return metadata.deletionTimestamp === undefined ? now : parseInstant(metadata.deletionTimestamp);
}

/** Bound and Held leases run machines; only a Bound one takes new ones. */
export function runsInstances(lease: MacNodeLease): boolean {
  return lease.status?.phase === 'Bound' || lease.status?.phase === 'Held';
}
