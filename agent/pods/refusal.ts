import { Label, Reason, type MacNodeBinding } from '../../sdk/api';
import type { Pod } from '../../sdk/api/core-objects';
import type { Disk, Identity, RunningVM } from '../driver';
import type { Ledger } from '../journal/ledger';
import type { Cause, RunFacts } from '../journal/line';
import { MOST_MACHINES } from '../limit';

/** Reason of a machine that ended by itself, or did not come up. */
export const CRASHED = 'Crashed';

const lower = (identity: Identity): Identity => ({ machineID: identity.machineID, mac: identity.mac.toLowerCase() });

/**
 * Rule 2 by the claim. The text names nobody: the tenant of the pod reads it.
 * @param claim read live; null when nobody leases the Mac.
 */
export function refuseOtherTenant(serial: string, run: RunFacts, claim: MacNodeBinding | null): Cause | undefined {
  const isServed = claim !== null && claim.metadata.deletionTimestamp === undefined
    && claim.spec.tenant === run.tenant && claim.metadata.uid === run.bindingUID && run.instanceUID !== '';
  if (isServed) return undefined;
  return {
    reason: Reason.CrossTenant,
    message: `pod ${run.tenant}/${run.pod} may not run on Mac ${serial}: its claim (${run.bindingUID === '' ? 'none' : run.bindingUID}) is not the one that the Mac is leased under to namespace ${run.tenant} (rule 2, one tenant for a Mac). Create the instance on a lease of its own namespace that is Bound.`,
  };
}

/**
 * Rule 2 by what the pod itself asks for: those who admitted it judged the Mac that it selects, its claim and the namespace behind that, so a pod
 * that selects another Mac and is bound here all the same was judged by nobody.
 */
export function refuseOtherMac(serial: string, run: RunFacts, pod: Pod): Cause | undefined {
  const selected = pod.spec.nodeSelector?.[Label.NodeSerial];
  if (selected === serial) return undefined;
  return {
    reason: Reason.CrossTenant,
    message: `pod ${run.tenant}/${run.pod} may not run on Mac ${serial}: it selects ${selected === undefined ? 'no Mac' : 'another Mac'} (rule 2, one tenant for a Mac). Create an instance on a lease of its own namespace that is Bound; its pod is placed by itself.`,
  };
}

/** Rule 2 by what is on the Mac: a machine or disk of another claim, or of one that the journal does not know, keeps the Mac until it is wiped. */
export function refuseForeignRemains(serial: string, run: RunFacts, ledger: Ledger, vms: readonly RunningVM[], disks: readonly Disk[]): Cause | undefined {
  const here = [...vms, ...disks].flatMap(({ instanceUID }) => (instanceUID === undefined || instanceUID === run.instanceUID ? [] : [instanceUID]));
  const foreign = new Set(here.filter((instanceUID) => ledger.byInstance.get(instanceUID)?.facts.bindingUID !== run.bindingUID));
  const own = ledger.byInstance.get(run.instanceUID);
  if (own !== undefined && own.facts.bindingUID !== run.bindingUID) foreign.add(run.instanceUID);
  if (foreign.size === 0) return undefined;
  return {
    reason: Reason.CrossTenant,
    message: `pod ${run.tenant}/${run.pod} may not run on Mac ${serial}: ${foreign.size} machine(s) or disk(s) of another claim are still on it (rule 2, one tenant for a Mac). Create the instance again when the Mac has been wiped.`,
  };
}

/** Rule 1 by the hypervisor's own list, whoever started what is in it. */
export function refuseThird(serial: string, run: RunFacts, ledger: Ledger, vms: readonly RunningVM[]): Cause | undefined {
  if (vms.length < MOST_MACHINES) return undefined;
  const holders = vms.map((vm) => describeHolder(vm, ledger));
  const freed = vms.map((vm) => ledger.byInstance.get(vm.instanceUID ?? '')?.facts.instance).find((name) => name !== undefined && name !== '');
  const way = freed === undefined ? 'Stop one of them on the Mac' : `Free one, for example: kubectl delete macosinstance ${freed} -n ${run.tenant}`;
  return {
    reason: Reason.ThirdInstance,
    message: `pod ${run.tenant}/${run.pod} may not start on Mac ${serial}: ${vms.length} macOS machines run on it and the licence allows ${MOST_MACHINES} (rule 1, section 2B(iii)): ${holders.join('; ')}. ${way}.`,
  };
}

/** Rule 1: a copy with the same machine id or MAC passes for the same machine. Every identity that ever ran here is known, and those of unexplained disks. */
export function refuseCollision(serial: string, run: RunFacts, identity: Identity, ledger: Ledger, vms: readonly RunningVM[], disks: readonly Disk[]): Cause | undefined {
  const { machineID, mac } = lower(identity);
  const unexplained = disks.filter(({ instanceUID }) => !ledger.byInstance.has(instanceUID));
  const known = [...vms, ...unexplained, ...[...ledger.identities].map(([instanceUID, known]) => ({ instanceUID, ...known }))]
    .filter(({ instanceUID }) => instanceUID !== run.instanceUID).map(lower);
  const shared = known.some((other) => other.machineID === machineID) ? `machine id ${machineID}` : known.some((other) => other.mac === mac) ? `MAC ${mac}` : undefined;
  if (shared === undefined) return undefined;
  return {
    reason: Reason.IdentityCollision,
    message: `instance ${run.tenant}/${run.instance} may not start on Mac ${serial}: its ${shared} belongs to another machine of this Mac (rule 1: each machine is one of its own). Its disk was removed; create the instance again.`,
  };
}

/** Rule 1 by the kernel, whose count is above ours. */
export function kernelRefusal(serial: string, run: RunFacts, running: number, said: string): Cause {
  return {
    reason: Reason.KernelLimit,
    message: `instance ${run.tenant}/${run.instance} did not start on Mac ${serial}: the kernel refused it while ${running} machine(s) run: a slot has leaked or another hypervisor holds it (rule 1). Not tried again; the Mac must be restarted by its administrator. The hypervisor said: ${said}`,
  };
}

function describeHolder(vm: RunningVM, ledger: Ledger): string {
  const run = ledger.byInstance.get(vm.instanceUID ?? '');
  if (run === undefined) return `${vm.name} (not started by MacRack)`;
  return `${run.facts.instance} (${run.facts.tenant}/${run.facts.pod}, since ${run.startedAt ?? 'now'})`;
}
