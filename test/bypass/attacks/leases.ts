import type { Refused } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';
import type { Site } from '../site';

const OPERATOR = 'macrack-operator';
const YEARS_AGO = '2020-01-01T00:00:00Z';

const status = ({ tenant, lease }: Site, body: unknown, more: Partial<Request> = {}): Request => ({ method: 'PATCH', path: `${paths.lease(tenant, lease)}/status`, body, ...more });
const steps = (site: Site, ops: readonly object[], as?: string): Request => status(site, ops, { type: 'patch', ...(as !== undefined && { as }) });
const applied = (site: Site, fields: object, as?: string): Request => ({
  ...status(site, { apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { name: site.lease, namespace: site.tenant }, status: fields }, { type: 'apply', ...(as !== undefined && { as }) }),
  path: `${paths.lease(site.tenant, site.lease)}/status?fieldManager=mallory&force=true`,
});
const main = ({ tenant, lease }: Site, body: unknown, more: Partial<Request> = {}): Request => ({ method: 'PATCH', path: paths.lease(tenant, lease), body, ...more });

/** Every way to write an earlier floor. */
const earlier = (site: Site, as?: string): Request[] => [
  status(site, { status: { earliestReleaseAt: YEARS_AGO } }, as === undefined ? {} : { as }),
  status(site, { status: { earliestReleaseAt: null } }, as === undefined ? {} : { as }),
  status(site, { status: null }, as === undefined ? {} : { as }),
  steps(site, [{ op: 'replace', path: '/status/earliestReleaseAt', value: YEARS_AGO }], as),
  steps(site, [{ op: 'remove', path: '/status/earliestReleaseAt' }], as),
  steps(site, [{ op: 'replace', path: '/status', value: {} }], as),
  applied(site, { earliestReleaseAt: YEARS_AGO }, as),
  status(site, { status: { boundAt: YEARS_AGO } }, as === undefined ? {} : { as }),
];

const FLOOR = /earliestReleaseAt only moves later|boundAt is set once|status of a lease cannot be removed|earliestReleaseAt is at least 24h after/;

