import type { CertificateSigningRequest, CoordinationLease, KubeEvent, Namespace, Node, Pod, Secret } from './core-objects';
import type { MacClassSpec, MacClassStatus } from './mac-class';
import type { MacNodeSpec, MacNodeStatus } from './mac-node';
import type { ClockSpec, MacNodeBindingSpec } from './mac-node-binding';
import type { MacNodeLeaseSpec, MacNodeLeaseStatus } from './mac-node-lease';
import type { MacOSInstanceSpec, MacOSInstanceStatus } from './mac-os-instance';
import { GROUP, VERSION } from './names';
import type { Kind, KubeObject } from './object';

export type MacNode = KubeObject<MacNodeSpec, MacNodeStatus>;
export type MacClass = KubeObject<MacClassSpec, MacClassStatus>;
export type MacNodeLease = KubeObject<MacNodeLeaseSpec, MacNodeLeaseStatus>;
export type MacOSInstance = KubeObject<MacOSInstanceSpec, MacOSInstanceStatus>;
export type MacNodeBinding = KubeObject<MacNodeBindingSpec, never>;
export type Clock = KubeObject<ClockSpec, never>;

function ours<T extends KubeObject>(kind: string, plural: string, namespaced: boolean): Kind<T> {
  return { group: GROUP, version: VERSION, kind, plural, namespaced };
}

function core<T extends KubeObject>(kind: string, plural: string, namespaced: boolean, group = ''): Kind<T> {
  return { group, version: 'v1', kind, plural, namespaced };
}

/** Every kind that goes through the ControlPlane port. */
export const Kinds = {
  MacNode: ours<MacNode>('MacNode', 'macnodes', false),
  MacClass: ours<MacClass>('MacClass', 'macclasses', false),
  MacNodeLease: ours<MacNodeLease>('MacNodeLease', 'macnodeleases', true),
  MacOSInstance: ours<MacOSInstance>('MacOSInstance', 'macosinstances', true),
  MacNodeBinding: ours<MacNodeBinding>('MacNodeBinding', 'macnodebindings', false),
  Clock: ours<Clock>('Clock', 'clocks', false),
  Namespace: core<Namespace>('Namespace', 'namespaces', false),
  Node: core<Node>('Node', 'nodes', false),
  Pod: core<Pod>('Pod', 'pods', true),
  Event: core<KubeEvent>('Event', 'events', true),
  CoordinationLease: core<CoordinationLease>('Lease', 'leases', true, 'coordination.k8s.io'),
  CertificateSigningRequest: core<CertificateSigningRequest>('CertificateSigningRequest', 'certificatesigningrequests', false, 'certificates.k8s.io'),
  Secret: core<Secret>('Secret', 'secrets', true),
} as const;
