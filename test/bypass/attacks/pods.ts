import type { Refused } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';
import type { Site } from '../site';

const OPERATOR = 'macrack-operator';
const SCHEDULER = 'system:kube-scheduler';
const slot = { 'macrack.io/macos-vm': '1' };
const container = { name: 'vm', image: 'ghcr.io/acme/macos:15', resources: { limits: slot, requests: slot } };
const SELECTED = 'node-restriction.kubernetes.io/macrack-serial';
const plain = { name: 'web', image: 'nginx' };
const tolerating = (value: string) => ({ key: 'macrack.io/tenant', operator: 'Equal', value, effect: 'NoSchedule' });

/** A pod that waits in the other tenant's namespace; no node of the scene takes it. */
export const WAITING = 'waiting';
/** A class of pods that go before all others. */
export const URGENT = 'urgent';

const podOf = (namespace: string, name: string, spec: object, more: Partial<Request> = {}): Request => ({ path: paths.pod(namespace), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec: { containers: [plain], ...spec } }, ...more });
const vmPod = ({ tenant, serial }: Site, spec: object, name = 'more-vm-0'): Request => podOf(tenant, name, { containers: [container], nodeSelector: { [SELECTED]: serial }, ...spec }, { as: OPERATOR });
const bindingOf = (namespace: string, name: string, node: string) => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target: { apiVersion: 'v1', kind: 'Node', name: node } });
const bind = (namespace: string, name: string, node: string): Request => ({ path: `${paths.pod(namespace, name)}/binding`, body: bindingOf(namespace, name, node) });
const remove = (path: string, more: Partial<Request> = {}): Request => ({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 }, ...more });
const ended = ({ tenant, pods }: Site, phase: string): Request => ({ method: 'PATCH', path: `${paths.pod(tenant, pods[0])}/status`, body: { status: { phase } } });

const placement: readonly Refused[] = [
  {
    id: 'pod-node-name', rule: 1, who: 'admin', attack: 'A pod names the node of a Mac itself, past the scheduler', outcome: 'refused', by: 'p3-vm-pods', says: /does not name the node of a Mac/,
    requests: (site, other) => [podOf(other.tenant, 'direct', { nodeName: site.node }), podOf(site.tenant, 'direct', { nodeName: site.node }), vmPod(site, { nodeName: site.node })],
    without: { 0: 'webhook' },
  },
  {
    id: 'pod-bound', rule: 1, who: 'admin', attack: 'A pod is bound to a Mac past the scheduler: POST pods/binding, and the legacy POST bindings', outcome: 'refused', by: 'p4-pod-binding', says: /only the scheduler binds/,
    requests: (site, other) => [bind(other.tenant, WAITING, site.node), { path: paths.inNamespace(other.tenant, 'bindings'), body: bindingOf(other.tenant, WAITING, site.node) }],
  },
  {
    id: 'pod-bound-by-second-scheduler', rule: 1, who: 'admin', attack: 'A second scheduler with all rights binds pods to Macs', outcome: 'refused', by: 'p4-pod-binding', says: /only the scheduler binds/,
    requests: (site, other) => [{ ...bind(other.tenant, WAITING, site.node), as: 'second-scheduler', groups: ['system:masters'] }],
  },
  {
    id: 'plain-pod-bound', rule: 1, who: 'admin as scheduler', attack: 'The scheduler is impersonated to bind an ordinary pod to a Mac', outcome: 'refused', by: 'p4-pod-binding', says: /only a VM pod/,
    requests: (site, other) => [{ ...bind(other.tenant, WAITING, site.node), as: SCHEDULER }],
  },
  {
    id: 'pod-second-scheduler', rule: 1, who: 'admin as operator', attack: 'A VM pod is given to a second scheduler, which does not count slots', outcome: 'refused', by: 'p3-vm-pods', says: /placed by default-scheduler/,
    requests: (site) => [vmPod(site, { schedulerName: 'mine' })],
  },
  {
    id: 'mirror-pod', rule: 1, who: 'agent', attack: 'An agent makes a mirror pod on its own node, which no scheduler sees', outcome: 'refused', by: 'p3-vm-pods', says: /does not name the node of a Mac/,
    requests: ({ node, nodeUID, tenant }) => [{
      user: `system:node:${node}`, path: paths.pod(tenant),
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: `mirror-${node}`, namespace: tenant, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node, uid: nodeUID, controller: true }] }, spec: { containers: [plain], nodeName: node, automountServiceAccountToken: false } },
    }],
  },
];

