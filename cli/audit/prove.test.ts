import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditType, type AuditLog } from '../../operator/audit/audit-log';
import { openSqliteAuditLog } from '../../operator/audit/sqlite-audit-log';
import { instant, parseInstant, type Instant } from '../../sdk/rules/instant';
import { auditType, instantOf } from './options';
import { prove } from './prove';
import { rows } from './rows';

const HOUR_MS = 3_600_000;
const T0 = parseInstant('2026-11-01T10:00:00Z');
const after = (hours: number): Instant => instant(T0 + hours * HOUR_MS);

let directory: string;
let file: string;
let record: AuditLog;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'macrack-audit-'));
  file = join(directory, 'audit.sqlite');
  record = await openSqliteAuditLog(file);
});
afterEach(async () => {
  await record.close();
  rmSync(directory, { recursive: true, force: true });
});

const seen = (serial: string, hours: number): Promise<void> => record.seen({ serial, enrolledAt: T0, lastSeen: after(hours) });

/** A lease that ended after so many hours. */
async function leased(serial: string, tenant: string, begin: number, hours: number): Promise<void> {
  const bindingUID = `${serial}-${begin}`;
  const of = { serial, tenant, leaseUID: bindingUID };
  await record.outcome(`bind/${bindingUID}`, { ...of, type: AuditType.LeaseBound, dedupe: `bound/${bindingUID}`, at: after(begin), payload: { bindingUID } });
  await record.outcome(`release/${bindingUID}`, { ...of, type: AuditType.LeaseReleased, dedupe: `released/${bindingUID}`, at: after(begin + hours), payload: { bindingUID } });
}

async function asked(options: Partial<Parameters<typeof prove>[0]> = {}): Promise<{ status: number; lines: string[] }> {
  const lines: string[] = [];
  return { status: await prove({ file, days: 90, ...options }, (line) => lines.push(line)), lines };
}

it('a fleet of which all is known is proven, beside the operator that writes', async () => {
  await leased('c02a', 'team-a', 0, 30);
  await seen('c02a', 40);
  await seen('c02b', 40);
  const { status, lines } = await asked();
  expect([status, lines[0]]).toEqual([0, expect.stringMatching(/^proven: no Mac ran two tenants or three virtual machines.*; 2 Macs, 2026-08-05T01:58:00Z to 2026-11-03T01:58:00Z$/)]);
});

it('a claim that was too short is a violation, with its span and its rows', async () => {
  await leased('c02a', 'team-a', 0, 23);
  await seen('c02a', 40);
  const { status, lines } = await asked({ output: 'json' });
  expect(status).toBe(3);
  expect(JSON.parse(lines.join())).toMatchObject({
    verdict: 'violated', chassis: [{ serial: 'c02a', violations: [{ kind: 'ClaimTooShort', from: '2026-11-01T10:00:00Z', to: '2026-11-02T09:00:00Z', rows: [1, 2] }] }],
  });
  expect((await asked()).lines.join('\n')).toContain('ClaimTooShort 2026-11-01T10:00:00Z to 2026-11-02T09:00:00Z (rows 1, 2)');
});

it('silence is not covered, and neither is a record that knows no Mac', async () => {
  expect((await asked()).status).toBe(4);
  await seen('c02a', 40);
  await seen('c02b', 20);
  const { status, lines } = await asked({ to: after(39) });
  expect([status, lines.join('\n')]).toEqual([4, expect.stringContaining('not covered 2026-11-02T06:00:00Z to 2026-11-03T01:00:00Z')]);
});

it('a period that ends before a violation does not see it', async () => {
  await leased('c02a', 'team-a', 30, 2);
  await seen('c02a', 40);
  expect((await asked({ to: after(29) })).status).toBe(0);
});

it('rows are printed as they were recorded, those that are asked for', async () => {
  await leased('c02a', 'team-a', 0, 30);
  await leased('c02b', 'team-b', 0, 30);
  const lines: string[] = [];
  await rows({ file, serial: 'C02B', type: AuditType.LeaseReleased }, (line) => lines.push(line));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([expect.objectContaining({ serial: 'c02b', tenant: 'team-b', type: 'Lease released', at: '2026-11-02T16:00:00Z' })]);
});

it('what is no record is an error with its path, and nothing is made of it', async () => {
  await expect(prove({ file: join(directory, 'none'), days: 1 })).rejects.toThrow(`${join(directory, 'none')} cannot be read as an audit record`);
  writeFileSync(join(directory, 'text'), 'no database at all, but long enough to be one: '.repeat(40));
  await expect(rows({ file: join(directory, 'text') })).rejects.toThrow(/cannot be read as an audit record: file is not a database/);
});

it('options that cannot be read are refused with what is taken', () => {
  expect([instantOf('2026-11-01T10:00:00Z'), auditType('claim stuck')]).toEqual([T0, 'Claim stuck']);
  expect(() => instantOf('yesterday')).toThrow('takes an instant such as 2026-11-30T10:00:00Z, not "yesterday"');
  expect(() => auditType('Nonsense')).toThrow(/takes one of "Lease bound", .*not "Nonsense"/);
});
