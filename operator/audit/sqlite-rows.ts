import type { Insertable, Selectable } from 'kysely';
import { instant } from '../../sdk/rules/instant';
import type { AuditEvent, AuditRow, AuditType, Intent, Layer, Subject } from './audit-log';
import { canonicalJson } from './canonical-json';
import type { AuditDatabase } from './sqlite-schema';

type Stored = Selectable<AuditDatabase['audit_log']>;
type New = Insertable<AuditDatabase['audit_log']>;

const columnsOf = (s: Subject) => ({ tenant: s.tenant ?? null, serial: s.serial ?? null, lease_uid: s.leaseUID ?? null, actor: s.actor ?? null, layer: s.layer ?? null });

export function newRow(event: AuditEvent, stage: AuditRow['stage'], operation?: string, attempt?: number): New {
  return {
    ts_api: event.at,
    // Never compared with anything: a reader who doubts the server's clock sees what this host thought.
    ts_local: Date.now(),
    type: event.type, stage, dedupe: event.dedupe, operation: operation ?? null, attempt: attempt ?? null,
    ...columnsOf(event), payload: canonicalJson(event.payload),
  };
}

function subjectOf(row: Stored): Subject {
  return {
    ...(row.tenant === null ? {} : { tenant: row.tenant }), ...(row.serial === null ? {} : { serial: row.serial }),
    ...(row.lease_uid === null ? {} : { leaseUID: row.lease_uid }), ...(row.actor === null ? {} : { actor: row.actor }),
    ...(row.layer === null ? {} : { layer: row.layer as Layer }),
  };
}

const bodyOf = (row: Stored) => ({ type: row.type as AuditType, at: instant(row.ts_api), payload: JSON.parse(row.payload) as Record<string, unknown>, ...subjectOf(row) });

export function readRow(row: Stored): AuditRow {
  return { ...bodyOf(row), seq: row.seq, stage: row.stage as AuditRow['stage'], dedupe: row.dedupe, ...(row.operation === null ? {} : { operation: row.operation }) };
}

export function readIntent(row: Stored): Intent {
  return { ...bodyOf(row), key: row.operation ?? '' };
}
