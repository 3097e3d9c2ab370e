import { Finalizer, Kinds } from '../../../sdk/api';
import { isFault } from '../../../sdk/client/errors';
import { formatInstant } from '../../../sdk/rules/instant';
import { AuditType, type AuditEvent } from '../../audit/audit-log';
import { LeaseKeys } from '../../audit/lease-keys';
import { stampClock } from '../clock';
import type { Context } from '../context';
import { removeExactly, swap, withoutFinalizer } from '../engine/write';
import { isUnleased } from '../node/taints';
import type { ClaimStep } from './decide';
import { isOutOfService, type ClaimFacts } from './facts';
import { boundAtOf, floorEnd } from './floor';

const subjectOf = ({ claim }: ClaimFacts) => ({ tenant: claim.spec.tenant, serial: claim.metadata.name, leaseUID: claim.spec.leaseUID });

/** What the record says of a claim in every row. */
const factsOf = ({ claim }: ClaimFacts) => ({ namespace: claim.spec.leaseNamespace, lease: claim.spec.leaseName, bindingUID: claim.metadata.uid, boundAt: formatInstant(boundAtOf(claim)) });

async function recordIntent({ audit }: Context, facts: ClaimFacts): Promise<void> {
  const { node } = facts.mac;
  // The confirmation is read now, while the claim still keeps the next tenant away.
  const clear = node === null || isUnleased(node);
  await audit.intent({
    key: LeaseKeys.release(facts.claim.metadata.uid), type: AuditType.LeaseReleased, at: facts.now, ...subjectOf(facts),
    payload: { ...factsOf(facts), nodeUnleased: clear, tenantTaintGone: clear, nodePresent: node !== null, wipe: isOutOfService(facts.mac) ? 'retired' : 'confirmed' },
  });
}

/** The outcome for a claim without a lease; a lease writes its own. */
function orphanOutcome(facts: ClaimFacts): AuditEvent {
  const { claim, now } = facts;
  return {
    type: AuditType.LeaseReleased, dedupe: LeaseKeys.released(claim.metadata.uid), at: now, ...subjectOf(facts),
    payload: { ...factsOf(facts), releasedAt: formatInstant(now), durationSeconds: (now - boundAtOf(claim)) / 1000, orphan: true, nodeUnleased: true, tenantTaintGone: true },
  };
}

async function dropFinalizer(context: Context, facts: ClaimFacts): Promise<void> {
  const { claim } = facts;
  await swap(context.plane, Kinds.MacNodeBinding, claim, { metadata: { finalizers: withoutFinalizer(claim, Finalizer.Claim) } });
}

async function note({ audit, log }: Context, facts: ClaimFacts, type: AuditEvent['type'], dedupe: string, message: string): Promise<void> {
  log.warn({ serial: facts.claim.metadata.name, ...factsOf(facts) }, message);
  const until = formatInstant(floorEnd(facts.claim, facts.lease?.spec.minimumDuration));
  await audit.append({ type, dedupe, at: facts.now, ...subjectOf(facts), payload: { ...factsOf(facts), heldUntil: until, deletedAt: facts.claim.metadata.deletionTimestamp ?? null } });
}

async function deleted(removal: Promise<void>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!isFault(error, 'NotFound')) throw error;
  });
}

/** Takes one step of a claim. */
export async function performClaim(context: Context, step: ClaimStep, facts: ClaimFacts): Promise<void> {
  const { plane } = context;
  const { claim, mac } = facts;
  switch (step.do) {
    case 'RecordOrphan':
      return note(context, facts, AuditType.ClaimOrphaned, LeaseKeys.orphaned(claim.metadata.uid), 'the lease of a claim is gone; the claim ends at its floor');
    case 'RecordStuck':
      return note(context, facts, AuditType.ClaimStuck, LeaseKeys.stuck(claim.metadata.uid), 'a claim was deleted before its floor: it cannot end through the API, and the Mac stays out of service until it is repaired on the control-plane host');
    case 'DeleteInstance':
      return deleted(removeExactly(plane, Kinds.MacOSInstance, step.instance));
    case 'DeletePod':
      return deleted(removeExactly(plane, Kinds.Pod, step.pod));
    case 'PatchNode':
      if (mac.node === null) throw new Error(`the node of Mac ${claim.metadata.name} is gone`);
      return void (await swap(plane, Kinds.Node, mac.node, step.patch));
    case 'DeleteNode':
      return deleted(removeExactly(plane, Kinds.Node, step.node));
    case 'RecordIntent':
      return recordIntent(context, facts);
    case 'StampClock':
      return stampClock(plane);
    case 'DeleteClaim':
      return deleted(removeExactly(plane, Kinds.MacNodeBinding, claim));
    case 'DropFinalizer':
      return dropFinalizer(context, facts);
    case 'RecordOutcome':
      return void (await context.audit.outcome(LeaseKeys.release(claim.metadata.uid), orphanOutcome(facts)));
  }
}
