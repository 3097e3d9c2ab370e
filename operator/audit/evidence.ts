import { instant, tryParseInstant, type Instant } from '../../sdk/rules/instant';
import { INSTANCES_PER_CHASSIS } from '../../sdk/rules/limits';
import { AuditType, type AuditRow, type ChassisSeen } from './audit-log';
import type { ChassisEvidence, ClaimSpan, Run, Span } from './prove-fleet';

function text(row: AuditRow, field: string): string {
  const value = row.payload[field];
  return typeof value === 'string' ? value : '';
}
const time = (row: AuditRow, field: string): Instant | undefined => tryParseInstant(text(row, field));

/** Starts and stops of one chassis, joined by the pod that ran. */
function runsOf(rows: readonly AuditRow[]): Run[] {
  const stops = new Map(rows.filter((r) => r.type === AuditType.InstanceStopped).map((r) => [text(r, 'podUID'), r]));
  return rows.filter((r) => r.type === AuditType.InstanceStarted).map((start) => {
    const stop = stops.get(text(start, 'podUID'));
    return {
      instanceUID: text(start, 'instanceUID'), bindingUID: text(start, 'bindingUID'), tenant: start.tenant ?? '',
      startSeq: Number(start.payload['journalSeq']), start: start.at,
      ...(stop === undefined ? {} : { endSeq: Number(stop.payload['journalSeq']), end: stop.at }),
      rows: stop === undefined ? [start.seq] : [start.seq, stop.seq],
    };
  });
}

function claimsOf(rows: readonly AuditRow[]): ClaimSpan[] {
  const ended = new Map(rows.filter((r) => r.type === AuditType.LeaseReleased && r.stage === 'outcome').map((r) => [text(r, 'bindingUID'), r]));
  return rows.filter((r) => r.type === AuditType.LeaseBound && r.stage === 'outcome').map((bound) => {
    const end = ended.get(text(bound, 'bindingUID'));
    const to = end === undefined ? undefined : time(end, 'releasedAt') ?? end.at;
    return { bindingUID: text(bound, 'bindingUID'), tenant: bound.tenant ?? '', from: time(bound, 'boundAt') ?? bound.at, ...(to === undefined ? {} : { to }), rows: end === undefined ? [bound.seq] : [bound.seq, end.seq] };
  });
}

function gapsOf(rows: readonly AuditRow[]): Span[] {
  return rows.filter((r) => r.type === AuditType.JournalGap).map((r) => ({ from: time(r, 'after') ?? r.at, to: time(r, 'before') ?? r.at }));
}

function overCountsOf(rows: readonly AuditRow[]) {
  return rows.filter((r) => (r.type === AuditType.InstanceStarted || r.type === AuditType.InstanceStopped) && Number(r.payload['vmCount']) > INSTANCES_PER_CHASSIS)
    .map((r) => ({ at: r.at, vmCount: Number(r.payload['vmCount']), row: r.seq }));
}

/** Sorts the record by chassis. A chassis with rows but without a heartbeat is covered up to its last row only. */
export function evidenceOf(rows: readonly AuditRow[], seen: readonly ChassisSeen[]): ChassisEvidence[] {
  const bySerial = new Map<string, AuditRow[]>(seen.map((s) => [s.serial, []]));
  for (const row of rows) {
    if (row.serial === undefined) continue;
    const own = bySerial.get(row.serial);
    if (own === undefined) bySerial.set(row.serial, [row]);
    else own.push(row);
  }
  const known = new Map(seen.map((s) => [s.serial, s]));
  return [...bySerial].map(([serial, own]) => {
    const times = own.map((r) => r.at);
    return {
      serial, runs: runsOf(own), claims: claimsOf(own), gaps: gapsOf(own), overCounts: overCountsOf(own),
      enrolledAt: known.get(serial)?.enrolledAt ?? instant(Math.min(...times)), lastSeen: known.get(serial)?.lastSeen ?? instant(Math.max(...times)),
    };
  });
}
