import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { chmodSync, existsSync } from 'node:fs';
import { instant, type Instant } from '../../sdk/rules/instant';
import { AuditUnavailable, type AuditEvent, type AuditLog, type AuditRow, type ChassisSeen, type Intent, type RowFilter } from './audit-log';
import { proveFleet, type FleetProof } from './prove-fleet';
import { evidenceOf } from './evidence';
import { newRow, readIntent, readRow } from './sqlite-rows';
import { migrate, type AuditDatabase } from './sqlite-schema';

const SEEN_EVERY_MS = 60_000;
const BUSY_TIMEOUT_MS = 5_000;

/** The record in one SQLite file: write-ahead log, every commit on disk before it returns. Two operators may share the file. */
export async function openSqliteAuditLog(file: string): Promise<AuditLog> {
  try {
    const isNew = !existsSync(file);
    const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    // It names every tenant. SQLite gives the files beside it the same mode; a record that is there keeps the one that its owner gave it.
    if (isNew) chmodSync(file, 0o600);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    const db = new Kysely<AuditDatabase>({ dialect: new SqliteDialect({ database }) });
    await migrate(db);
    return new SqliteAuditLog(file, db);
  } catch (error) {
    throw new AuditUnavailable(file, error);
  }
}

/** The record as an auditor has it, or a copy of it: nothing is written, and nothing is made where it is missing. @throws AuditUnavailable */
export function readSqliteAuditLog(file: string): Pick<AuditLog, 'rows' | 'proveFleet' | 'close'> {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    return new SqliteAuditLog(file, new Kysely<AuditDatabase>({ dialect: new SqliteDialect({ database }) }));
  } catch (error) {
    throw new AuditUnavailable(file, error);
  }
}

class SqliteAuditLog implements AuditLog {
  readonly #seen = new Map<string, { stored: Instant; newest: ChassisSeen }>();

  constructor(private readonly file: string, private readonly db: Kysely<AuditDatabase>) {}

  append(event: AuditEvent): Promise<boolean> {
    return this.#guard(() => this.#insert(newRow(event, 'event')));
  }

  intent(intent: Intent): Promise<void> {
    return this.#guard(async () => {
      if ((await this.#open(intent.key)) !== undefined) return;
      const attempt = (await this.#abandoned(intent.key)) + 1;
      await this.#insert(newRow({ ...intent, dedupe: `intent/${intent.key}/${attempt}` }, 'intent', intent.key, attempt));
    });
  }

  appendJournal(serial: string, seq: number, event: AuditEvent): Promise<boolean> {
    return this.#guard(() => this.#insert(newRow(event, 'event', `journal/${serial}`, seq)));
  }

  outcome(key: string, event: AuditEvent): Promise<boolean> {
    return this.#guard(() => this.#insert(newRow(event, 'outcome', key)));
  }

  abandon(key: string, at: Instant, why: string): Promise<void> {
    return this.#guard(async () => {
      const open = await this.#open(key);
      if (open === undefined) return;
      const attempt = (await this.#abandoned(key)) + 1;
      await this.#insert(newRow({ ...open, at, payload: { why }, dedupe: `abandoned/${key}/${attempt}` }, 'abandoned', key, attempt));
    });
  }

  openIntents(): Promise<readonly Intent[]> {
    return this.#guard(async () => (await this.#openQuery().execute()).map(readIntent));
  }

  openIntent(key: string): Promise<Intent | undefined> {
    return this.#guard(() => this.#open(key));
  }

  has(dedupe: string): Promise<boolean> {
    return this.#guard(async () => (await this.db.selectFrom('audit_log').select('seq').where('dedupe', '=', dedupe).executeTakeFirst()) !== undefined);
  }

