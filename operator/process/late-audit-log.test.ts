import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInstant } from '../../sdk/rules/instant';
import { AuditType, AuditUnavailable } from '../audit/audit-log';
import { LateAuditLog } from './late-audit-log';

let directory: string;
let audit: LateAuditLog;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'late-audit-'));
  audit = new LateAuditLog(join(directory, 'later', 'audit.db'));
});
afterEach(async () => {
  await audit.close();
  rmSync(directory, { recursive: true, force: true });
});

const event = (dedupe: string) => ({ type: AuditType.LeaseBound, dedupe, at: parseInstant('2026-11-29T10:00:00Z'), payload: {} });

it('is unavailable while the file cannot be opened, and says why', async () => {
  expect(await audit.writable()).toBe(false);
  await expect(audit.append(event('a'))).rejects.toThrow(AuditUnavailable);
  await expect(audit.openIntents()).rejects.toThrow(/directory does not exist/);
});

it('works as soon as it can be', async () => {
  expect(await audit.writable()).toBe(false);
  mkdirSync(join(directory, 'later'));
  expect(await audit.writable()).toBe(true);
  expect(await Promise.all([audit.append(event('a')), audit.append(event('a'))])).toEqual([true, false]);
});

it('writes nothing into a file that was taken away, and goes on when it is put back', async () => {
  mkdirSync(join(directory, 'later'));
  await audit.append(event('a'));
  renameSync(join(directory, 'later'), join(directory, 'away'));
  expect(await audit.writable()).toBe(false);
  await expect(audit.append(event('b'))).rejects.toThrow(/taken away or replaced while it was in use/);
  renameSync(join(directory, 'away'), join(directory, 'later'));
  expect([await audit.append(event('b')), (await audit.rows()).map(({ dedupe }) => dedupe)]).toEqual([true, ['a', 'b']]);
});
