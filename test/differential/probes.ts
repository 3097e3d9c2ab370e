import { until } from '../../sdk/client/until';
import { Kinds } from '../../sdk/api';
import type { Kind, NewObject } from '../../sdk/api/object';
import { isFault, type ControlPlane } from '../../sdk/client';
import { claimOf, instanceNamed, leaseNamed, macNodeNamed } from '../conformance/objects';
import { ADMIN, OPERATOR } from '../../realplane/identities';

export const TENANT = 'tenant-a';
export const AGENT = 'system:node:mac-c02a';
export type As = (user: string) => ControlPlane;

/** One request to both planes, after all those before it. */
export interface Probe {
  readonly name: string;
  readonly ask: (as: As) => Promise<unknown>;
  /** Why the development plane answers otherwise, where it does; a probe that agrees has none. */
  readonly differs?: string;
}

const K = Kinds as unknown as Record<keyof typeof Kinds, Kind>;
const status = { subresource: 'status' as const };
const ref = (name: string) => ({ namespace: TENANT, name });
const create = (user: string, kind: Kind, object: object, dryRun = false) => (as: As) => as(user).create(kind, object as NewObject, { dryRun });
const newLease = (name: string, spec: object = {}) => create(TENANT, K.MacNodeLease, leaseNamed(TENANT, name, spec));
const patchLease = (user: string, patch: object, name = 'a') => (as: As) => as(user).patch(K.MacNodeLease, ref(name), patch);
const leaseStatus = (user: string, value: object | null) => (as: As) => as(user).patch(K.MacNodeLease, ref('a'), { status: value }, status);
const shaped = (shape: object | null) => create(TENANT, K.MacOSInstance, instanceNamed(TENANT, 'j', 'a', shape as object));

