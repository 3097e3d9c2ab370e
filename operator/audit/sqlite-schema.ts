import type { Generated, Kysely } from 'kysely';

interface AuditTable {
  seq: Generated<number>;
  /** Milliseconds since the epoch, from the API server. Decides. */
  ts_api: number;
  /** Milliseconds since the epoch, from this host. For diagnosis only. */
  ts_local: number;
  type: string;
  stage: string;
  dedupe: string;
  operation: string | null;
  attempt: number | null;
  tenant: string | null;
  serial: string | null;
  lease_uid: string | null;
  actor: string | null;
  layer: string | null;
  payload: string;
}

interface ChassisTable { serial: string; enrolled_at: number; last_seen: number }
interface InboxTable { lease_uid: string; actor: string; ts_api: number }

export interface AuditDatabase { audit_log: AuditTable; chassis: ChassisTable; release_inbox: InboxTable }

/** Creates what is missing. Safe to run by two processes and on every start. */
export async function migrate(db: Kysely<AuditDatabase>): Promise<void> {
  await db.schema.createTable('audit_log').ifNotExists()
    .addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('ts_api', 'integer', (c) => c.notNull())
    .addColumn('ts_local', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('dedupe', 'text', (c) => c.notNull().unique())
    .addColumn('operation', 'text').addColumn('attempt', 'integer')
    .addColumn('tenant', 'text').addColumn('serial', 'text').addColumn('lease_uid', 'text').addColumn('actor', 'text').addColumn('layer', 'text')
    .addColumn('payload', 'text', (c) => c.notNull()).execute();
  for (const column of ['operation', 'lease_uid', 'serial', 'type'] as const) {
    await db.schema.createIndex(`audit_log_${column}`).ifNotExists().on('audit_log').column(column).execute();
  }
  await db.schema.createTable('chassis').ifNotExists()
    .addColumn('serial', 'text', (c) => c.primaryKey()).addColumn('enrolled_at', 'integer', (c) => c.notNull())
    .addColumn('last_seen', 'integer', (c) => c.notNull()).execute();
  await db.schema.createTable('release_inbox').ifNotExists()
    .addColumn('lease_uid', 'text', (c) => c.primaryKey()).addColumn('actor', 'text', (c) => c.notNull()).addColumn('ts_api', 'integer', (c) => c.notNull()).execute();
}
