import { Annotation, type MacNodeLease } from '../../../sdk/api';
import { parseInstant, type Instant } from '../../../sdk/rules/instant';
import { AuditType, type AuditEvent, type Intent } from '../../audit/audit-log';
import { LeaseKeys } from '../../audit/lease-keys';
import { isUnleased } from '../node/taints';
import type { LeaseFacts } from './facts';

const UNKNOWN_ACTOR = 'unknown';

function subjectOf({ metadata, status }: MacNodeLease) {
  return { tenant: metadata.namespace ?? '', leaseUID: metadata.uid, ...(status?.chassis === undefined ? {} : { serial: status.chassis }) };
}

const seconds = (from: string | undefined, to: string | undefined): number => (from === undefined || to === undefined ? 0 : (parseInstant(to) - parseInstant(from)) / 1000);
const timeOf = (text: string | undefined, now: Instant): Instant => (text === undefined ? now : parseInstant(text));

/** "Lease bound": tenant namespace, chassis serial, boundAt, earliestReleaseAt, actor. */
export function boundEvent({ lease, now }: LeaseFacts): AuditEvent {
  const { boundAt, earliestReleaseAt, bindingUID, chassis } = lease.status ?? {};
  const actor = lease.metadata.annotations?.[Annotation.RequestedBy] ?? UNKNOWN_ACTOR;
  return {
    type: AuditType.LeaseBound, dedupe: LeaseKeys.bound(lease.metadata.uid), at: timeOf(boundAt, now), actor, ...subjectOf(lease),
    payload: { namespace: lease.metadata.namespace, lease: lease.metadata.name, serial: chassis, bindingUID, boundAt, earliestReleaseAt, actor },
  };
}

/** "Early delete converted to Held": attempted at, remaining floor in seconds, who asked. */
export function heldEvent({ lease, now }: LeaseFacts, deletedBy: string | undefined): AuditEvent {
  const { heldSince, releaseRequestedAt, earliestReleaseAt } = lease.status ?? {};
  const byDelete = lease.metadata.deletionTimestamp !== undefined && !lease.spec.release;
  const actor = (byDelete ? deletedBy : lease.metadata.annotations?.[Annotation.ReleaseRequestedBy]) ?? UNKNOWN_ACTOR;
  return {
    type: AuditType.EarlyDeleteHeld, dedupe: LeaseKeys.held(lease.metadata.uid, timeOf(heldSince, now)), at: timeOf(heldSince, now), actor, ...subjectOf(lease),
    payload: {
      namespace: lease.metadata.namespace, lease: lease.metadata.name, attemptedAt: releaseRequestedAt, heldUntil: earliestReleaseAt,
      remainingFloorSeconds: seconds(releaseRequestedAt, earliestReleaseAt), by: byDelete ? 'delete' : 'spec.release', actor,
    },
  };
}

/** What the release intent saw of the node just before the claim went: afterwards the next tenant may have it. */
export interface Confirmation { readonly nodeUnleased: boolean; readonly tenantTaintGone: boolean }

/** "Lease released": releasedAt, duration in seconds, and the confirmation that the node is unleased and its tenant taint gone. */
export function releasedEvent({ lease, now, mac }: LeaseFacts, intent: Intent | undefined): AuditEvent {
  const { releasedAt, boundAt, bindingUID } = lease.status ?? {};
  const clear = mac.node !== null && isUnleased(mac.node);
  const confirmation = intent?.payload ?? { nodeUnleased: clear, tenantTaintGone: clear };
  return {
    type: AuditType.LeaseReleased, dedupe: LeaseKeys.released(bindingUID ?? ''), at: timeOf(releasedAt, now), ...subjectOf(lease),
    payload: {
      namespace: lease.metadata.namespace, lease: lease.metadata.name, bindingUID, boundAt, releasedAt, durationSeconds: seconds(boundAt, releasedAt),
      nodeUnleased: confirmation['nodeUnleased'] === true, tenantTaintGone: confirmation['tenantTaintGone'] === true,
    },
  };
}