const leases: Probe[] = [
  { name: 'a lease', ask: newLease('a') },
  { name: 'the same lease again', ask: newLease('a') },
  { name: 'an unknown class', ask: newLease('b', { class: 'ultra' }) },
  { name: 'no class', ask: create(TENANT, K.MacNodeLease, { metadata: ref('b'), spec: {} }) },
  { name: 'no spec', ask: create(TENANT, K.MacNodeLease, { metadata: ref('b') }) },
  { name: 'under a day', ask: newLease('b', { minimumDuration: '23h' }) },
  { name: 'a duration in days', ask: newLease('b', { minimumDuration: '1d' }) },
  { name: 'a duration of a lifetime', ask: newLease('b', { minimumDuration: '99999h' }) },
  { name: 'a name of 59 characters', ask: newLease('x'.repeat(59)) },
  { name: 'a name with a dot', ask: newLease('a.b') },
  { name: 'a name in capitals', ask: newLease('Abc') },
  { name: 'an unknown field', ask: newLease('c', { nonsense: 1 }) },
  { name: 'a field of another type', ask: newLease('b', { release: 'yes' }) },
  { name: 'a status at creation', ask: create(TENANT, K.MacNodeLease, { ...leaseNamed(TENANT, 'd'), status: { phase: 'Released' } }) },
  { name: 'a finalizer without a domain', ask: create(TENANT, K.MacNodeLease, { ...leaseNamed(TENANT, 'e'), metadata: { ...ref('e'), finalizers: ['junk'] } }) },
  { name: 'a dry run', ask: create(TENANT, K.MacNodeLease, leaseNamed(TENANT, 'f'), true) },
  { name: 'what a dry run made', ask: (as) => as(TENANT).get(K.MacNodeLease, ref('f')) },
  { name: 'an absent namespace', ask: create(ADMIN, K.MacNodeLease, leaseNamed('nowhere', 'a')) },
  { name: "another tenant's namespace", ask: create(TENANT, K.MacNodeLease, leaseNamed('tenant-b', 'a')) },
  { name: "another tenant's leases", ask: (as) => as(TENANT).list(K.MacNodeLease, { namespace: 'tenant-b' }) },
  ...(['MacNodeLease', 'Node', 'MacNode', 'MacNodeBinding', 'Pod'] as const).map((kind): Probe => ({ name: `every ${kind}, by a tenant`, ask: (as) => as(TENANT).list(K[kind]) })),
  { name: 'status by a tenant', ask: leaseStatus(TENANT, { phase: 'Released' }) },
  { name: 'status by an administrator', ask: leaseStatus(ADMIN, { phase: 'Released' }) },
  { name: 'an unknown phase', ask: leaseStatus(OPERATOR, { phase: 'Nope' }) },
  { name: 'Bound', ask: leaseStatus(OPERATOR, { phase: 'Bound', chassis: 'c02a', node: 'mac-c02a', bindingUID: 'b', boundAt: '2026-11-29T10:00:00Z', earliestReleaseAt: '2026-11-30T10:00:00Z' }) },
  { name: 'the floor finalizer', ask: patchLease(OPERATOR, { metadata: { finalizers: ['macrack.io/floor'] } }) },
  { name: 'an earlier floor', ask: leaseStatus(OPERATOR, { earliestReleaseAt: '2026-11-30T09:00:00Z' }) },
  { name: 'no instant', ask: leaseStatus(OPERATOR, { boundAt: 'yesterday' }) },
  { name: 'no status', ask: leaseStatus(OPERATOR, null) },
  { name: 'Released too early', ask: leaseStatus(OPERATOR, { phase: 'Released', releasedAt: '2026-11-30T09:00:00Z' }) },
  { name: 'status in a main write', ask: patchLease(OPERATOR, { status: { phase: 'Held' } }) },
  { name: 'another class', ask: patchLease(TENANT, { spec: { class: 'pro' } }) },
  { name: 'the class taken out', ask: patchLease(TENANT, { spec: { class: null } }) },
  { name: 'the floor finalizer stripped by the tenant', ask: patchLease(TENANT, { metadata: { finalizers: null } }) },
  { name: 'the floor finalizer stripped by the operator', ask: patchLease(OPERATOR, { metadata: { finalizers: [] } }) },
  { name: 'a patch of another uid', ask: patchLease(TENANT, { metadata: { uid: 'other' }, spec: { release: true } }) },
  { name: 'a patch of an old version', ask: patchLease(TENANT, { metadata: { resourceVersion: '1' }, spec: { release: true } }) },
  { name: 'another name', ask: patchLease(TENANT, { metadata: { name: 'other' } }) },
  { name: 'a label that is none', ask: patchLease(TENANT, { metadata: { labels: { x: '!!' } } }) },
  { name: 'an annotation that is none', ask: patchLease(TENANT, { metadata: { annotations: { 'a b': '1' } } }) },
  { name: 'another creation stamp', ask: patchLease(TENANT, { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } }) },
  { name: 'a patch of nothing', ask: patchLease(TENANT, { spec: { release: true } }, 'zz') },
  { name: 'a deletion of another uid', ask: (as) => as(TENANT).remove(K.MacNodeLease, ref('a'), { preconditions: { uid: 'other' } }) },
  { name: 'a deletion of an old version', ask: (as) => as(TENANT).remove(K.MacNodeLease, ref('a'), { preconditions: { resourceVersion: '1' } }) },
  { name: 'a deletion of nothing', ask: (as) => as(TENANT).remove(K.MacNodeLease, ref('zz')) },
  { name: 'a deletion as a dry run', ask: (as) => as(TENANT).remove(K.MacNodeLease, ref('a'), { dryRun: true }) },
  { name: 'a deletion', ask: (as) => as(TENANT).remove(K.MacNodeLease, ref('a')) },
  { name: 'a second deletion', ask: (as) => as(TENANT).remove(K.MacNodeLease, ref('a')) },
  { name: 'the name of what is being deleted', ask: newLease('a') },
  { name: 'a finalizer on what is being deleted', ask: patchLease(OPERATOR, { metadata: { finalizers: ['macrack.io/floor', 'x.io/y'] } }) },
  { name: 'an instance', ask: create(TENANT, K.MacOSInstance, instanceNamed(TENANT, 'i', 'a')) },
  { name: 'half a core', ask: shaped({ cpu: 1.5, memory: '4Gi', disk: '40Gi' }) },
  { name: 'no core', ask: shaped({ cpu: 0, memory: '4Gi', disk: '40Gi' }) },
  { name: 'no amount of memory', ask: shaped({ cpu: 1, memory: 'lots', disk: '40Gi' }) },
  { name: 'no shape', ask: shaped(null) },
];

