import { nodeName, type MacNodeBinding, type MacNodeLeaseStatus } from '../../../sdk/api';
import { formatInstant, instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { boundAtOf, floorEnd } from '../claim/floor';
import type { Wanted } from '../engine/status-diff';
import { releaseAskedAt, wantsRelease } from './asks';
import type { LeaseFacts } from './facts';

type Status = Wanted<MacNodeLeaseStatus>;
type BoundPhase = 'Bound' | 'Held' | 'Releasing';

const at = (i: Instant): string => formatInstant(i);

/** The phase of a lease that has a claim. Releasing does not go back; a lease that was just bound is Bound first, whatever is asked. */
function phaseOf({ lease, now }: LeaseFacts, floor: Instant): BoundPhase {
  const phase = lease.status?.phase;
  if (phase === 'Releasing') return 'Releasing';
  if (phase !== 'Bound' && phase !== 'Held') return 'Bound';
  if (!wantsRelease(lease)) return 'Bound';
  return now >= floor ? 'Releasing' : 'Held';
}

const MAC_RETIRED: Status = { reason: 'MacRetired', message: 'The Mac has left service; nothing starts on it. Release the lease and take another.' };

const RELEASING = {
  none: 'The Mac is being wiped and given back.',
  AgentUnavailable: 'The Mac does not answer the operator; it is given back when it confirms that it is wiped.',
  AgentDisagrees: 'The Mac does not confirm that it is wiped; it is given back when it does.',
} as const;

function explanation(phase: BoundPhase, end: Instant, asked: Instant, { doubted, mac }: LeaseFacts): Status {
  switch (phase) {
    case 'Bound':
      return mac.macNode?.spec.retired === true ? MAC_RETIRED : { reason: undefined, message: undefined };
    case 'Held':
      return { reason: 'EarlyRelease', message: `Held until ${at(end)} and billed until then; it will be released by itself.` };
    case 'Releasing':
      return { reason: doubted?.reason, message: `${RELEASING[doubted?.reason ?? 'none']} Billed until ${at(instant(Math.max(end, asked)))}.` };
  }
}

/** Times of the hold: set when it begins, taken away when the lease is kept. */
function hold(phase: BoundPhase, { lease, now }: LeaseFacts): Status {
  if (phase === 'Bound') return { heldSince: undefined, releaseRequestedAt: undefined };
  const asked = at(releaseAskedAt(lease, now));
  return phase === 'Held' ? { heldSince: lease.status?.heldSince ?? asked, releaseRequestedAt: asked } : { releaseRequestedAt: asked };
}

/** The status of a lease as its claim tells it: what was shortened or lost is put back. The floor shown never goes down. */
export function boundStatus(facts: LeaseFacts, claim: MacNodeBinding): Status {
  const { lease, mac } = facts;
  const floor = floorEnd(claim, lease.spec.minimumDuration);
  const shown = lease.status?.earliestReleaseAt;
  const phase = phaseOf(facts, floor);
  return {
    phase,
    chassis: lease.status?.chassis ?? claim.metadata.name,
    node: nodeName(claim.metadata.name),
    bindingUID: lease.status?.bindingUID ?? claim.metadata.uid,
    boundAt: lease.status?.boundAt ?? at(boundAtOf(claim)),
    earliestReleaseAt: shown !== undefined && parseInstant(shown) >= floor ? shown : at(floor),
    slots: { ...facts.slots },
    lastSeen: mac.macNode?.status?.lastSeen ?? lease.status?.lastSeen,
    observedGeneration: lease.metadata.generation,
    ...explanation(phase, floor, releaseAskedAt(lease, facts.now), facts),
    ...hold(phase, facts),
  };
}

/** Released after a claim: billing ended at the floor, or when the release was asked for if that was later. */
export function releasedStatus({ lease, now }: LeaseFacts, end: Instant): Status {
  const asked = releaseAskedAt(lease, now);
  return { phase: 'Released', releasedAt: at(now), reason: undefined, slots: undefined, message: `Released. Billed until ${at(instant(Math.max(end, asked)))}.`, observedGeneration: lease.metadata.generation };
}

/** Released without ever having had a Mac. */
export function withdrawnStatus({ lease, now }: LeaseFacts): Status {
  return { phase: 'Released', releasedAt: at(now), reason: undefined, message: 'Withdrawn while waiting for a Mac. Nothing is billed.', observedGeneration: lease.metadata.generation };
}

/** Waiting in line. One text whether a pinned Mac is absent or leased. */
export function waitingStatus({ lease, rows, doubt, retryAt }: LeaseFacts): Status {
  if (!rows.writable) {
    return { phase: 'Pending', reason: 'AuditUnavailable', message: 'The operator cannot write its record, and binds nothing until it can. Nothing is billed.', node: undefined, observedGeneration: lease.metadata.generation };
  }
  // Of a pinned Mac it is not said whether there is one.
  if ((doubt != null || retryAt !== undefined) && lease.spec.serial === undefined) {
    return { phase: 'Pending', reason: 'AgentUnavailable', message: `A free Mac of class ${lease.spec.class} does not confirm to the operator that it is ready; the lease waits in line and nothing is billed.`, node: undefined, observedGeneration: lease.metadata.generation };
  }
  const wanted = lease.spec.serial === undefined ? `No Mac of class ${lease.spec.class} is free now` : `Mac ${lease.spec.serial.toLowerCase()} is not available now`;
  return { phase: 'Pending', reason: 'NoCapacity', message: `${wanted}; the lease waits in line and nothing is billed.`, node: undefined, observedGeneration: lease.metadata.generation };
}

/** The Mac that is about to be claimed. Written before the claim, so that two operators cannot claim two Macs for one lease. */
export function bindingStatus({ lease }: LeaseFacts, serial: string): Status {
  return { phase: 'Binding', node: nodeName(serial), reason: undefined, message: undefined, observedGeneration: lease.metadata.generation };
}
