import { Annotation, Finalizer, Reason, type MacOSInstance, type Pod } from '../../../sdk/api';
import { instant, type Instant } from '../../../sdk/rules/instant';
import { SETTLED, waitUntil, type Decision } from '../engine/converge';
import { hasFinalizer } from '../engine/write';
import { holdsInstance, isFresh } from '../node/report';
import type { GroupFacts } from './facts';
import { giveUpPatch, keepPatch } from './keep-disks';
import { observe } from './observe';
import { thirdByOperator, thirdMessage } from './rejections';
import { show } from './show';
import type { InstanceStep } from './steps';
import { failedStatus, pendingStatus, startingStatus, stoppedStatus } from './wanted-status';

type Next = Decision<InstanceStep>;

const AUDIT_RETRY_MS = 5_000;

export const podOfInstance = ({ pods }: GroupFacts, { metadata }: MacOSInstance): Pod | undefined =>
  pods.find((p) => p?.metadata.annotations?.[Annotation.InstanceUID] === metadata.uid) ?? undefined;

function stopPod(pod: Pod): Next {
  return pod.metadata.deletionTimestamp === undefined ? { step: { do: 'DeletePod', pod } } : SETTLED;
}

/** Goes when its machine has stopped and its disk is gone, as a fresh report of the Mac shows. */
function decideDeletion(facts: GroupFacts, instance: MacOSInstance): Next {
  if (!hasFinalizer(instance, Finalizer.Vm)) return SETTLED;
  const pod = podOfInstance(facts, instance);
  if (pod !== undefined) return stopPod(pod);
  const { node, macNode } = facts.mac;
  const patch = node === null ? null : giveUpPatch(node, instance.metadata.uid);
  if (patch !== null) return { step: { do: 'PatchNode', patch } };
  const mayHaveRun = instance.status?.podRef !== undefined && macNode !== null && !macNode.spec.retired;
  if (mayHaveRun && (!isFresh(macNode, facts.now) || holdsInstance(macNode, instance.metadata.uid))) return SETTLED;
  return { step: { do: 'DropFinalizer', instance } };
}

function isAdopted({ lease }: GroupFacts, instance: MacOSInstance): boolean {
  const owned = instance.metadata.ownerReferences?.some((o) => o.uid === lease?.metadata.uid) ?? false;
  return lease === null || (owned && hasFinalizer(instance, Finalizer.Vm));
}

function rejectThird(facts: GroupFacts, instance: MacOSInstance): Next {
  if (!facts.auditWritable) return waitUntil(instant(facts.now + AUDIT_RETRY_MS));
  const status = failedStatus(facts, instance, Reason.ThirdInstance, thirdMessage(facts, instance));
  return { step: { do: 'WriteStatus', instance, status, reversible: false, event: thirdByOperator(facts, instance) } };
}

/** Why an instance without a pod may not start now; null when it may. */
function whyNotStart({ lease, claim, namespace, leaseName, auditWritable, mac }: GroupFacts): readonly [reason: string, message: string] | null {
  if (lease === null) return [Reason.LeaseNotFound, `Namespace ${namespace} has no lease ${leaseName}; the instance waits for it.`];
  const phase = lease.status?.phase ?? 'Pending';
  if (phase !== 'Bound') return [Reason.LeaseNotBound, `Lease ${namespace}/${leaseName} is ${phase}; only a Bound lease takes new starts.`];
  if (claim === null) return [Reason.CrossTenant, `The claim of lease ${namespace}/${leaseName} was made for another namespace or is gone; nothing starts on it.`];
  if (!auditWritable) return ['AuditUnavailable', 'The operator cannot write its record, and starts nothing until it can.'];
  if (mac.macNode?.spec.retired === true) return ['MacRetired', 'The Mac has left service; nothing starts on it. Release its lease and take another.'];
  return mac.node === null ? ['NodeMissing', 'The node of the Mac is not registered; the start waits for it.'] : null;
}

function decideStart(facts: GroupFacts, instance: MacOSInstance, slot: number): Next {
  const why = whyNotStart(facts);
  if (why !== null) return show(facts, instance, pendingStatus(facts, instance, ...why), waitAudit(facts));
  if (instance.status?.phase !== 'Starting' || instance.status.slot !== slot) {
    return { step: { do: 'WriteStatus', instance, status: startingStatus(facts, instance, slot), reversible: false } };
  }
  const patch = facts.mac.node === null ? null : keepPatch(facts.mac.node, instance.metadata.uid);
  if (patch !== null) return { step: { do: 'PatchNode', patch } };
  // The slot's name may still belong to the pod of a failed predecessor.
  return facts.pods[slot] == null ? { step: { do: 'CreatePod', instance, slot } } : SETTLED;
}

const waitAudit = ({ auditWritable, now }: GroupFacts): Next => (auditWritable ? SETTLED : waitUntil(instant(now + AUDIT_RETRY_MS)));

function decideWithoutPod(facts: GroupFacts, instance: MacOSInstance, slot: number | undefined): Next {
  if (slot === undefined) {
    const [reason, message] = whyNotStart(facts) ?? [Reason.LeaseNotBound, 'The instance waits for a slot.'];
    return show(facts, instance, pendingStatus(facts, instance, reason, message), waitAudit(facts));
  }
  return instance.spec.running ? decideStart(facts, instance, slot) : show(facts, instance, stoppedStatus(facts, instance, slot), SETTLED);
}

function decideInstance(facts: GroupFacts, instance: MacOSInstance): Next {
  const { uid, deletionTimestamp } = instance.metadata;
  if (deletionTimestamp !== undefined) return decideDeletion(facts, instance);
  if (!isAdopted(facts, instance)) return { step: { do: 'Adopt', instance } };
  const pod = podOfInstance(facts, instance);
  if (instance.status?.phase === 'Failed') return pod === undefined ? SETTLED : stopPod(pod);
  if (facts.plan.surplus.has(uid)) return rejectThird(facts, instance);
  const slot = facts.plan.slots.get(uid);
  if (pod === undefined || slot === undefined) return decideWithoutPod(facts, instance, slot);
  if (!instance.spec.running) return stopPod(pod);
  return observe(facts, instance, slot, pod);
}

/** Machines and disks of nobody: a slot is free for the next only when its pod is gone. */
function clearLeftovers({ leftovers: { pods, disks: [disk] }, mac: { node } }: GroupFacts): InstanceStep | null {
  const pod = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (pod !== undefined) return { do: 'DeletePod', pod };
  const patch = node === null || disk === undefined ? null : giveUpPatch(node, disk);
  return patch === null ? null : { do: 'PatchNode', patch };
}

/** The next step of a lease's instances; with none, the earliest time that any of them waits for. */
export function decideGroup(facts: GroupFacts): Next {
  const waits: Instant[] = [];
  const clearing = clearLeftovers(facts);
  if (clearing !== null) return { step: clearing };
  for (const instance of facts.instances) {
    const next = decideInstance(facts, instance);
    if ('step' in next) return next;
    if (next.wait !== undefined) waits.push(next.wait);
  }
  return waits.length === 0 ? SETTLED : waitUntil(instant(Math.min(...waits)));
}
