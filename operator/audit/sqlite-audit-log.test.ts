import Database from 'better-sqlite3';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '../../sdk/rules/instant';
import { AuditType, AuditUnavailable, type AuditEvent, type AuditLog, type Intent } from './audit-log';
import { canonicalJson } from './canonical-json';
import { openSqliteAuditLog } from './sqlite-audit-log';

let directory: string;
let file: string;
let audit: AuditLog;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'audit-'));
  file = join(directory, 'audit.db');
  audit = await openSqliteAuditLog(file);
});
afterEach(async () => {
  await audit.close();
  rmSync(directory, { recursive: true, force: true });
});

const at = instant(1_000);
const event = (dedupe: string, of: Partial<AuditEvent> = {}): AuditEvent => ({ type: AuditType.LeaseBound, dedupe, at, tenant: 'a', serial: 'c02a', leaseUID: 'l1', payload: { b: 1, a: [2] }, ...of });
const intent = (key: string): Intent => ({ key, type: AuditType.LeaseBound, at, leaseUID: 'l1', payload: { serial: 'c02a' } });

describe('the record', () => {
  it('stores an event once, whoever writes it', async () => {
    const second = await openSqliteAuditLog(file);
    expect(await audit.append(event('k'))).toBe(true);
    expect(await second.append(event('k', { actor: 'another' }))).toBe(false);
    await second.close();
    expect(await audit.rows()).toMatchObject([{ seq: 1, dedupe: 'k', tenant: 'a', serial: 'c02a', payload: { a: [2], b: 1 } }]);
  });

  it('keeps what was written over a restart', async () => {
    await audit.append(event('k'));
    await audit.intent(intent('op'));
    await audit.close();
    audit = await openSqliteAuditLog(file);
    expect(await audit.has('k')).toBe(true);
    expect((await audit.openIntents()).map((i) => i.key)).toEqual(['op']);
  });

  it('opens an intent once, and closes it by its outcome', async () => {
    await audit.intent(intent('op'));
    await audit.intent(intent('op'));
    expect(await audit.rows()).toHaveLength(1);
    expect(await audit.outcome('op', event('done'))).toBe(true);
    expect(await audit.outcome('op', event('done'))).toBe(false);
    expect(await audit.openIntents()).toEqual([]);
  });

  it('abandons an intent, which may be opened again', async () => {
    await audit.intent(intent('op'));
    await audit.abandon('op', at, 'lost the race');
    await audit.abandon('op', at, 'lost the race');
    expect(await audit.openIntents()).toEqual([]);
    await audit.intent(intent('op'));
    expect(await audit.openIntent('op')).toMatchObject({ key: 'op', payload: { serial: 'c02a' } });
    expect((await audit.rows()).map((r) => r.stage)).toEqual(['intent', 'abandoned', 'intent']);
  });

  it('knows the last number that it took from a Mac', async () => {
    expect(await audit.journalSeq('c02a')).toBe(0);
    await audit.appendJournal('c02a', 7, event('journal/c02a/7'));
    await audit.appendJournal('c02b', 9, event('journal/c02b/9'));
    expect(await audit.journalSeq('c02a')).toBe(7);
  });

  it('keeps the first who asked for a deletion', async () => {
    await audit.noteDeletion('l1', 'alice', at);
    await audit.noteDeletion('l1', 'bob', at);
    expect(await audit.deletionActor('l1')).toBe('alice');
    expect(await audit.deletionActor('l2')).toBeUndefined();
  });

  it('is on disk when a write returns: write-ahead log, full synchronous', async () => {
    await audit.append(event('k'));
    const other = new Database(file, { readonly: true });
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(other.prepare('select count(*) as n from audit_log').get()).toEqual({ n: 1 });
    other.close();
  });

  it('is for its owner alone, with the files beside it, until its owner says otherwise', async () => {
    await audit.append(event('k'));
    expect(readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    chmodSync(file, 0o640);
    await (await openSqliteAuditLog(file)).close();
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('says that it cannot be opened, with the file and what that means', async () => {
    const opened = openSqliteAuditLog(join(directory, 'missing', 'audit.db'));
    await expect(opened).rejects.toThrow(AuditUnavailable);
    await expect(opened).rejects.toThrow(/missing\/audit\.db cannot be used.*Nothing is bound/);
  });

  it('is not writable while another process holds the file', async () => {
    const other = new Database(file);
    other.exec('begin exclusive');
    expect(await audit.writable()).toBe(false);
    other.exec('rollback');
    other.close();
    expect(await audit.writable()).toBe(true);
  });
});

describe('canonical JSON', () => {
  it('is the same text for the same payload, whatever the order of its keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined, z: true })).toBe('{"b":[1,{"c":"x","d":null}],"z":true}');
    expect(canonicalJson({ z: true, b: [1, { c: 'x', d: null }] })).toBe('{"b":[1,{"c":"x","d":null}],"z":true}');
  });
});
