import type { MacNode } from '../../../sdk/api';
import { formatInstant, parseInstant } from '../../../sdk/rules/instant';
import type { Context } from '../context';
import { gapEvent, journalEvent } from './journal-events';

/**
 * Takes the lines of a Mac's journal into the record, in order, once each by (serial, number). A line that was pushed out of the report
 * before it was read leaves a gap, which is recorded: that span is not covered by any proof.
 */
export async function ingestJournal({ audit, stores, log }: Context, macNode: MacNode): Promise<void> {
  const serial = macNode.metadata.name;
  const { journal = [], journalSeq = 0, lastSeen } = macNode.status ?? {};
  if (lastSeen !== undefined) await audit.seen({ serial, enrolledAt: parseInstant(macNode.metadata.creationTimestamp), lastSeen: parseInstant(lastSeen) });
  let last = await audit.journalSeq(serial);
  if (journalSeq < last) log.error({ serial, journalSeq, last }, "an agent's journal is shorter than what was read from it: it was lost or replaced");
  for (const entry of [...journal].sort((a, b) => a.seq - b.seq).filter((e) => e.seq > last)) {
    if (entry.seq > last + 1) await audit.append(gapEvent(serial, last, entry, await lastKnown(audit, serial, macNode)));
    const instance = stores.instances.values().find((i) => i.metadata.uid === entry.instanceUID);
    await audit.appendJournal(serial, entry.seq, journalEvent(serial, entry, { claim: stores.claims.get(serial), instance }));
    last = entry.seq;
  }
}

/** When the last line that was read happened; the Mac's enrolment before any. */
async function lastKnown(audit: Context['audit'], serial: string, { metadata }: MacNode): Promise<string> {
  const rows = await audit.rows({ serial });
  const line = rows.findLast((r) => r.payload['journalSeq'] !== undefined);
  return line === undefined ? metadata.creationTimestamp : formatInstant(line.at);
}
