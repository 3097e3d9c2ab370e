import { AGENT_STALE_MS, Condition, type MacNode } from '../../../sdk/api';
import type { JournalEntry, ReportedVm } from '../../../sdk/api';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';

/** When the facts of an agent go stale; undefined for an agent that never reported. Stale from this instant on. */
export function staleAt(macNode: MacNode | null): Instant | undefined {
  const seen = macNode?.status?.lastSeen;
  return seen === undefined ? undefined : instant(parseInstant(seen) + AGENT_STALE_MS);
}

export function isFresh(macNode: MacNode | null, now: Instant): boolean {
  const at = staleAt(macNode);
  return at !== undefined && now < at;
}

const conditionIs = (macNode: MacNode, type: string, status: string): boolean => macNode.status?.conditions?.some((c) => c.type === type && c.status === status) ?? false;

/** A kernel slot has leaked: the Mac takes no new lease until it is repaired. */
export function isDegraded(macNode: MacNode): boolean {
  return conditionIs(macNode, Condition.SlotLeak, 'True') || (macNode.status?.leaked ?? 0) > 0;
}

export function isReady(macNode: MacNode): boolean {
  return conditionIs(macNode, Condition.Ready, 'True');
}

/** True if the hardware that reports is the one that was enrolled. */
export function isEnrolledHardware(macNode: MacNode): boolean {
  return macNode.status?.hardwareUUID?.toLowerCase() === macNode.spec.hardwareUUID.toLowerCase();
}

/** No machine and no disk of anybody. */
export function isEmpty({ status }: MacNode): boolean {
  return (status?.vmCount ?? 0) === 0 && (status?.vms ?? []).length === 0 && (status?.disks ?? []).length === 0;
}

/** No machine and no disk of one claim: what a wipe leaves. One that nobody can account for might be the claim's, and counts as such. */
export function isWiped({ status }: MacNode, bindingUID: string): boolean {
  return ![...(status?.vms ?? []), ...(status?.disks ?? [])].some((left) => left.bindingUID === bindingUID || left.bindingUID === '');
}

export function vmOf(macNode: MacNode | null, podUID: string): ReportedVm | undefined {
  return macNode?.status?.vms?.find((v) => v.podUID === podUID);
}

/** The line of the agent's journal that says how the machine of a pod ended; undefined where none does. */
export function endOf(macNode: MacNode | null, podUID: string): JournalEntry | undefined {
  return macNode?.status?.journal?.findLast((line) => line.event === 'Stopped' && line.podUID === podUID);
}

/** Milliseconds after a report that an agent takes at most to write down what the report has begun to show. Less than a heartbeat. */
const WORD_MS = 5_000;

/** When what the last report leaves unsaid will not be said any more; undefined for an agent that never reported. */
export function saidAt(macNode: MacNode | null): Instant | undefined {
  const seen = macNode?.status?.lastSeen;
  return seen === undefined ? undefined : instant(parseInstant(seen) + WORD_MS);
}

/** True if the Mac still has a machine or a disk of the instance. */
export function holdsInstance({ status }: MacNode, instanceUID: string): boolean {
  return (status?.vms ?? []).some((v) => v.instanceUID === instanceUID) || (status?.disks ?? []).some((d) => d.instanceUID === instanceUID);
}
