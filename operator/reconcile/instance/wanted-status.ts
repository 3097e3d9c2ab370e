import { Condition, nodeName, podName, Reason, type MacOSInstance, type MacOSInstanceStatus, type Pod, type ReportedVm } from '../../../sdk/api';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { withCondition } from '../engine/conditions';
import type { Wanted } from '../engine/status-diff';
import type { GroupFacts } from './facts';

export type Status = Wanted<MacOSInstanceStatus>;

/** Milliseconds that a running machine may be without an address before it is said to be. */
export const ADDRESS_GRACE_MS = 60_000;

const seen = ({ mac }: GroupFacts): Status => (mac.macNode?.status?.lastSeen === undefined ? {} : { lastSeen: mac.macNode.status.lastSeen });
const common = (facts: GroupFacts, { metadata }: MacOSInstance): Status => ({ observedGeneration: metadata.generation, ...seen(facts) });
const notAddressed: Status = { ip: undefined, conditions: undefined };

/** Waits, with or without a slot. */
export function pendingStatus(facts: GroupFacts, instance: MacOSInstance, reason: string, message: string): Status {
  return { ...common(facts, instance), ...notAddressed, phase: 'Pending', reason, message };
}

export function failedStatus(facts: GroupFacts, instance: MacOSInstance, reason: string, message: string): Status {
  return { ...common(facts, instance), ...notAddressed, phase: 'Failed', reason, message: message.slice(0, 2048), slot: undefined };
}

/** Stopped by `running: false`: the slot and the disk stay. */
export function stoppedStatus(facts: GroupFacts, instance: MacOSInstance, slot: number): Status {
  return { ...common(facts, instance), ...notAddressed, phase: 'Stopped', reason: undefined, message: undefined, slot };
}

export function startingStatus(facts: GroupFacts, instance: MacOSInstance, slot: number, message?: string, reason?: string): Status {
  return {
    ...common(facts, instance), ...notAddressed, phase: 'Starting', reason, message, slot,
    podRef: `${facts.namespace}/${podName(facts.leaseName, slot)}`, node: nodeName(facts.claim?.metadata.name ?? facts.lease?.status?.chassis ?? ''),
  };
}

/** The agent is silent: the machine may run or not, and its slot is not free. */
export function unknownStatus(facts: GroupFacts): Status {
  const at = facts.mac.macNode?.status?.lastSeen ?? 'never';
  return { phase: 'Unknown', reason: 'AgentSilent', message: `The Mac's agent was last heard at ${at}; whether the machine runs is not known, and its slot stays taken.`, ...seen(facts) };
}

/** When a machine without an address will be said to have none. */
export function addressDeadline({ startedAt }: ReportedVm): Instant {
  return instant(parseInstant(startedAt) + ADDRESS_GRACE_MS);
}

function addressable({ now }: GroupFacts, { status }: MacOSInstance, vm: ReportedVm, ip: string | undefined) {
  if (ip !== undefined) return withCondition(status?.conditions, { type: Condition.Addressable, status: 'True', reason: 'HasAddress', message: '' }, now);
  if (now < addressDeadline(vm)) return status?.conditions;
  const message = `The machine runs and has had no IP address for ${ADDRESS_GRACE_MS / 1000} s or more.`;
  return withCondition(status?.conditions, { type: Condition.Addressable, status: 'False', reason: 'NoAddress', message }, now);
}

export function runningStatus(facts: GroupFacts, instance: MacOSInstance, slot: number, pod: Pod, vm: ReportedVm): Status {
  const ip = vm.ip ?? pod.status?.podIP;
  return {
    ...common(facts, instance), phase: 'Running', reason: undefined, message: undefined, slot, machineID: vm.machineID, mac: vm.mac, ip,
    podRef: `${facts.namespace}/${pod.metadata.name}`, node: pod.spec.nodeName ?? instance.status?.node, conditions: addressable(facts, instance, vm, ip),
  };
}

/** The reason that an agent gave for a failed pod; a pod that names none has crashed. */
export function failureOf(pod: Pod): readonly [reason: string, message: string] {
  return [pod.status?.reason ?? 'Crashed', pod.status?.message ?? 'The machine ended without being asked to.'];
}

export const crashed = ['Crashed', 'The Mac reports, and does not run the machine any more.'] as const;
export const leaseReasons = { notFound: Reason.LeaseNotFound, notBound: Reason.LeaseNotBound } as const;
