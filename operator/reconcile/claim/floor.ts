import type { MacNodeBinding } from '../../../sdk/api';
import { floorOf } from '../../../sdk/rules/duration';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';

/** When the claim was made: the server stamped it, no client can change it. */
export function boundAtOf(claim: MacNodeBinding): Instant {
  return parseInstant(claim.metadata.creationTimestamp);
}

/**
 * The end of the floor: the claim's creation stamp plus the largest of 24 hours, the claim's minimum and the lease's, which may have grown since.
 * The lease's status only shows it.
 */
export function floorEnd(claim: MacNodeBinding, leaseMinimum?: string): Instant {
  return instant(boundAtOf(claim) + Math.max(floorOf(claim.spec.minimumDuration), floorOf(leaseMinimum)));
}