const claim = (name: string, more: object = {}): NewObject => ({ ...claimOf(name, { namespace: TENANT, lease: 'a', leaseUID: 'u', namespaceUID: 'n' }), ...more });
const newClaim = (user: string, object: object) => create(user, K.MacNodeBinding, object);
const patchClaim = (user: string, patch: object) => (as: As) => as(user).patch(K.MacNodeBinding, { name: 'c02a' }, patch);

/** The policy of the Clock sees a new Clock a moment later; until then it says that there is none. */
async function deleteEarly(as: As): Promise<unknown> {
  const answer = await until('the policy sees the Clock', () => as(OPERATOR).remove(K.MacNodeBinding, { name: 'c02a' }).catch((error: unknown) => (isFault(error, 'Invalid') ? undefined : { error })));
  if (answer !== undefined) throw answer.error;
  return undefined;
}

const claims: Probe[] = [
  { name: 'a claim without its finalizer', ask: newClaim(OPERATOR, { ...claim('c02x'), metadata: { name: 'c02x' } }) },
  { name: 'a claim by an administrator', ask: newClaim(ADMIN, claim('c02a')) },
  { name: 'a claim by a tenant', ask: newClaim(TENANT, claim('c02a')) },
  { name: 'a claim', ask: newClaim(OPERATOR, claim('c02a')) },
  { name: 'a second claim', ask: newClaim(OPERATOR, claim('c02a')) },
  { name: 'a claim for another tenant', ask: patchClaim(OPERATOR, { spec: { tenant: 'tenant-b' } }) },
  { name: 'a claim stripped by an administrator', ask: patchClaim(ADMIN, { metadata: { finalizers: null } }) },
  { name: 'a claim stripped by the operator', ask: patchClaim(OPERATOR, { metadata: { finalizers: null } }) },
  { name: 'the end of a claim without a Clock', ask: (as) => as(OPERATOR).remove(K.MacNodeBinding, { name: 'c02a' }) },
  { name: 'a Clock of another name', ask: create(OPERATOR, K.Clock, { metadata: { name: 'other' }, spec: {} }) },
  { name: 'the Clock', ask: create(OPERATOR, K.Clock, { metadata: { name: 'clock' }, spec: {} }) },
  { name: 'the end of a claim before its floor', ask: deleteEarly },
];

const labels = (serial: string) => ({ 'macrack.io/serial': serial, 'kubernetes.io/os': 'darwin' });
const unleased = { taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] };
const node = (serial: string, spec: object = unleased, more: object = labels(serial)) => ({ metadata: { name: `mac-${serial}`, labels: more }, spec });
const capacity = (amount: string) => (as: As) => as(AGENT).patch(K.Node, { name: 'mac-c02a' }, { status: { capacity: { 'macrack.io/macos-vm': amount, pods: '2' }, allocatable: { 'macrack.io/macos-vm': amount, pods: '2' } } }, status);
const signOfLife = (name: string) => create(AGENT, K.CoordinationLease, { metadata: { namespace: 'kube-node-lease', name }, spec: { holderIdentity: name, leaseDurationSeconds: 40 } });
const podsOf = (fieldSelector?: string) => (as: As) => as(AGENT).list(K.Pod, fieldSelector === undefined ? {} : { fieldSelector });
const report = (user: string, name = 'c02a') => (as: As) => as(user).patch(K.MacNode, { name }, { status: { vmCount: 3 } }, status);

