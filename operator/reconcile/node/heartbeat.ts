import { HEARTBEAT_MS, type MacNode, type Node } from '../../../sdk/api';
import { parseInstant } from '../../../sdk/rules/instant';
import { canonicalJson } from '../../audit/canonical-json';

// Two heartbeats missing: whoever waits for the agent's return must be woken well before its facts would have counted as stale.
const RETURN_MS = 2.5 * HEARTBEAT_MS;

const lastSeen = ({ status }: MacNode): number => (status?.lastSeen === undefined ? 0 : parseInstant(status.lastSeen));

function factsOf({ metadata, spec, status }: MacNode): string {
  const { lastSeen: _seen, journal: _journal, journalSeq: _seq, ...facts } = status ?? {};
  return canonicalJson([metadata.deletionTimestamp, spec, facts]);
}

/** True if two versions of a Mac differ in nothing but the time of the report and the journal, and the agent was not away in between. */
export function isHeartbeat(a: MacNode, b: MacNode): boolean {
  return Math.abs(lastSeen(a) - lastSeen(b)) < RETURN_MS && factsOf(a) === factsOf(b);
}

function nodeFacts({ metadata, spec, status }: Node): string {
  const conditions = (status?.conditions ?? []).map((c) => [c.type, c.status]);
  return canonicalJson([metadata.deletionTimestamp, metadata.labels, metadata.annotations, spec, conditions]);
}

/** True if two versions of a node differ in the times of its conditions only. */
export function isNodeHeartbeat(a: Node, b: Node): boolean {
  return nodeFacts(a) === nodeFacts(b);
}
