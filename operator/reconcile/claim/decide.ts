import { Annotation, Finalizer, RELEASE_MARGIN_MS, type MacOSInstance, type Pod } from '../../../sdk/api';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { SETTLED, waitUntil, type Decision } from '../engine/converge';
import { hasFinalizer } from '../engine/write';
import { isFresh, isWiped } from '../node/report';
import { leasedPatch, unleasedPatch } from '../node/taints';
import { floorEnd } from './floor';
import type { ClaimFacts } from './facts';

/** The steps that end a claim. Each makes one write on the server, or one row. */
export type ClaimStep =
  | { readonly do: 'RecordOrphan' }
  | { readonly do: 'RecordStuck' }
  | { readonly do: 'DeleteInstance'; readonly instance: MacOSInstance }
  | { readonly do: 'DeletePod'; readonly pod: Pod }
  | { readonly do: 'PatchNode'; readonly patch: object }
  | { readonly do: 'RecordIntent' }
  | { readonly do: 'StampClock' }
  | { readonly do: 'DeleteClaim' }
  | { readonly do: 'DropFinalizer' }
  | { readonly do: 'RecordOutcome' };

type Next = Decision<ClaimStep>;

const AUDIT_RETRY_MS = 5_000;

/** Why a claim ends: its lease is being released, its lease is gone, or the lease has another Mac. Null while the lease needs it. */
export function endingOf({ claim, lease }: ClaimFacts): 'release' | 'orphan' | null {
  if (lease === null) return 'orphan';
  const { chassis, phase } = lease.status ?? {};
  if (chassis !== undefined && chassis !== claim.metadata.name) return 'orphan';
  if (phase === 'Released') return 'orphan';
  return phase === 'Releasing' ? 'release' : null;
}

/** Machines first: they are stopped, and their disks given up. Null when the agent shows, freshly, nothing of the claim. */
function wipe(facts: ClaimFacts): Next | null {
  const { claim, mac, now, instances, pods } = facts;
  const instance = instances.find((i) => i.metadata.deletionTimestamp === undefined && ownedBy(i, facts));
  if (instance !== undefined) return { step: { do: 'DeleteInstance', instance } };
  const own = pods.filter((p) => p.metadata.annotations?.[Annotation.BindingUID] === claim.metadata.uid);
  const pod = own.find((p) => p.metadata.deletionTimestamp === undefined);
  if (pod !== undefined) return { step: { do: 'DeletePod', pod } };
  if (own.length > 0) return SETTLED;
  if ((mac.node?.metadata.annotations?.[Annotation.KeepDisks] ?? '') !== '') return { step: { do: 'PatchNode', patch: { metadata: { annotations: { [Annotation.KeepDisks]: '' } } } } };
  if (instances.some((i) => ownedBy(i, facts))) return SETTLED;
  // A Mac that the administrator has taken out of the fleet counts as wiped: it is in no pool.
  if (mac.macNode === null) return null;
  return isFresh(mac.macNode, now) && isWiped(mac.macNode, claim.metadata.uid) ? null : SETTLED;
}

/** Instances that live on this claim. Those of a namesake in a later namespace, or of a lease that has another Mac, are not ours to delete. */
function ownedBy({ metadata }: MacOSInstance, { claim, lease }: ClaimFacts): boolean {
  const elsewhere = lease?.status?.chassis !== undefined && lease.status.chassis !== claim.metadata.name;
  return !elsewhere && (metadata.ownerReferences ?? []).some((o) => o.uid === claim.spec.leaseUID);
}

function giveBack(facts: ClaimFacts, floor: Instant): Next {
  const { claim, mac, rows, clock, now } = facts;
  const patch = mac.node === null ? null : unleasedPatch(mac.node);
  if (patch !== null) return { step: { do: 'PatchNode', patch } };
  if (!rows.writable) return waitUntil(instant(now + AUDIT_RETRY_MS));
  if (claim.metadata.deletionTimestamp !== undefined) return letGo(facts);
  if (!rows.intent) return { step: { do: 'RecordIntent' } };
  if (clock !== undefined && (clock === null || parseInstant(clock.metadata.creationTimestamp) < floor)) return { step: { do: 'StampClock' } };
  return { step: { do: 'DeleteClaim' } };
}

/** The deletion is stamped past the floor and cannot be undone. A claim without a lease has nobody else to write its row. */
function letGo(facts: ClaimFacts): Next {
  if (!hasFinalizer(facts.claim, Finalizer.Claim)) return SETTLED;
  return { step: { do: endingOf(facts) === 'orphan' && !facts.rows.released ? 'RecordOutcome' : 'DropFinalizer' } };
}

/** Deleted before its floor, a claim can never end through the API: the Mac stays out of service until a repair on the control-plane host. */
function isStuck(claim: ClaimFacts['claim']): boolean {
  const deleted = claim.metadata.deletionTimestamp;
  return deleted !== undefined && parseInstant(deleted) < floorEnd(claim);
}

/**
 * The end of a claim: stop, wipe, wait for the floor and its margin, unlease the node, delete the claim. A deletion that is stamped before
 * the floor leaves the claim stuck for good, so the time is read live just before it.
 */
export function decideClaim(facts: ClaimFacts): Next {
  const { claim, lease, mac, now, rows } = facts;
  if (isStuck(claim)) return rows.stuck || !rows.writable ? SETTLED : { step: { do: 'RecordStuck' } };
  const ending = endingOf(facts);
  if (ending === null) return SETTLED;
  const floor = floorEnd(claim, lease?.spec.minimumDuration);
  if (ending === 'orphan' && !rows.orphaned && rows.writable) return { step: { do: 'RecordOrphan' } };
  if (now < floor) {
    const patch = ending === 'orphan' && mac.node !== null ? leasedPatch(mac.node, claim.spec.tenant, claim.metadata.name) : null;
    return patch === null ? waitUntil(floor) : { step: { do: 'PatchNode', patch } };
  }
  const wiping = wipe(facts);
  if (wiping !== null) return wiping;
  const end = instant(floor + RELEASE_MARGIN_MS);
  return now < end ? waitUntil(end) : giveBack(facts, floor);
}
