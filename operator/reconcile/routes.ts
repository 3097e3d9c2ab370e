import { Annotation, Label, nodeName, type CertificateSigningRequest, type MacClass, type MacNode, type MacNodeBinding, type MacNodeLease, type MacOSInstance, type Node, type Pod } from '../../sdk/api';
import { isPending } from './certificates/controller';
import { keyOf } from './engine/store';
import type { Stores } from './engine/stores';
import { freeSerials } from './lease/facts';
import { assign, isWaiting } from './lease/waiting-line';
import { isHeartbeat, isNodeHeartbeat } from './node/heartbeat';
import { instant } from '../../sdk/rules/instant';

/** Queues, one a controller. A key reads `queue:key`. */
export type QueueName = 'lease' | 'group' | 'claim' | 'node' | 'class' | 'certificate';
export type Key = `${QueueName}:${string}`;

const leaseOfClaim = (claim: MacNodeBinding): string => `${claim.spec.leaseNamespace}/${claim.spec.leaseName}`;

/** The claim of a Mac, its lease and the machines on it. */
function boundTo(stores: Stores, serial: string): Key[] {
  const claim = stores.claims.get(serial);
  return claim === undefined ? [] : [`claim:${serial}`, `lease:${leaseOfClaim(claim)}`, `group:${leaseOfClaim(claim)}`];
}

/** Waiting leases whose turn has come; the others need not look. */
function nextInLine(stores: Stores, className: string): Key[] {
  const leases = stores.leases.by('class', className).filter(isWaiting);
  if (leases.length === 0) return [];
  const given = assign(leases, freeSerials(stores, className, stores.newestReport() ?? instant(0)));
  return leases.filter((l) => given.has(l.metadata.uid)).map((l): Key => `lease:${keyOf(l)}`);
}

/** Requests of a Mac that may have waited for what it reports. */
function undecided(stores: Stores, serial: string): Key[] {
  const requests = stores.certificates.values().filter((c) => c.spec.username === `system:node:${nodeName(serial)}` && isPending(c));
  return requests.map((c): Key => `certificate:${c.metadata.name}`);
}

function claimsOfLease(stores: Stores, lease: string): Key[] {
  return stores.claims.by('lease', lease).map((c): Key => `claim:${c.metadata.name}`);
}

/** Which keys an event on an object wakes; `other` is its other version, old or new. Pure over the stores, which hold the new state already. */
export const routes = {
  lease: (stores: Stores, lease: MacNodeLease): Key[] => {
    const key = keyOf(lease);
    return [`lease:${key}`, `group:${key}`, `class:${lease.spec.class}`, ...claimsOfLease(stores, key), ...nextInLine(stores, lease.spec.class)];
  },
  instance: (stores: Stores, instance: MacOSInstance): Key[] => {
    const key = `${instance.metadata.namespace}/${instance.spec.leaseName}`;
    return [`group:${key}`, `lease:${key}`, ...claimsOfLease(stores, key)];
  },
  claim: (stores: Stores, claim: MacNodeBinding): Key[] => {
    const className = stores.macNodes.get(claim.metadata.name)?.spec.class;
    return [`claim:${claim.metadata.name}`, `lease:${leaseOfClaim(claim)}`, `group:${leaseOfClaim(claim)}`, ...(className === undefined ? [] : [`class:${className}` as const, ...nextInLine(stores, className)])];
  },
  macNode: (stores: Stores, macNode: MacNode, other?: MacNode): Key[] => {
    const serial = macNode.metadata.name;
    if (other !== undefined && isHeartbeat(macNode, other)) return [`node:${serial}`];
    const bound = boundTo(stores, serial);
    return [`node:${serial}`, `class:${macNode.spec.class}`, ...undecided(stores, serial), ...(bound.length > 0 ? bound : nextInLine(stores, macNode.spec.class))];
  },
  node: (stores: Stores, node: Node, other?: Node): Key[] => {
    if (other !== undefined && isNodeHeartbeat(node, other)) return [];
    const serial = node.metadata.name.replace(/^mac-/, '');
    const className = stores.macNodes.get(serial)?.spec.class;
    const bound = boundTo(stores, serial);
    return [`node:${serial}`, ...bound, ...(className === undefined ? [] : [`class:${className}` as const, ...(bound.length > 0 ? [] : nextInLine(stores, className))])];
  },
  pod: (stores: Stores, pod: Pod): Key[] => {
    const lease = pod.metadata.labels?.[Label.Lease];
    if (lease === undefined || pod.metadata.annotations?.[Annotation.InstanceUID] === undefined) return [];
    const key = `${pod.metadata.namespace}/${lease}`;
    return [`group:${key}`, ...claimsOfLease(stores, key)];
  },
  doubt: (stores: Stores, serial: string): Key[] => {
    const className = stores.macNodes.get(serial)?.spec.class;
    const claim = stores.claims.get(serial);
    return [...(className === undefined ? [] : [`class:${className}` as const]), ...(claim === undefined ? [] : [`lease:${leaseOfClaim(claim)}` as const])];
  },
  certificate: (_stores: Stores, request: CertificateSigningRequest): Key[] => (isPending(request) ? [`certificate:${request.metadata.name}`] : []),
  macClass: (_stores: Stores, macClass: MacClass): Key[] => [`class:${macClass.metadata.name}`],
} as const;