const macs: Probe[] = [
  { name: 'the node of another Mac', ask: create(AGENT, K.Node, node('c02b')) },
  { name: 'a node without its serial', ask: create(AGENT, K.Node, node('c02a', unleased, { 'kubernetes.io/os': 'darwin' })) },
  { name: "a node with the operator's label", ask: create(AGENT, K.Node, node('c02a', unleased, { ...labels('c02a'), 'node-restriction.kubernetes.io/macrack-serial': 'c02a' })) },
  { name: 'a node of a tenant', ask: create(AGENT, K.Node, node('c02a', { taints: [{ key: 'macrack.io/tenant', value: 'x', effect: 'NoSchedule' }] })) },
  { name: 'a node without a taint', ask: create(AGENT, K.Node, node('c02a', {}), true), differs: 'a mutating policy adds the taint on a real plane; the development plane evaluates none' },
  { name: 'a node', ask: create(AGENT, K.Node, node('c02a')) },
  { name: 'its taint taken off by its agent', ask: (as) => as(AGENT).patch(K.Node, { name: 'mac-c02a' }, { spec: { taints: [] } }) },
  { name: 'four slots', ask: capacity('4') },
  { name: 'a slot and a half', ask: capacity('1500m') },
  { name: 'two slots', ask: capacity('2') },
  { name: 'its deletion by its agent', ask: (as) => as(AGENT).remove(K.Node, { name: 'mac-c02a' }) },
  { name: 'every node, by an agent', ask: (as) => as(AGENT).list(K.Node) },
  { name: 'every pod, by an agent', ask: podsOf() },
  { name: 'its own pods', ask: podsOf('spec.nodeName=mac-c02a') },
  { name: 'the pods of another Mac', ask: podsOf('spec.nodeName=mac-c02b') },
  { name: 'a sign of life', ask: signOfLife('mac-c02a') },
  { name: 'a sign of life of another Mac', ask: signOfLife('mac-c02b') },
  { name: 'an enrolment', ask: create(ADMIN, K.MacNode, macNodeNamed('c02a')) },
  { name: 'an enrolment under another name', ask: create(ADMIN, K.MacNode, { ...macNodeNamed('c02z'), metadata: { name: 'c02q' } }) },
  { name: 'an enrolment by an agent', ask: create(AGENT, K.MacNode, macNodeNamed('c02q')) },
  { name: 'a report', ask: report(AGENT) },
  { name: 'a report by the operator', ask: report(OPERATOR) },
  { name: 'a report on an absent Mac', ask: report(AGENT, 'zz') },
];

const slot = { 'macrack.io/macos-vm': '1' };
const lost = { operator: 'Exists', effect: 'NoExecute' };
const tolerations = [{ key: 'macrack.io/tenant', operator: 'Equal', value: TENANT, effect: 'NoSchedule' }, { key: 'node.kubernetes.io/not-ready', ...lost }, { key: 'node.kubernetes.io/unreachable', ...lost }];
const container = (more: object = { resources: { requests: slot, limits: slot } }) => ({ name: 'vm', image: 'x', ...more });
const newPod = (user: string, name: string, spec: object = {}) => create(user, K.Pod, { metadata: ref(name), spec: { terminationGracePeriodSeconds: 120, tolerations, nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': 'c02a' }, containers: [container()], ...spec } });
const patchPod = (spec: object) => (as: As) => as(ADMIN).patch(K.Pod, ref('a-vm-0'), { spec });

const pods: Probe[] = [
  { name: 'a VM pod by a tenant', ask: newPod(TENANT, 'a-vm-0') },
  { name: 'a VM pod by an administrator', ask: newPod(ADMIN, 'a-vm-0') },
  { name: 'a third slot', ask: newPod(OPERATOR, 'a-vm-2') },
  { name: 'a pod that names its node', ask: newPod(OPERATOR, 'a-vm-0', { nodeName: 'mac-c02a' }) },
  { name: 'a pod that tolerates everything', ask: newPod(ADMIN, 'web', { tolerations: [{ operator: 'Exists' }], containers: [container({})] }) },
  { name: 'a pod of a slot and a half', ask: newPod(OPERATOR, 'a-vm-0', { containers: [container({ resources: { limits: { 'macrack.io/macos-vm': '1500m' } } })] }) },
  { name: 'a VM pod', ask: newPod(OPERATOR, 'a-vm-0') },
  { name: 'the same VM pod', ask: newPod(OPERATOR, 'a-vm-0') },
  { name: 'a toleration of everything, later', ask: patchPod({ tolerations: [{ operator: 'Exists' }] }) },
  { name: 'another node selector', ask: patchPod({ nodeSelector: { a: 'b' } }) },
  { name: 'the deletion of a Pending VM pod', ask: (as) => as(OPERATOR).remove(K.Pod, ref('a-vm-0')) },
  { name: 'a namespace by a tenant', ask: create(TENANT, K.Namespace, { metadata: { name: 'mine' } }) },
  { name: 'a lease by the operator', ask: create(OPERATOR, K.MacNodeLease, leaseNamed(TENANT, 'op')) },
  { name: 'a node by the operator', ask: create(OPERATOR, K.Node, node('c02c')) },
];

/** In this order, on an installation without an operator. */
export const PROBES: readonly Probe[] = [...leases, ...claims, ...macs, ...pods];
