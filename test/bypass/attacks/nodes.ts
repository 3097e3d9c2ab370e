import type { Refused } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';
import type { Site } from '../site';

const OPERATOR = 'macrack-operator';
const capacity = (slots: string, pods = '2') => ({ 'macrack.io/macos-vm': slots, pods });
const statusOf = (site: Site, status: object, more: Partial<Request> = {}): Request => ({ method: 'PATCH', path: `${paths.node(site.node)}/status`, body: { status }, ...more });
const change = (site: Site, body: object, more: Partial<Request> = {}): Request => ({ method: 'PATCH', path: paths.node(site.node), body, ...more });
const tainted = (site: Site, taints: readonly object[], as?: string): Request => change(site, { spec: { taints } }, as === undefined ? {} : { as });
const tenant = (value: string, effect = 'NoSchedule') => ({ key: 'macrack.io/tenant', value, effect });
const unleased = { key: 'macrack.io/unleased', effect: 'NoSchedule' };
const labels = (serial: string) => ({ 'macrack.io/serial': serial, 'kubernetes.io/os': 'darwin' });
const newNode = (serial: string, taints: readonly object[]): Request => ({ path: paths.node(), body: { apiVersion: 'v1', kind: 'Node', metadata: { name: `mac-${serial}`, labels: labels(serial) }, spec: { taints } } });

/** What a Mac offers, whose it is, and whether it is there. */
export const nodeAttacks: readonly Refused[] = [
  {
    id: 'node-capacity', rule: 1, who: 'admin', attack: 'A Mac is made to offer four VM slots, or 110 pods, by merge patch, JSON patch and PUT', outcome: 'refused', by: 'p1-node-capacity', says: /at most two VM slots/,
    requests: (site) => [
      statusOf(site, { capacity: capacity('4') }), statusOf(site, { allocatable: capacity('4') }), statusOf(site, { allocatable: capacity('2', '110') }),
      { ...statusOf(site, {}), type: 'patch', body: [{ op: 'replace', path: '/status/capacity/macrack.io~1macos-vm', value: '4' }] },
      { ...statusOf(site, {}), type: 'apply', path: `${paths.node(site.node)}/status?fieldManager=mallory&force=true`, body: { apiVersion: 'v1', kind: 'Node', metadata: { name: site.node }, status: { capacity: capacity('4') } } },
    ],
    kubectl: ({ node }) => [['patch', 'node', node, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { capacity: capacity('4') } })]],
  },
  {
    id: 'node-serial', rule: 2, who: 'admin', attack: 'A Mac is labelled with the serial of another, or with none', outcome: 'refused', by: 'p1-node-capacity', says: /carries the label macrack\.io\/serial/,
    requests: (site, other) => [change(site, { metadata: { labels: { 'macrack.io/serial': other.serial } } }), change(site, { metadata: { labels: { 'macrack.io/serial': null } } })],
    kubectl: ({ node }, other) => [['label', 'node', node, `macrack.io/serial=${other.serial}`, '--overwrite']],
  },
  {
    id: 'taint-removed', rule: 2, who: 'admin', attack: 'The tenant taint is taken off a leased Mac', outcome: 'refused', by: 'p2-node-taints', says: /carries macrack\.io\/unleased or|only the operator changes/,
    requests: (site) => [tainted(site, []), change(site, { spec: { taints: null } }), { ...change(site, {}), type: 'patch', body: [{ op: 'remove', path: '/spec/taints' }] }, tainted(site, [unleased])],
    kubectl: ({ node }) => [['taint', 'node', node, 'macrack.io/tenant-']],
  },
  {
    id: 'taint-changed', rule: 2, who: 'admin', attack: 'The tenant taint is changed into that of another tenant', outcome: 'refused', by: 'p2-node-taints', says: /only through macrack\.io\/unleased|only the operator changes/,
    requests: (site, other) => [tainted(site, [tenant(other.tenant)])],
    kubectl: ({ node }, other) => [['taint', 'node', node, `macrack.io/tenant=${other.tenant}:NoSchedule`, '--overwrite']],
  },
  {
    id: 'taint-swapped-by-operator', rule: 2, who: 'admin as operator', attack: 'One tenant is swapped for another in one step, or two are let in at once', outcome: 'refused', by: 'p2-node-taints', says: /only through macrack\.io\/unleased|of one tenant/,
    requests: (site, other) => [tainted(site, [tenant(other.tenant)], OPERATOR), tainted(site, [unleased, tenant(site.tenant)], OPERATOR), tainted(site, [tenant('')], OPERATOR)],
  },
  {
    id: 'taint-weakened', rule: 2, who: 'admin as operator', attack: 'The effect of the tenant taint is weakened, so that anything may be scheduled there', outcome: 'refused', by: 'p2-node-taints', says: /effect NoSchedule/,
    requests: (site) => [tainted(site, [tenant(site.tenant, 'PreferNoSchedule')], OPERATOR)],
  },
  {
    id: 'node-registered-as-leased', rule: 2, who: 'agent', attack: 'An agent registers its Mac as already leased to a tenant of its choice', outcome: 'refused', by: 'p2-node-taints', says: /of one tenant|registered with/,
    requests: (_, other) => [{ ...newNode('newmac', [tenant(other.tenant)]), user: 'system:node:mac-newmac' }],
  },
  {
    id: 'node-deleted', rule: 1, who: 'admin', attack: 'The node of a leased Mac is deleted, singly, by force, or in a collection, so that its pods are collected and it registers again with free slots', outcome: 'refused', by: 'p1d-node-delete', says: /leased Mac is not deleted|is not deleted/,
    requests: ({ node }) => [{ method: 'DELETE', path: paths.node(node) }, { method: 'DELETE', path: `${paths.node(node)}?gracePeriodSeconds=0` }, { method: 'DELETE', path: paths.only(paths.node(), node) }],
    kubectl: ({ node }) => [['delete', 'node', node, '--force', '--grace-period=0', '--wait=false']],
  },
];
