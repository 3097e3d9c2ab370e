import type { AdmissionResponse } from '../../admission/review';
import { AuditType, type AuditEvent, type AuditLog, type Layer } from '../../audit/audit-log';

/** Told of each refusal, once. */
export type Count = (reason: string, layer: Layer) => void;

const REASON_OF: Partial<Record<AuditType, string>> = { [AuditType.ThirdInstanceRejected]: 'ThirdInstance', [AuditType.CrossTenantRejected]: 'CrossTenant' };

function reasonOf({ type, payload }: AuditEvent): string | undefined {
  if (type === AuditType.StartRefused) return typeof payload['reason'] === 'string' ? payload['reason'] : 'StartRefused';
  return REASON_OF[type];
}

/** The reasons that a denial of the webhooks gives. */
export function countDenial({ allowed, status }: AdmissionResponse, count: Count): void {
  if (!allowed) for (const { reason } of status?.details?.causes ?? []) count(reason, 'webhook');
}

/** The record, with the refusals of every layer counted as they are stored. Those of the webhooks are counted where they are answered. */
export function countingAudit(inner: AuditLog, count: Count): AuditLog {
  const counted = async (event: AuditEvent, stored: Promise<boolean>): Promise<boolean> => {
    const isNew = await stored;
    const reason = reasonOf(event);
    if (isNew && reason !== undefined && event.layer !== undefined && event.layer !== 'webhook') count(reason, event.layer);
    return isNew;
  };
  return {
    append: (event) => counted(event, inner.append(event)),
    appendJournal: (serial, seq, event) => counted(event, inner.appendJournal(serial, seq, event)),
    intent: (intent) => inner.intent(intent), outcome: (key, event) => inner.outcome(key, event), abandon: (key, at, why) => inner.abandon(key, at, why),
    openIntents: () => inner.openIntents(), openIntent: (key) => inner.openIntent(key), has: (dedupe) => inner.has(dedupe), rows: (filter) => inner.rows(filter),
    writable: () => inner.writable(), journalSeq: (serial) => inner.journalSeq(serial), seen: (chassis) => inner.seen(chassis),
    noteDeletion: (leaseUID, actor, at) => inner.noteDeletion(leaseUID, actor, at), deletionActor: (leaseUID) => inner.deletionActor(leaseUID),
    proveFleet: (period) => inner.proveFleet(period), close: () => inner.close(),
  };
}
