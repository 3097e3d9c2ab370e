import { nodeName, Reason, type MacOSInstance, type Pod } from '../../../sdk/api';
import { judgeStart } from '../../../sdk/rules/judge-start';
import { AuditType, type AuditEvent, type Layer } from '../../audit/audit-log';
import type { GroupFacts } from './facts';

const serialOf = ({ claim }: GroupFacts): string => claim?.metadata.name ?? '';

function rejected(facts: GroupFacts, instance: MacOSInstance, layer: Layer, dedupe: string): AuditEvent {
  const serial = serialOf(facts);
  return {
    type: AuditType.ThirdInstanceRejected, dedupe, at: facts.now, layer, tenant: facts.namespace, serial,
    ...(facts.lease === null ? {} : { leaseUID: facts.lease.metadata.uid }),
    payload: { layer, tenant: facts.namespace, node: nodeName(serial), lease: facts.leaseName, instance: instance.metadata.name, instanceUID: instance.metadata.uid },
  };
}

/** "Third instance rejected" by the operator: several objects passed admission at once. */
export function thirdByOperator(facts: GroupFacts, instance: MacOSInstance): AuditEvent {
  return rejected(facts, instance, 'operator', `third-instance/operator/${instance.metadata.uid}`);
}

/** "Third instance rejected" by the scheduler: no slot was left on the node. */
export function thirdByScheduler(facts: GroupFacts, instance: MacOSInstance, pod: Pod): AuditEvent {
  return rejected(facts, instance, 'scheduler', `third-instance/scheduler/${pod.metadata.uid}`);
}

/** A machine that reported an identity in use. */
export function collisionByOperator(facts: GroupFacts, instance: MacOSInstance, message: string): AuditEvent {
  return {
    type: AuditType.StartRefused, dedupe: `identity/operator/${instance.metadata.uid}`, at: facts.now, layer: 'operator', tenant: facts.namespace, serial: serialOf(facts),
    payload: { layer: 'operator', reason: Reason.IdentityCollision, tenant: facts.namespace, node: nodeName(serialOf(facts)), instance: instance.metadata.name, instanceUID: instance.metadata.uid, message },
  };
}

/** Names the instances that hold the slots, the lease, the Mac and the way out. */
export function thirdMessage({ namespace, leaseName, claim, instances, plan, now }: GroupFacts, late: MacOSInstance): string {
  const holder = (i: MacOSInstance) => ({ namespace, name: i.metadata.name, state: i.status?.phase ?? 'Pending' });
  const verdict = judgeStart({
    lease: { namespace, name: leaseName }, serial: claim?.metadata.name ?? null,
    holders: instances.filter((i) => plan.slots.has(i.metadata.uid)).map(holder), starting: [holder(late)], now,
  });
  return verdict.refusals[0]?.message ?? `Lease ${namespace}/${leaseName} has no free slot.`;
}
