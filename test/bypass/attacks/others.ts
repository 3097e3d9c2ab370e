import type { Refused } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';
import type { Site } from '../site';

const agentOf = ({ node }: Site): string => `system:node:${node}`;
const as = (site: Site, request: Request): Request => ({ ...request, user: agentOf(site) });

/** An agent whose key is in the wrong hands. */
export const agentAttacks: readonly Refused[] = [
  {
    id: 'agent-capacity', rule: 1, who: 'agent', attack: 'An agent sets its own capacity to four', outcome: 'refused', by: 'p1-node-capacity', says: /at most two VM slots/,
    requests: (site) => [as(site, { method: 'PATCH', path: `${paths.node(site.node)}/status`, body: { status: { capacity: { 'macrack.io/macos-vm': '4' }, allocatable: { 'macrack.io/macos-vm': '4' } } } })],
  },
  {
    id: 'agent-serial', rule: 2, who: 'agent', attack: 'An agent takes the serial of another Mac', outcome: 'refused', by: 'p1-node-capacity', says: /carries the label macrack\.io\/serial/,
    requests: (site, other) => [as(site, { method: 'PATCH', path: paths.node(site.node), body: { metadata: { labels: { 'macrack.io/serial': other.serial } } } })],
  },
  {
    id: 'agent-selected', rule: 2, who: 'agent', attack: "An agent labels its node so that another Mac's pods come to it", outcome: 'refused', by: 'NodeRestriction', says: /is not allowed to (set|modify)/,
    requests: (site, other) => [as(site, { method: 'PATCH', path: paths.node(site.node), body: { metadata: { labels: { 'node-restriction.kubernetes.io/macrack-serial': other.serial } } } })],
  },
  {
    id: 'agent-taint', rule: 2, who: 'agent', attack: 'An agent changes its own taint', outcome: 'refused', by: 'NodeRestriction', says: /not allowed to modify taints/,
    requests: (site, other) => [as(site, { method: 'PATCH', path: paths.node(site.node), body: { spec: { taints: [{ key: 'macrack.io/tenant', value: other.tenant, effect: 'NoSchedule' }] } } })],
  },
  {
    id: 'agent-other-node', rule: 1, who: 'agent', attack: "An agent writes another Mac's node, lease or pods", outcome: 'refused', by: 'Node authorizer', says: /cannot (patch|update|delete)|not allowed|can only|is forbidden/,
    requests: (site, other) => [
      as(site, { method: 'PATCH', path: `${paths.node(other.node)}/status`, body: { status: { capacity: { 'macrack.io/macos-vm': '2' } } } }),
      as(site, { method: 'PATCH', path: `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${other.node}`, body: { spec: { holderIdentity: 'x' } } }),
      as(site, { method: 'PATCH', path: `${paths.pod(other.tenant, other.pods[0])}/status`, body: { status: { phase: 'Failed' } } }),
      as(site, { method: 'DELETE', path: paths.pod(other.tenant, other.pods[0]), body: { gracePeriodSeconds: 0 } }),
      as(site, { method: 'DELETE', path: paths.node(site.node) }),
    ],
  },
  {
    id: 'agent-other-mac', rule: 2, who: 'agent', attack: "An agent reports what runs on another Mac", outcome: 'refused', by: 'p9-agent-macnodes', says: /its own MacNode and nothing else|only the agent of a Mac/,
    requests: (site, other) => [as(site, { method: 'PATCH', path: `${paths.macNode(other.serial)}/status`, body: { status: { vmCount: 0, vms: [], disks: [] } } })], without: 'p9c-macnode-status',
  },
  {
    id: 'mac-status', rule: 2, who: 'admin', attack: 'A Mac with machines and disks is called empty and wiped', outcome: 'refused', by: 'p9c-macnode-status', says: /only the agent of a Mac/,
    requests: ({ serial }) => [{ method: 'PATCH', path: `${paths.macNode(serial)}/status`, body: { status: { vmCount: 0, vms: [], disks: [] } } }],
  },
  {
    id: 'agent-enrols', rule: 2, who: 'agent', attack: 'An agent enrols a Mac, changes or removes its enrolment, or writes instances and claims', outcome: 'refused', by: 'RBAC', says: /cannot (create|patch|delete) resource/,
    requests: (site) => [
      as(site, { path: paths.macNode(), body: { apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: 'x1' }, spec: { class: 'base', serial: 'x1', hardwareUUID: 'u' } } }),
      as(site, { method: 'PATCH', path: paths.macNode(site.serial), body: { spec: { hardwareUUID: 'u' } } }), as(site, { method: 'DELETE', path: paths.macNode(site.serial) }),
      as(site, { method: 'PATCH', path: `${paths.instance(site.tenant, site.instances[0])}/status`, body: { status: { ip: '10.0.0.1' } } }), as(site, { method: 'DELETE', path: paths.claim(site.serial) }),
    ],
  },
  {
    id: 'agent-instances', rule: 2, who: 'admin as node', attack: 'The group of the agents, with the rights of an administrator, writes instances', outcome: 'refused', by: 'p9b-agent-instances', says: /does not write instances|only the operator writes the status/,
    requests: ({ tenant, instances, node }) => [{ method: 'PATCH', path: paths.instance(tenant, instances[0]), body: { spec: { running: false } }, as: `system:node:${node}`, groups: ['system:nodes', 'system:masters'] }],
  },
];

