import { boundAtOf, floorEnd } from '../../operator/reconcile/claim/floor';
import { isFresh } from '../../operator/reconcile/node/report';
import type { MacNode, MacNodeBinding, MacNodeLease, MacOSInstance } from '../../sdk/api/kinds';
import { RELEASE_MARGIN_MS } from '../../sdk/api/timing';
import { formatInstant, instant, parseInstant, type Instant } from '../../sdk/rules/instant';

/** What has lost its other half. */
export interface Orphan {
  readonly kind: 'ClaimWithoutLease' | 'MachineWithoutClaim' | 'MacWithoutAgent' | 'IdleLease';
  readonly serial: string;
  /** RFC 3339. */
  readonly since: string;
  readonly what: string;
  readonly todo: string;
}

export interface Fleet {
  readonly now: Instant;
  readonly macNodes: readonly MacNode[];
  readonly claims: readonly MacNodeBinding[];
  readonly leases: readonly MacNodeLease[];
  readonly instances: readonly MacOSInstance[];
}

function needs(lease: MacNodeLease | undefined, claim: MacNodeBinding): boolean {
  const { chassis, phase } = lease?.status ?? {};
  return lease !== undefined && phase !== 'Released' && (chassis === undefined || chassis === claim.metadata.name);
}

function todoOfClaim(claim: MacNodeBinding, now: Instant): string {
  const serial = claim.metadata.name;
  const floor = floorEnd(claim);
  const { deletionTimestamp } = claim.metadata;
  if (deletionTimestamp !== undefined && parseInstant(deletionTimestamp) < floor) return 'it was deleted before its floor and cannot end through the API: repair it on the control-plane host (docs/security.md, A claim that is stuck); the Mac is out of service until then';
  const end = instant(floor + RELEASE_MARGIN_MS);
  if (now < end) return `nothing: the operator ends it at ${formatInstant(end)}`;
  return `the operator ends it when the Mac confirms that it is wiped: see that its agent runs, or, if it will not answer any more, macrack mac retire ${serial}`;
}

function claimsWithoutLease({ claims, leases, now }: Fleet): Orphan[] {
  const byUID = new Map(leases.map((lease) => [lease.metadata.uid, lease]));
  return claims.filter((claim) => !needs(byUID.get(claim.spec.leaseUID), claim)).map((claim) => ({
    kind: 'ClaimWithoutLease', serial: claim.metadata.name, since: claim.metadata.deletionTimestamp ?? formatInstant(boundAtOf(claim)),
    what: `the claim of lease ${claim.spec.leaseNamespace}/${claim.spec.leaseName}, bound at ${formatInstant(boundAtOf(claim))}, whose lease is gone`, todo: todoOfClaim(claim, now),
  }));
}

function machinesWithoutClaim({ macNodes, claims }: Fleet): Orphan[] {
  const claimOf = new Map(claims.map(({ metadata }) => [metadata.name, metadata.uid]));
  return macNodes.flatMap(({ metadata: { name: serial }, status }) => (status?.vms ?? []).filter((vm) => vm.bindingUID === '' || vm.bindingUID !== claimOf.get(serial)).map((vm): Orphan => ({
    kind: 'MachineWithoutClaim', serial, since: vm.startedAt,
    what: `machine ${vm.instanceUID === '' ? `with address ${vm.mac}, which MacRack did not start,` : vm.instanceUID} runs, and ${vm.bindingUID === '' ? 'no claim is known for it' : `its claim ${vm.bindingUID} is gone`}`,
    todo: 'the Mac takes no lease while it runs: stop it on the Mac, or through its agent',
  })));
}

function macsWithoutAgent({ macNodes, now }: Fleet): Orphan[] {
  return macNodes.filter((macNode) => !macNode.spec.retired && !isFresh(macNode, now)).map((macNode): Orphan => {
    const { name: serial, creationTimestamp } = macNode.metadata;
    const seen = macNode.status?.lastSeen;
    return seen === undefined
      ? { kind: 'MacWithoutAgent', serial, since: creationTimestamp, what: 'it is enrolled, and no agent has reported', todo: `start its agent; a new bootstrap kubeconfig: macrack mac enrol ${serial}` }
      : { kind: 'MacWithoutAgent', serial, since: seen, what: `its agent has not reported since ${seen}`, todo: `see whether the Mac is up and what its agent logs; if it will not answer any more: macrack mac retire ${serial}` };
  });
}

/** Nothing holds it any more, nothing runs on it, and it is billed: the state of a tool may have lost it. */
function idleLeases({ leases, instances, now }: Fleet): Orphan[] {
  const used = new Set(instances.map(({ metadata: { namespace = '' }, spec }) => `${namespace}/${spec.leaseName}`));
  return leases.flatMap(({ metadata: { namespace = '', name }, status }): Orphan[] => {
    const { phase, chassis, earliestReleaseAt: floor } = status ?? {};
    if (phase !== 'Bound' || chassis === undefined || floor === undefined || now < parseInstant(floor) || used.has(`${namespace}/${name}`)) return [];
    return [{
      kind: 'IdleLease', serial: chassis, since: floor, what: `lease ${namespace}/${name} is past its floor, billed, and has no instance`,
      todo: `ask its tenant: if no tool has it in its state, kubectl patch macnodelease ${name} -n ${namespace} --type=merge -p '{"spec":{"release":true}}' releases it now`,
    }];
  });
}

/** All that has lost its other half, each with since when and what to do. */
export function findOrphans(fleet: Fleet): readonly Orphan[] {
  return [...claimsWithoutLease(fleet), ...machinesWithoutClaim(fleet), ...macsWithoutAgent(fleet), ...idleLeases(fleet)];
}