  rows(filter: RowFilter = {}): Promise<readonly AuditRow[]> {
    return this.#guard(async () => {
      let query = this.db.selectFrom('audit_log').selectAll().orderBy('seq');
      if (filter.type !== undefined) query = query.where('type', '=', filter.type);
      if (filter.leaseUID !== undefined) query = query.where('lease_uid', '=', filter.leaseUID);
      if (filter.serial !== undefined) query = query.where('serial', '=', filter.serial);
      return (await query.execute()).map(readRow);
    });
  }

  async writable(): Promise<boolean> {
    try {
      // A write that changes nothing still takes the write lock and touches the log file.
      await this.db.updateTable('chassis').set({ last_seen: 0 }).where('serial', '=', '').execute();
      return true;
    } catch {
      return false;
    }
  }

  journalSeq(serial: string): Promise<number> {
    return this.#guard(async () => {
      const last = await this.db.selectFrom('audit_log').select((e) => e.fn.max('attempt').as('seq')).where('operation', '=', `journal/${serial}`).executeTakeFirst();
      return Number(last?.seq ?? 0);
    });
  }

  seen(chassis: ChassisSeen): Promise<void> {
    return this.#guard(async () => {
      const known = this.#seen.get(chassis.serial);
      if (known !== undefined && chassis.lastSeen < known.newest.lastSeen) return;
      const due = known === undefined || chassis.lastSeen - known.stored >= SEEN_EVERY_MS;
      this.#seen.set(chassis.serial, { stored: due ? chassis.lastSeen : known.stored, newest: chassis });
      if (due) await this.#storeSeen(chassis);
    });
  }

  noteDeletion(leaseUID: string, actor: string, at: Instant): Promise<void> {
    return this.#guard(async () => {
      await this.db.insertInto('release_inbox').values({ lease_uid: leaseUID, actor, ts_api: at }).onConflict((c) => c.column('lease_uid').doNothing()).execute();
    });
  }

  deletionActor(leaseUID: string): Promise<string | undefined> {
    return this.#guard(async () => (await this.db.selectFrom('release_inbox').select('actor').where('lease_uid', '=', leaseUID).executeTakeFirst())?.actor);
  }

  proveFleet(period: { readonly from: Instant; readonly to: Instant }): Promise<FleetProof> {
    return this.#guard(async () => proveFleet(evidenceOf(await this.rows(), await this.#chassis()), period));
  }

  async close(): Promise<void> {
    for (const { newest } of this.#seen.values()) await this.#storeSeen(newest).catch(() => undefined);
    await this.db.destroy();
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof AuditUnavailable ? error : new AuditUnavailable(this.file, error);
    }
  }

  async #insert(row: ReturnType<typeof newRow>): Promise<boolean> {
    const result = await this.db.insertInto('audit_log').values(row).onConflict((c) => c.column('dedupe').doNothing()).executeTakeFirst();
    return Number(result.numInsertedOrUpdatedRows ?? 0) > 0;
  }

  #openQuery() {
    return this.db.selectFrom('audit_log as i').selectAll('i').where('i.stage', '=', 'intent')
      .where((e) => e.not(e.exists(e.selectFrom('audit_log as o').select('o.seq').whereRef('o.operation', '=', 'i.operation')
        .where((o) => o.or([o('o.stage', '=', 'outcome'), o.and([o('o.stage', '=', 'abandoned'), o('o.attempt', '=', o.ref('i.attempt'))])])))))
      .orderBy('i.seq');
  }

  async #open(key: string): Promise<Intent | undefined> {
    const row = await this.#openQuery().where('i.operation', '=', key).executeTakeFirst();
    return row === undefined ? undefined : readIntent(row);
  }

  async #abandoned(key: string): Promise<number> {
    const { n } = await this.db.selectFrom('audit_log').select((e) => e.fn.countAll().as('n')).where('operation', '=', key).where('stage', '=', 'abandoned').executeTakeFirstOrThrow();
    return Number(n);
  }

  async #storeSeen({ serial, enrolledAt, lastSeen }: ChassisSeen): Promise<void> {
    await this.db.insertInto('chassis').values({ serial, enrolled_at: enrolledAt, last_seen: lastSeen })
      .onConflict((c) => c.column('serial').doUpdateSet({ last_seen: lastSeen })).execute();
  }

  async #chassis(): Promise<ChassisSeen[]> {
    const stored = await this.db.selectFrom('chassis').selectAll().execute();
    return stored.map((c) => {
      const newest = this.#seen.get(c.serial)?.newest.lastSeen ?? c.last_seen;
      return { serial: c.serial, enrolledAt: instant(c.enrolled_at), lastSeen: instant(Math.max(newest, c.last_seen)) };
    });
  }
}
