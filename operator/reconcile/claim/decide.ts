import { Annotation, Finalizer, RELEASE_MARGIN_MS, type MacOSInstance, type Node, type Pod } from '../../../sdk/api';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { SETTLED, waitUntil, type Decision } from '../engine/converge';
import { hasFinalizer } from '../engine/write';
import { isFresh, isWiped } from '../node/report';
import { leasedPatch, unleasedPatch } from '../node/taints';
import { floorEnd } from './floor';
import { isOutOfService, type ClaimFacts, type KnownOfClaim } from './facts';

/** The steps that end a claim. Each makes one write on the server, or one row. */
export type ClaimStep =
  | { readonly do: 'RecordOrphan' }
  | { readonly do: 'RecordStuck' }
  | { readonly do: 'DeleteInstance'; readonly instance: MacOSInstance }
  | { readonly do: 'DeletePod'; readonly pod: Pod }
  | { readonly do: 'PatchNode'; readonly patch: object }
  | { readonly do: 'DeleteNode'; readonly node: Node }
  | { readonly do: 'RecordIntent' }
  | { readonly do: 'StampClock' }
  | { readonly do: 'DeleteClaim' }
  | { readonly do: 'DropFinalizer' }
  | { readonly do: 'RecordOutcome' };

type Next = Decision<ClaimStep>;

const AUDIT_RETRY_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

/** Why a claim ends: its lease is being released, its lease is gone, or the lease has another Mac. Null while the lease needs it. */
export function endingOf({ claim, lease }: KnownOfClaim): 'release' | 'orphan' | null {
  if (lease === null) return 'orphan';
  const { chassis, phase } = lease.status ?? {};
  if (chassis !== undefined && chassis !== claim.metadata.name) return 'orphan';
  if (phase === 'Released') return 'orphan';
  return phase === 'Releasing' ? 'release' : null;
}

const podsOf = ({ claim, pods }: KnownOfClaim): readonly Pod[] => pods.filter((p) => p.metadata.annotations?.[Annotation.BindingUID] === claim.metadata.uid);

/** Machines first: they are stopped, and their disks given up. Null when the agent shows, freshly, nothing of the claim. */
function wipe(facts: KnownOfClaim): Next | null {
  const { claim, mac, now, instances } = facts;
  const instance = instances.find((i) => i.metadata.deletionTimestamp === undefined && ownedBy(i, facts));
  if (instance !== undefined) return { step: { do: 'DeleteInstance', instance } };
  const own = podsOf(facts);
  const pod = own.find((p) => p.metadata.deletionTimestamp === undefined);
  if (pod !== undefined) return { step: { do: 'DeletePod', pod } };
  // Nobody stops them there: they go with the node.
  if (isOutOfService(mac)) return null;
  if (own.length > 0) return SETTLED;
  if ((mac.node?.metadata.annotations?.[Annotation.KeepDisks] ?? '') !== '') return { step: { do: 'PatchNode', patch: { metadata: { annotations: { [Annotation.KeepDisks]: '' } } } } };
  if (instances.some((i) => ownedBy(i, facts))) return SETTLED;
  return mac.macNode !== null && isFresh(mac.macNode, now) && isWiped(mac.macNode, claim.metadata.uid) ? null : SETTLED;
}

/** Instances that live on this claim. Those of a namesake in a later namespace, or of a lease that has another Mac, are not ours to delete. */
function ownedBy({ metadata }: MacOSInstance, { claim, lease }: KnownOfClaim): boolean {
  const elsewhere = lease?.status?.chassis !== undefined && lease.status.chassis !== claim.metadata.name;
  return !elsewhere && (metadata.ownerReferences ?? []).some((o) => o.uid === claim.spec.leaseUID);
}

/** The node of a Mac out of service goes, which it may since it is unleased, and then Kubernetes collects the pods that nobody ends. Null when all are gone. */
function leaveCluster(facts: ClaimFacts): Next | null {
  const { node } = facts.mac;
  if (node !== null) return node.metadata.deletionTimestamp === undefined ? { step: { do: 'DeleteNode', node } } : SETTLED;
  return podsOf(facts).length > 0 || facts.instances.some((i) => ownedBy(i, facts)) ? SETTLED : null;
}

function giveBack(facts: ClaimFacts, floor: Instant): Next {
  const { claim, mac, rows, clock, now } = facts;
  const patch = mac.node === null ? null : unleasedPatch(mac.node);
  if (patch !== null) return { step: { do: 'PatchNode', patch } };
  if (!rows.writable) return waitUntil(instant(now + AUDIT_RETRY_MS));
  const leaving = isOutOfService(mac) ? leaveCluster(facts) : null;
  if (leaving !== null) return leaving;
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

const floorOfClaim = ({ claim, lease }: KnownOfClaim): Instant => floorEnd(claim, lease?.spec.minimumDuration);

/** What comes before the claim is given back; null when nothing does. */
function beforeGivingBack(facts: KnownOfClaim): Next | null {
  const { claim, mac, now, rows } = facts;
  if (isStuck(claim)) return rows.stuck || !rows.writable ? SETTLED : { step: { do: 'RecordStuck' } };
  const ending = endingOf(facts);
  if (ending === null) return SETTLED;
  const floor = floorOfClaim(facts);
  if (ending === 'orphan' && !rows.orphaned && rows.writable) return { step: { do: 'RecordOrphan' } };
  if (now < floor) {
    const patch = ending === 'orphan' && mac.node !== null ? leasedPatch(mac.node, claim.spec.tenant, claim.metadata.name) : null;
    return patch === null ? waitUntil(floor) : { step: { do: 'PatchNode', patch } };
  }
  const wiping = wipe(facts);
  if (wiping !== null) return wiping;
  const end = instant(floor + RELEASE_MARGIN_MS);
  return now < end ? waitUntil(end) : null;
}

/** True when all that the API knows says that the claim may end: from then on the Mac itself is asked. */
export function isReadyToEnd(facts: KnownOfClaim): boolean {
  return beforeGivingBack(facts) === null;
}

/**
 * The end of a claim: stop, wipe, wait for the floor and its margin, ask the Mac, unlease the node, delete the claim. A deletion that is stamped
 * before the floor leaves the claim stuck for good, so the time is read live just before it.
 */
export function decideClaim(facts: ClaimFacts): Next {
  const before = beforeGivingBack(facts);
  if (before !== null) return before;
  const { live, doubt, now } = facts;
  // A Mac that was not asked has confirmed nothing. The cached view asks nobody: it leads to the live one.
  if (live && doubt !== null) return waitUntil(doubt?.retryAt ?? instant(now + LOOK_AGAIN_MS));
  return giveBack(facts, floorOfClaim(facts));
}
