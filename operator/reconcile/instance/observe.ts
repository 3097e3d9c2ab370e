import { Reason, VM_RESOURCE, type MacOSInstance, type Pod, type ReportedVm } from '../../../sdk/api';
import { instant, type Instant } from '../../../sdk/rules/instant';
import { SETTLED, waitUntil, type Decision } from '../engine/converge';
import { endOf, isFresh, saidAt, staleAt, vmOf } from '../node/report';
import type { GroupFacts } from './facts';
import { identityFault } from './identity';
import { collisionByOperator, thirdByScheduler } from './rejections';
import { show } from './show';
import type { InstanceStep } from './steps';
import { addressDeadline, crashed, failedStatus, failureOf, runningStatus, startingStatus, unknownStatus } from './wanted-status';

type Next = Decision<InstanceStep>;

function unschedulable(pod: Pod): string | undefined {
  const condition = pod.status?.conditions?.find((c) => c.type === 'PodScheduled' && c.status === 'False' && c.reason === 'Unschedulable');
  return condition?.message?.includes(`Insufficient ${VM_RESOURCE}`) === true ? condition.message : undefined;
}

function observeRun(facts: GroupFacts, instance: MacOSInstance, slot: number, pod: Pod, vm: ReportedVm): Next {
  const fault = identityFault(instance, vm, facts.known);
  if (fault !== null) return show(facts, instance, failedStatus(facts, instance, Reason.IdentityCollision, fault), SETTLED, collisionByOperator(facts, instance, fault));
  const times = [staleAt(facts.mac.macNode), vm.ip === undefined && facts.now < addressDeadline(vm) ? addressDeadline(vm) : undefined];
  const next = times.filter((t): t is Instant => t !== undefined);
  return show(facts, instance, runningStatus(facts, instance, slot, pod, vm), waitUntil(instant(Math.min(...next))));
}

function observeStart(facts: GroupFacts, instance: MacOSInstance, slot: number, pod: Pod): Next {
  const late = unschedulable(pod);
  const stale = staleAt(facts.mac.macNode);
  const wait = stale === undefined ? SETTLED : waitUntil(stale);
  if (late === undefined) return show(facts, instance, startingStatus(facts, instance, slot), wait);
  const status = startingStatus(facts, instance, slot, `The scheduler finds no free slot on the Mac: ${late}`.slice(0, 2048), Reason.ThirdInstance);
  return show(facts, instance, status, wait, thirdByScheduler(facts, instance, pod));
}

/** Its agent writes down how a machine ended; on a busy Mac a report that misses the machine may come before that, and before what the pod says. */
function observeEnd(facts: GroupFacts, instance: MacOSInstance, pod: Pod): Next {
  const said = endOf(facts.mac.macNode, pod.metadata.uid);
  const patience = saidAt(facts.mac.macNode);
  if (said === undefined && patience !== undefined && facts.now < patience) return waitUntil(patience);
  const [reason, message] = crashed;
  return show(facts, instance, failedStatus(facts, instance, said?.reason ?? reason, said?.message ?? message), SETTLED);
}

/** What an instance with a pod is, by the pod and the Mac's own report. */
export function observe(facts: GroupFacts, instance: MacOSInstance, slot: number, pod: Pod): Next {
  if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') return show(facts, instance, failedStatus(facts, instance, ...failureOf(pod)), SETTLED);
  if (pod.metadata.deletionTimestamp !== undefined) return SETTLED;
  const { macNode } = facts.mac;
  if (!isFresh(macNode, facts.now)) return pod.spec.nodeName === undefined ? SETTLED : show(facts, instance, unknownStatus(facts), SETTLED);
  const vm = vmOf(macNode, pod.metadata.uid);
  if (vm?.state === 'Running') return observeRun(facts, instance, slot, pod, vm);
  const was = instance.status?.phase;
  // Seen running before, and missing from a fresh report: it is gone.
  if (vm === undefined && pod.status?.phase === 'Running' && (was === 'Running' || was === 'Unknown') && instance.status?.machineID !== undefined) {
    return observeEnd(facts, instance, pod);
  }
  return was === 'Running' ? SETTLED : observeStart(facts, instance, slot, pod);
}