const toleration: readonly Refused[] = [
  {
    id: 'exists-toleration', rule: 2, who: 'admin', attack: 'A pod tolerates every taint, or every tenant', outcome: 'refused', by: 'p3-vm-pods', says: /tolerates every taint|and nothing else/,
    requests: (_, other) => [podOf(other.tenant, 'wild', { tolerations: [{ operator: 'Exists' }] }), podOf(other.tenant, 'wild', { tolerations: [{ key: 'macrack.io/tenant', operator: 'Exists' }] })],
  },
  {
    id: 'exists-toleration-later', rule: 2, who: 'admin', attack: 'A waiting pod gains a toleration of every taint, or of the tenant whose Mac it is after', outcome: 'refused', by: 'p3-vm-pods', says: /tolerates every taint|and nothing else/,
    requests: (site, other) => [
      { method: 'PATCH', type: 'patch', path: paths.pod(other.tenant, WAITING), body: [{ op: 'add', path: '/spec/tolerations/-', value: { operator: 'Exists' } }] },
      { method: 'PATCH', type: 'patch', path: paths.pod(other.tenant, WAITING), body: [{ op: 'add', path: '/spec/tolerations/-', value: tolerating(site.tenant) }] },
    ],
  },
  {
    id: 'vm-pod-toleration-later', rule: 2, who: 'admin', attack: 'A running VM pod gains a toleration', outcome: 'refused', by: 'p3-vm-pods', says: /do not change|and nothing else/,
    requests: (site) => [{ method: 'PATCH', type: 'patch', path: paths.pod(site.tenant, site.pods[0]), body: [{ op: 'add', path: '/spec/tolerations/-', value: { key: 'dedicated', operator: 'Exists' } }] }],
  },
  {
    id: 'foreign-toleration', rule: 2, who: 'admin as operator', attack: "A pod of another tenant tolerates the tenant's Mac", outcome: 'refused', by: 'p3-vm-pods', says: /and nothing else/,
    requests: (site, other) => [podOf(other.tenant, 'x-vm-0', { tolerations: [tolerating(site.tenant)] }, { as: OPERATOR })],
  },
];