export const leaseAttacks: readonly Refused[] = [
  {
    id: 'floor-earlier', rule: 3, who: 'admin', attack: 'earliestReleaseAt is moved back, unset, removed with its status, by merge patch, JSON patch, server-side apply and kubectl edit of the status', outcome: 'refused', by: 'CRD',
    says: FLOOR, requests: (site) => earlier(site),
    kubectl: ({ tenant, lease }) => [
      ['patch', 'macnodelease', lease, '-n', tenant, '--subresource=status', '--type=merge', '-p', `{"status":{"earliestReleaseAt":"${YEARS_AGO}"}}`],
      ['patch', 'macnodelease', lease, '-n', tenant, '--subresource=status', '--type=json', '-p', '[{"op":"remove","path":"/status/earliestReleaseAt"}]'],
    ],
  },
  {
    id: 'floor-earlier-by-operator', rule: 3, who: 'admin as operator', attack: 'earliestReleaseAt is moved back, unset (so that it could be set anew), removed, applied with force', outcome: 'refused', by: 'CRD',
    says: FLOOR, requests: (site) => earlier(site, OPERATOR),
  },
  {
    id: 'lease-status', rule: 3, who: 'admin', attack: 'The status of a lease is written where its rules allow it: Held as Bound, a later floor', outcome: 'refused', by: 'p6b-lease-status', says: /only the operator writes the status of a lease/,
    requests: (site) => [status(site, { status: { phase: 'Releasing' } }), status(site, { status: { earliestReleaseAt: '2099-01-01T00:00:00Z' } })],
    kubectl: ({ tenant, lease }) => [['patch', 'macnodelease', lease, '-n', tenant, '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Releasing"}}']],
  },
  {
    id: 'lease-unbound', rule: 3, who: 'admin as operator', attack: 'A bound lease is sent back to Pending, or is Released before its floor', outcome: 'refused', by: 'CRD', says: /does not go back to Pending|is Released at or after/,
    requests: (site) => [status(site, { status: { phase: 'Pending' } }, { as: OPERATOR }), status(site, { status: { phase: 'Released', releasedAt: YEARS_AGO } }, { as: OPERATOR })],
  },
  {
    id: 'lease-finalizer', rule: 3, who: 'admin', attack: 'The finalizer of a bound lease is stripped, by merge patch and JSON patch', outcome: 'refused', by: 'p6-lease-finalizer', says: /macrack\.io\/floor/,
    requests: (site) => [main(site, { metadata: { finalizers: null } }), main(site, { metadata: { finalizers: [] } }), main(site, [{ op: 'remove', path: '/metadata/finalizers' }], { type: 'patch' }), main(site, { metadata: { finalizers: [] } }, { as: OPERATOR })],
    kubectl: ({ tenant, lease }) => [['patch', 'macnodelease', lease, '-n', tenant, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']],
  },
  {
    id: 'instance-finalizer', rule: 1, who: 'admin', attack: 'The finalizer of a running instance is stripped', outcome: 'refused', by: 'p6c-instance-finalizer', says: /macrack\.io\/vm/,
    requests: ({ tenant, instances }) => [{ method: 'PATCH', path: paths.instance(tenant, instances[0]), body: { metadata: { finalizers: null } } }],
  },
  {
    id: 'instance-status', rule: 1, who: 'admin', attack: 'A running instance is called Failed, which holds no slot, so that a third may start', outcome: 'refused', by: 'p6d-instance-status', says: /only the operator writes the status of an instance/,
    requests: ({ tenant, instances }) => [{ method: 'PATCH', path: `${paths.instance(tenant, instances[0])}/status`, body: { status: { phase: 'Failed', reason: 'Crashed' } } }],
  },
  {
    id: 'third-instance', rule: 1, who: 'admin', attack: 'A third instance is made on a lease', outcome: 'refused', by: 'webhook', says: /ThirdInstance.*2B\(iii\)/,
    requests: ({ tenant, lease }) => [{ path: paths.instance(tenant), body: { apiVersion: 'macrack.io/v1', kind: 'MacOSInstance', metadata: { namespace: tenant, name: 'third' }, spec: { leaseName: lease, image: 'x', shape: { cpu: 1, memory: '1Gi', disk: '10Gi' } } } }],
  },
  {
    id: 'serial-pinned', rule: 2, who: 'admin', attack: "A second lease names another tenant's Mac", outcome: 'refused', by: 'webhook', says: /SerialUnavailable/,
    requests: (site, other) => [{ path: paths.lease(other.tenant), body: { apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { namespace: other.tenant, name: 'grab' }, spec: { class: 'base', serial: site.serial } } }],
  },
  {
    id: 'foreign-pod', rule: 2, who: 'admin as operator', attack: "A VM pod of one tenant asks for another's Mac", outcome: 'refused', by: 'webhook', says: /CrossTenant.*3A\(iii\)/,
    requests: (site, other) => [{
      as: OPERATOR, path: paths.pod(other.tenant),
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x-vm-1', namespace: other.tenant }, spec: { nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': site.serial }, containers: [{ name: 'vm', image: 'x', resources: { limits: { 'macrack.io/macos-vm': '1' } } }] } },
    }],
  },
  {
    id: 'floor-shortened', rule: 3, who: 'admin', attack: 'The minimum duration of a bound lease is lowered, or its class or Mac is changed', outcome: 'refused', by: 'CRD', says: /minimumDuration is at least 24h|minimumDuration only grows|class of a lease cannot|serial of a lease cannot/,
    requests: (site, other) => [main(site, { spec: { minimumDuration: '1h' } }), main(site, { spec: { class: 'pro' } }), main(site, { spec: { serial: other.serial } }), main(site, { spec: { serial: null } })],
  },
];