const TENANT_READS = [paths.lease('TENANT'), paths.instance('TENANT'), paths.pod('TENANT'), '/api/v1/namespaces/TENANT/events', '/apis/events.k8s.io/v1/namespaces/TENANT/events', '/api/v1/namespaces/TENANT/secrets', '/api/v1/namespaces/TENANT'];
const CLUSTER_READS = [paths.ours('macnodeleases'), paths.ours('macosinstances'), paths.claim(), paths.macNode(), paths.ours('clocks'), paths.node(), '/api/v1/pods', '/api/v1/events', '/apis/events.k8s.io/v1/events', '/api/v1/namespaces', '/metrics', '/logs/', '/debug/pprof/', '/configz'];

export const tenantAttacks: readonly Refused[] = [
  {
    id: 'tenant-reads-another', rule: 'tenancy', who: 'tenant', attack: "A tenant reads another's objects, pods, events and secrets", outcome: 'refused', by: 'RBAC', says: /cannot (list|get)/,
    requests: (site, other) => TENANT_READS.map((path) => ({ path: path.replace('TENANT', site.tenant), user: other.tenant })),
  },
  {
    id: 'tenant-reads-cluster', rule: 'tenancy', who: 'tenant', attack: 'A tenant lists nodes, Macs, claims, all leases, all events, or reads the metrics and logs of the API server', outcome: 'refused', by: 'RBAC', says: /cannot (list|get)/,
    requests: (_, other) => CLUSTER_READS.map((path) => ({ path, user: other.tenant })),
  },
  {
    id: 'tenant-writes', rule: 'tenancy', who: 'tenant', attack: "A tenant writes another's lease, its own status, pods, or claims", outcome: 'refused', by: 'RBAC', says: /cannot (patch|create|delete|impersonate)/,
    requests: (site, other) => [
      { method: 'PATCH', path: paths.lease(site.tenant, site.lease), body: { spec: { release: true } } }, { method: 'PATCH', path: `${paths.lease(other.tenant, other.lease)}/status`, body: { status: { phase: 'Released' } } },
      { path: paths.pod(other.tenant), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'x', image: 'x' }] } } },
      { method: 'DELETE', path: paths.claim(other.serial) }, { path: paths.lease(other.tenant), as: 'macrack-operator' },
    ].map((request): Request => ({ ...request, user: other.tenant }) as Request),
  },
];