const form: readonly Refused[] = [
  {
    id: 'vm-pod-by-hand', rule: 1, who: 'admin', attack: 'A VM pod is made by hand, without an instance', outcome: 'refused', by: 'p3-vm-pods', says: /only the operator creates VM pods/,
    requests: (site) => [{ ...vmPod(site, {}, 'hand-vm-0'), as: 'macrack-admin', groups: ['system:masters'] }],
  },
  {
    id: 'third-slot', rule: 1, who: 'admin as operator', attack: 'A third slot: by name, or by a name that the server makes', outcome: 'refused', by: 'p3-vm-pods', says: /is named <lease>-vm-0 or/,
    requests: (site) => [vmPod(site, {}, `${site.lease}-vm-2`), { as: OPERATOR, path: paths.pod(site.tenant), body: { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: `${site.lease}-vm-` }, spec: { containers: [container] } } }],
  },
  {
    id: 'vm-pod-of-no-mac', rule: 2, who: 'admin as operator', attack: 'A VM pod does not say whose Mac it is for, so that nobody judges its tenant', outcome: 'refused', by: 'p3-vm-pods', says: /selects the Mac of its lease/,
    requests: (site) => [vmPod(site, { nodeSelector: {} }, 'free-vm-0')],
  },
  {
    id: 'slots-hidden', rule: 1, who: 'admin as operator', attack: 'A pod takes two slots, or hides one in a second or an init container', outcome: 'refused', by: 'p3-vm-pods', says: /exactly one macrack\.io\/macos-vm/,
    requests: (site) => [
      vmPod(site, { containers: [{ ...container, resources: { limits: { 'macrack.io/macos-vm': '2' }, requests: { 'macrack.io/macos-vm': '2' } } }] }),
      vmPod(site, { containers: [container, { ...container, name: 'more' }] }), vmPod(site, { initContainers: [{ ...container, name: 'init' }] }),
    ],
  },
  {
    id: 'ephemeral-container', rule: 1, who: 'admin', attack: 'A container is added to a running VM pod', outcome: 'refused', by: 'p3-vm-pods', says: /exactly one macrack\.io\/macos-vm/,
    requests: (site) => [{ method: 'PATCH', type: 'strategic', path: `${paths.pod(site.tenant, site.pods[0])}/ephemeralcontainers`, body: { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } } }],
    kubectl: (site) => [['debug', '-n', site.tenant, site.pods[0] ?? '', '--image=busybox', '--container=debug', '--attach=false']],
  },
  {
    id: 'resize', rule: 1, who: 'admin', attack: 'A running VM pod is resized to two slots', outcome: 'refused', by: 'API server', says: /only cpu and memory|may not change|Forbidden/,
    requests: (site) => [{ method: 'PATCH', type: 'strategic', path: `${paths.pod(site.tenant, site.pods[0])}/resize`, body: { spec: { containers: [{ name: 'vm', resources: { limits: { 'macrack.io/macos-vm': '2' }, requests: { 'macrack.io/macos-vm': '2' } } }] } } }],
  },
  {
    id: 'priority', rule: 1, who: 'admin as operator', attack: 'A VM pod of a PriorityClass preempts a running one', outcome: 'refused', by: 'p3-vm-pods', says: /has priority 0/,
    requests: (site) => [vmPod(site, { priorityClassName: URGENT }, 'urgent-vm-0'), vmPod(site, { priorityClassName: 'system-node-critical' }, 'urgent-vm-0')],
  },
  {
    id: 'no-grace', rule: 1, who: 'admin as operator', attack: 'A VM pod has no grace period, so that every deletion is a forced one', outcome: 'refused', by: 'p3-vm-pods', says: /termination grace period/,
    requests: (site) => [vmPod(site, { terminationGracePeriodSeconds: 0 }, 'quick-vm-0')],
  },
];

const ending: readonly Refused[] = [
  {
    id: 'pod-force-deleted', rule: 1, who: 'admin', attack: 'A VM pod is deleted by force, singly or in a collection, so that its slot is free while its machine runs', outcome: 'refused', by: 'p5-vm-pod-delete', says: /not deleted by force/,
    requests: (site) => [remove(paths.pod(site.tenant, site.pods[0])), remove(paths.only(paths.pod(site.tenant), site.pods[1] ?? '')), remove(paths.pod(site.tenant, site.pods[0]), { as: OPERATOR })],
    kubectl: (site) => [['delete', 'pod', '-n', site.tenant, site.pods[0] ?? '', '--force', '--grace-period=0', '--wait=false']],
  },
  {
    id: 'pod-preempted', rule: 1, who: 'admin as scheduler', attack: 'The scheduler is made to preempt a running VM pod', outcome: 'refused', by: 'p5-vm-pod-delete', says: /does not preempt/,
    requests: (site) => [{ method: 'DELETE', path: paths.pod(site.tenant, site.pods[0]), as: SCHEDULER }],
  },
  {
    id: 'pod-phase', rule: 1, who: 'admin', attack: 'A VM pod is called Failed or Succeeded, by hand or as the pod collector would, so that its slot is free while its machine runs', outcome: 'refused', by: 'p5b-vm-pod-phase', says: /only the agent of its Mac/,
    requests: (site) => [ended(site, 'Failed'), ended(site, 'Succeeded'), { ...ended(site, 'Failed'), as: 'system:serviceaccount:kube-system:pod-garbage-collector', groups: ['system:masters'] }],
  },
  {
    id: 'pod-evicted', rule: 1, who: 'admin', attack: 'A VM pod is evicted with grace 0, past the admission of deletions', outcome: 'refused', by: 'p5c-vm-pod-eviction', says: /is not evicted/,
    requests: (site) => [{ path: `${paths.pod(site.tenant, site.pods[0])}/eviction`, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: site.pods[0], namespace: site.tenant }, deleteOptions: { gracePeriodSeconds: 0 } } }],
  },
];

/** Pods on Macs: who makes them, where they are placed, how they end. */
export const podAttacks: readonly Refused[] = [...placement, ...toleration, ...form, ...ending];
