import { stat } from 'node:fs/promises';
import { AuditUnavailable, type AuditLog } from '../audit/audit-log';
import { openSqliteAuditLog } from '../audit/sqlite-audit-log';

type Open = (file: string) => Promise<AuditLog>;

interface Opened { readonly log: AuditLog; readonly inode: bigint }

const inodeOf = async (file: string): Promise<bigint> => (await stat(file, { bigint: true })).ino;

/**
 * The record in a file that need not be usable at the start: it is opened at the first use that succeeds. A file that is taken away while it is in
 * use makes the record unavailable until it is back: SQLite would go on writing to a file that nobody can find.
 */
export class LateAuditLog implements AuditLog {
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;

  constructor(private readonly file: string, private readonly open: Open = openSqliteAuditLog) {}

  readonly append: AuditLog['append'] = async (event) => (await this.#log()).append(event);
  readonly appendJournal: AuditLog['appendJournal'] = async (serial, seq, event) => (await this.#log()).appendJournal(serial, seq, event);
  readonly intent: AuditLog['intent'] = async (intent) => (await this.#log()).intent(intent);
  readonly outcome: AuditLog['outcome'] = async (key, event) => (await this.#log()).outcome(key, event);
  readonly abandon: AuditLog['abandon'] = async (key, at, why) => (await this.#log()).abandon(key, at, why);
  readonly openIntents: AuditLog['openIntents'] = async () => (await this.#log()).openIntents();
  readonly openIntent: AuditLog['openIntent'] = async (key) => (await this.#log()).openIntent(key);
  readonly has: AuditLog['has'] = async (dedupe) => (await this.#log()).has(dedupe);
  readonly rows: AuditLog['rows'] = async (filter) => (await this.#log()).rows(filter);
  readonly journalSeq: AuditLog['journalSeq'] = async (serial) => (await this.#log()).journalSeq(serial);
  readonly seen: AuditLog['seen'] = async (chassis) => (await this.#log()).seen(chassis);
  readonly noteDeletion: AuditLog['noteDeletion'] = async (leaseUID, actor, at) => (await this.#log()).noteDeletion(leaseUID, actor, at);
  readonly deletionActor: AuditLog['deletionActor'] = async (leaseUID) => (await this.#log()).deletionActor(leaseUID);
  readonly proveFleet: AuditLog['proveFleet'] = async (period) => (await this.#log()).proveFleet(period);

  async writable(): Promise<boolean> {
    try {
      return await (await this.#log()).writable();
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#opened?.log.close();
  }

  async #log(): Promise<AuditLog> {
    const { log, inode } = this.#opened ?? await this.#openOnce();
    const now = await inodeOf(this.file).catch(() => undefined);
    if (now !== inode) throw new AuditUnavailable(this.file, new Error('the file was taken away or replaced while it was in use; put it back, or restart the operator on the one that is to be used'));
    return log;
  }

  #openOnce(): Promise<Opened> {
    this.#opening ??= this.#openNow().finally(() => { this.#opening = undefined; });
    return this.#opening;
  }

  async #openNow(): Promise<Opened> {
    const log = await this.open(this.file);
    this.#opened = { log, inode: await inodeOf(this.file) };
    return this.#opened;
  }
}
