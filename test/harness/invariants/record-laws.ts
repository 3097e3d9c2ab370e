import type { AuditRow } from '../../../operator';
import type { Breach, Evidence } from './evidence';

const breach = (what: string): Breach => ({ law: 'NoGapInTheRecord', what });
const text = ({ payload }: AuditRow, field: string): string => String(payload[field]);
const count = <T>(items: readonly T[], key: (item: T) => string): Map<string, number> =>
  items.reduce((counts, item) => counts.set(key(item), (counts.get(key(item)) ?? 0) + 1), new Map<string, number>());

/** The record tells all that happened, once, and leaves nothing open. */
export function noGapInTheRecord(evidence: Evidence): Breach[] {
  const { rows, openIntents, proof } = evidence;
  return [
    ...openIntents.map((key) => breach(`the intent ${key} has no outcome`)),
    ...rows.filter(({ type }) => type === 'Journal gap').map(({ serial, payload }) => breach(`of the journal of Mac ${serial}, events ${String(payload['fromSeq'])} to ${String(payload['toSeq'])} never arrived`)),
    ...machines(evidence), ...claims(evidence),
    ...(proof?.chassis ?? []).flatMap(({ serial, violations }) => violations.map(({ kind }) => breach(`the record shows ${kind} on Mac ${serial}`))),
  ];
}

/** Every machine that came up has its row; every one that is gone has both. */
function machines({ rows, starts, macs }: Evidence): Breach[] {
  const started = rows.filter(({ type }) => type === 'Instance started');
  const stopped = count(rows.filter(({ type }) => type === 'Instance stopped'), (row) => text(row, 'podUID'));
  const told = count(started, (row) => text(row, 'instanceUID'));
  const running = new Set(macs.flatMap(({ now }) => now.running));
  const newest = new Map(started.map((row) => [text(row, 'instanceUID'), text(row, 'podUID')]));
  return [
    ...[...count(starts, ({ instanceUID }) => instanceUID)].filter(([uid, times]) => (told.get(uid) ?? 0) < times).map(([uid, times]) => breach(`instance ${uid} came up ${times} times and is recorded ${told.get(uid) ?? 0} times`)),
    ...[...count(started, (row) => text(row, 'podUID'))].filter(([, times]) => times > 1).map(([uid]) => breach(`the start of pod ${uid} is recorded twice`)),
    ...[...stopped].filter(([, times]) => times > 1).map(([uid]) => breach(`the end of pod ${uid} is recorded twice`)),
    ...started.filter((row) => {
      const isNewest = newest.get(text(row, 'instanceUID')) === text(row, 'podUID');
      return !(isNewest && running.has(text(row, 'instanceUID'))) && !stopped.has(text(row, 'podUID'));
    }).map((row) => breach(`instance ${text(row, 'instanceUID')} runs no more, and its end is not recorded`)),
  ];
}

/**
 * Every claim is recorded as bound, and one that is gone as released. A claim that was made for a lease which had ended meanwhile (by an operator that
 * was asleep) is recorded as what it is, an orphan.
 */
function claims({ rows, claims: all }: Evidence): Breach[] {
  const outcomes = (type: AuditRow['type']): Map<string, number> => count(rows.filter((row) => row.type === type && row.stage === 'outcome'), (row) => text(row, 'bindingUID'));
  const [bound, released] = [outcomes('Lease bound'), outcomes('Lease released')];
  const orphaned = new Set(rows.filter(({ type }) => type === 'Claim orphaned').map((row) => text(row, 'bindingUID')));
  return all.flatMap(({ object: { metadata, spec }, isGone }) => {
    const which = `claim ${metadata.uid} of ${spec.leaseNamespace}/${spec.leaseName} on Mac ${metadata.name}`;
    const wanted = isGone ? 1 : 0;
    return [
      ...(bound.get(metadata.uid) === 1 || (orphaned.has(metadata.uid) && !bound.has(metadata.uid)) ? [] : [breach(`${which} is recorded as bound ${bound.get(metadata.uid) ?? 0} times`)]),
      ...((released.get(metadata.uid) ?? 0) === wanted ? [] : [breach(`${which} ${isGone ? 'is gone' : 'stands'} and is recorded as released ${released.get(metadata.uid) ?? 0} times`)]),
    ];
  });
}
