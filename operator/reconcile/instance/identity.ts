import type { MacNode, MacOSInstance } from '../../../sdk/api';
import type { ReportedVm } from '../../../sdk/api';
import { judgeIdentity, type Identity } from '../../../sdk/rules/judge-identity';
import type { Stores } from '../engine/stores';

/**
 * Identities that are taken: those recorded in the status of any instance of the fleet, stopped ones included (their bundles keep them).
 * The status is set once, so the first machine of two that share an identity keeps it.
 */
export function knownIdentities(stores: Stores, macNode: MacNode | null, group: readonly MacOSInstance[]): Identity[] {
  // Only a machine that runs and is not yet recorded is judged; with none, the fleet need not be walked.
  const recorded = new Set(group.filter((i) => i.status?.machineID !== undefined).map((i) => i.metadata.uid));
  if (!(macNode?.status?.vms ?? []).some((v) => !recorded.has(v.instanceUID))) return [];
  return stores.instances.values().flatMap(({ metadata, status }) =>
    status?.machineID === undefined || status.mac === undefined ? [] : [{ instance: metadata.uid, machineID: status.machineID, mac: status.mac }]);
}

/** Why a machine may not run under the identity it reports; null when it may. */
export function identityFault(instance: MacOSInstance, vm: ReportedVm, known: readonly Identity[]): string | null {
  const { machineID, mac } = instance.status ?? {};
  if (machineID !== undefined && (machineID !== vm.machineID || mac?.toLowerCase() !== vm.mac.toLowerCase())) {
    return `Instance ${instance.metadata.name} came back under another identity (${vm.machineID}, ${vm.mac}) than it was recorded with. Delete it and create it again.`;
  }
  const verdict = judgeIdentity({ candidate: { instance: instance.metadata.uid, machineID: vm.machineID, mac: vm.mac }, known });
  return verdict.refusals[0]?.message.replaceAll(instance.metadata.uid, `${instance.metadata.namespace}/${instance.metadata.name}`) ?? null;
}
