import type { Refused } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';
import type { Site } from '../site';

const OPERATOR = 'macrack-operator';

const newClaim = (name: string, site: Site, metadata: object = { finalizers: ['macrack.io/claim'] }): Request => ({
  as: OPERATOR, path: paths.claim(),
  body: { apiVersion: 'macrack.io/v1', kind: 'MacNodeBinding', metadata: { name, ...metadata }, spec: { leaseNamespace: site.tenant, leaseName: 'l', leaseUID: 'u', namespaceUID: site.namespaceUID, tenant: site.tenant } },
});
const stripped = ({ serial }: Site, as?: string): Request[] => [
  { method: 'PATCH', path: paths.claim(serial), body: { metadata: { finalizers: null } }, ...(as !== undefined && { as }) },
  { method: 'PATCH', path: paths.claim(serial), type: 'patch', body: [{ op: 'remove', path: '/metadata/finalizers' }], ...(as !== undefined && { as }) },
];
const removed = ({ serial }: Site, as?: string): Request[] => [
  { method: 'DELETE', path: paths.claim(serial), ...(as !== undefined && { as }) },
  { method: 'DELETE', path: paths.claim(serial), body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' }, ...(as !== undefined && { as }) },
  { method: 'DELETE', path: paths.only(paths.claim(), serial), ...(as !== undefined && { as }) },
];

export const claimAttacks: readonly Refused[] = [
  {
    id: 'claim-deleted', rule: 3, who: 'admin', attack: 'The claim on a leased Mac is deleted, with force, or in a collection', outcome: 'refused', by: 'p7-claims-and-clock', says: /only the operator writes claims|is held until/,
    requests: (site) => removed(site), without: 'release-floor',
    kubectl: ({ serial }) => [['delete', 'macnodebinding', serial, '--force', '--grace-period=0', '--wait=false']],
  },
  {
    id: 'claim-deleted-by-operator', rule: 3, who: 'admin as operator', attack: 'The claim on a leased Mac is deleted before its floor, with force, or in a collection', outcome: 'refused', by: 'release-floor', says: /is held until .* to go\)/, requests: (site) => removed(site, OPERATOR),
    except: { 2: { by: 'RBAC', says: /cannot deletecollection/ } },
  },
  {
    id: 'claim-finalizer', rule: 3, who: 'admin', attack: 'The finalizer of a claim is stripped', outcome: 'refused', by: 'p7-claims-and-clock', says: /only the operator writes claims|stamped after its floor/, requests: (site) => stripped(site), without: 'p7b-claim-floor',
    kubectl: ({ serial }) => [['patch', 'macnodebinding', serial, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']],
  },
  { id: 'claim-finalizer-by-operator', rule: 3, who: 'admin as operator', attack: 'The finalizer of a claim is stripped before its floor', outcome: 'refused', by: 'p7b-claim-floor', says: /stamped after its floor/, requests: (site) => stripped(site, OPERATOR) },
  {
    id: 'claim-without-finalizer', rule: 3, who: 'admin as operator', attack: 'A claim is made without its finalizer, so that it could be deleted at once', outcome: 'refused', by: 'p7b-claim-floor', says: /created with finalizer/,
    requests: (site) => [newClaim('freemac', site, {}), newClaim('freemac', site, { finalizers: ['example.com/other'] })],
  },
  { id: 'claim-taken', rule: 2, who: 'admin as operator', attack: 'A second claim on a leased Mac', outcome: 'refused', by: 'API server', says: /already exists/, requests: (site, other) => [newClaim(site.serial, other)] },
  {
    id: 'claim-renamed', rule: 2, who: 'admin as operator', attack: 'A second claim on a leased Mac under another form of its serial', outcome: 'refused', by: 'CRD', says: /named by the serial/, requests: (site, other) => [newClaim(`${site.serial}-2`, other), newClaim(`${site.serial}.x`, other)],
  },
  {
    id: 'claim-changed', rule: 2, who: 'admin as operator', attack: 'A claim is made over to another tenant, or its floor is shortened', outcome: 'refused', by: 'CRD', says: /a claim does not change/,
    requests: ({ serial }, other) => [{ tenant: other.tenant, leaseNamespace: other.tenant, namespaceUID: other.namespaceUID }, { minimumDuration: '25h' }].map((spec) => ({ method: 'PATCH', path: paths.claim(serial), as: OPERATOR, body: { spec } })),
  },
  {
    id: 'clock', rule: 3, who: 'admin', attack: 'The Clock is deleted, changed, or joined by another', outcome: 'refused', by: 'p7-claims-and-clock', says: /only the operator writes claims and the Clock|one Clock/,
    requests: () => [{ method: 'DELETE', path: paths.ours('clocks', 'clock') }, { method: 'PATCH', path: paths.ours('clocks', 'clock'), body: { metadata: { labels: { x: 'y' } } } }],
  },
];
