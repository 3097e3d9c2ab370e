import type { Refused } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';

const API_SERVICE = '/apis/apiregistration.k8s.io/v1/apiservices/v1.macrack.io';
const CRDS = ['macnodebindings', 'macnodeleases', 'macnodes', 'macosinstances', 'macclasses', 'clocks'];
const ADMISSION = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
const FLOOR = 'release-floor.macrack.io';
const system = (name: string): string => paths.inNamespace('kube-system', 'serviceaccounts', name);
const tokenOf = (account: string, more: Partial<Request> = {}): Request => ({ path: `${system(account)}/token`, body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }, ...more });
const tokenSecret = (namespace: string): Request => ({ path: paths.inNamespace(namespace, 'secrets'), body: { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/service-account-token', metadata: { name: 'token', annotations: { 'kubernetes.io/service-account.name': namespace === 'kube-system' ? 'namespace-controller' : 'default' } } } });
const podUnder = (serviceAccountName: string): Request => ({ path: paths.pod('kube-system'), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'thief' }, spec: { serviceAccountName, containers: [{ name: 'x', image: 'x' }] } } });

/** A Mac that is enrolled, whose agent never reported where it listens: the operator leaves its request for a serving certificate open. */
export const GHOST = 'ghost';
const approved = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'x', message: 'x', lastUpdateTime: null }] } };

/** Holds the role macrack-administrator, and is no member of system:masters. */
export const DAILY = 'daily';
const role = (kind: 'ClusterRole' | 'ClusterRoleBinding', body: object): Request => ({ user: DAILY, path: paths.rbac(`${kind.toLowerCase()}s`), body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name: 'more' }, ...body } });
const daily = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: DAILY };

/** What would take the stops themselves away. */
export const stopAttacks: readonly Refused[] = [
  {
    id: 'crd-deleted', rule: 'stops', who: 'admin', attack: 'A CRD is deleted, and so every object of it without any admission on them: singly, in a collection, with claims present', outcome: 'refused', by: 'p8b-crds', says: /CRDs of macrack\.io neither change nor go/,
    requests: () => [...CRDS.map((plural): Request => ({ method: 'DELETE', path: paths.crd(plural) })), { method: 'DELETE', path: paths.only(paths.crd(), 'macnodebindings.macrack.io') }],
    kubectl: () => [['delete', 'crd', 'macnodebindings.macrack.io', '--wait=false']],
  },
  {
    id: 'crd-loosened', rule: 'stops', who: 'admin', attack: 'The rules of a CRD are taken out, the version is no longer served, the stored version is forgotten', outcome: 'refused', by: 'p8b-crds', says: /CRDs of macrack\.io neither change nor go/,
    requests: () => [
      { method: 'PATCH', type: 'patch', path: paths.crd('macnodeleases'), body: [{ op: 'remove', path: '/spec/versions/0/schema/openAPIV3Schema/properties/status/x-kubernetes-validations' }] },
      { method: 'PATCH', type: 'patch', path: paths.crd('macnodebindings'), body: [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }] },
      { method: 'PATCH', type: 'patch', path: paths.crd('macnodebindings'), body: [{ op: 'add', path: '/spec/conversion', value: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert' } } } }] },
    ],
  },
  {
    id: 'crd-loosened-by-installer', rule: 'stops', who: 'admin', attack: 'The installer is impersonated to loosen a CRD or a policy: there is no exempt user', outcome: 'refused', by: 'p8b-crds', says: /neither change nor go/,
    requests: () => ['macrack-installer', 'system:admin', 'kubernetes-admin'].map((as) => ({ method: 'DELETE', path: paths.crd('macnodebindings'), as, groups: ['system:masters'] })),
  },
  {
    id: 'policy-deleted', rule: 'stops', who: 'admin', attack: 'The policy of the Clock, an API object, is deleted, loosened or unbound, singly or in a collection', outcome: 'refused', by: 'p8a-admission-objects', says: /named \*\.macrack\.io neither change nor go/,
    requests: () => [
      ...ADMISSION.flatMap((plural): Request[] => [{ method: 'DELETE', path: paths.admission(plural, FLOOR) }, { method: 'DELETE', path: paths.only(paths.admission(plural), FLOOR) }]),
      { method: 'PATCH', path: paths.admission('validatingadmissionpolicies', FLOOR), body: { spec: { failurePolicy: 'Ignore' } } },
      { method: 'PATCH', path: paths.admission('validatingadmissionpolicybindings', FLOOR), body: { spec: { validationActions: ['Warn'] } } },
    ],
    kubectl: () => [['delete', 'validatingadmissionpolicybinding', FLOOR]],
  },
  {
    id: 'static-policy', rule: 'stops', who: 'admin', attack: 'A policy or webhook that stands in a file is looked for, deleted or changed through the API: it is not there', outcome: 'refused', by: 'API server', says: /not found/,
    requests: () => [
      ...['p7b-claim-floor.macrack.static.k8s.io', 'p3-vm-pods.macrack.static.k8s.io'].map((name): Request => ({ method: 'DELETE', path: paths.admission('validatingadmissionpolicies', name) })),
      { method: 'DELETE', path: paths.admission('validatingwebhookconfigurations', 'validate.macrack.static.k8s.io') },
      { method: 'PATCH', path: paths.admission('mutatingwebhookconfigurations', 'mutate.macrack.static.k8s.io'), body: { webhooks: [] } },
      { method: 'DELETE', path: paths.admission('mutatingadmissionpolicies', 'm2-vm-pod-tolerations.macrack.static.k8s.io') },
    ],
  },
  {
    id: 'static-policy-shadowed', rule: 'stops', who: 'admin', attack: 'A policy is made under the name of one in a file', outcome: 'refused', by: 'API server', says: /static\.k8s\.io/,
    requests: () => [{ path: paths.admission('validatingadmissionpolicies'), body: { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p7b-claim-floor.macrack.static.k8s.io' }, spec: { matchConstraints: { resourceRules: [{ apiGroups: ['x'], apiVersions: ['*'], operations: ['CREATE'], resources: ['y'] }] }, validations: [{ expression: 'true' }] } } }],
  },
  {
    id: 'rbac', rule: 'stops', who: 'admin', attack: "MacRack's roles and bindings are deleted, widened or given to others", outcome: 'refused', by: 'p8g-rbac', says: /neither change nor go/,
    requests: () => [
      { method: 'DELETE', path: paths.rbac('clusterroles', 'macrack-operator') }, { method: 'DELETE', path: paths.only(paths.rbac('clusterrolebindings'), 'macrack-operator') },
      { method: 'PATCH', path: paths.rbac('clusterroles', 'macrack-tenant-editor'), body: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] } },
      { method: 'PATCH', path: paths.rbac('clusterrolebindings', 'macrack-operator'), body: { subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'mallory' }] } },
    ],
    kubectl: () => [['delete', 'clusterrole', 'macrack-agent']],
  },
  {
    id: 'api-service', rule: 'stops', who: 'admin', attack: 'The API group is turned over to a Service that answers in its place, or its registration is deleted', outcome: 'refused', by: 'p8c-api-services', says: /served by the API server itself/,
    requests: () => [
      { method: 'PATCH', path: API_SERVICE, body: { metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } }, spec: { service: { name: 'evil', namespace: 'default' }, insecureSkipTLSVerify: true } } },
      { method: 'DELETE', path: API_SERVICE },
      { path: '/apis/apiregistration.k8s.io/v1/apiservices', body: { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v2.macrack.io' }, spec: { group: 'macrack.io', version: 'v2', groupPriorityMinimum: 2000, versionPriority: 20, insecureSkipTLSVerify: true, service: { name: 'evil', namespace: 'default' } } } },
    ],
  },
  {
    id: 'namespace-finalized', rule: 3, who: 'admin', attack: 'PUT namespaces/finalize, which would orphan the leases of a tenant', outcome: 'refused', by: 'p8d-namespace-finalize', says: /only the namespace controller/,
    requests: ({ tenant }) => [{ method: 'PUT', path: `/api/v1/namespaces/${tenant}/finalize`, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant }, spec: { finalizers: [] } } }],
  },
  {
    id: 'system-token', rule: 'stops', who: 'admin', attack: "The token of a system service account is asked for, to act as one without impersonation", outcome: 'refused', by: 'p8e-system-tokens', says: /are for the controller manager and for nodes/,
    requests: () => [tokenOf('namespace-controller'), tokenOf('generic-garbage-collector'), { ...tokenOf('default'), path: `${paths.inNamespace('macrack-system', 'serviceaccounts', 'default')}/token` }],
    kubectl: () => [['create', 'token', 'namespace-controller', '-n', 'kube-system']],
  },
  { id: 'system-token-secret', rule: 'stops', who: 'admin', attack: 'A Secret is made that the controller manager would fill with such a token', outcome: 'refused', by: 'p8f-token-secrets', says: /does not ask for the token/, requests: () => [tokenSecret('kube-system'), tokenSecret('macrack-system')] },
  {
    id: 'system-pod', rule: 'stops', who: 'admin', attack: 'A pod runs under the service account of a controller, to read its token there', outcome: 'refused', by: 'p8h-controller-pods', says: /service account of a controller/,
    requests: () => ['namespace-controller', 'generic-garbage-collector', 'pod-garbage-collector'].map(podUnder),
  },
  {
    id: 'agent-certificate', rule: 'stops', who: 'admin', attack: "The certificate of a Mac is approved past the operator, as an administrator or as the controller manager", outcome: 'refused', by: 'p10-agent-certificates', says: /only the operator decides on the certificates of agents/,
    requests: () => [undefined, 'system:serviceaccount:kube-system:certificate-controller'].map((as): Request => ({ method: 'PATCH', path: `${paths.certificate(GHOST)}/approval`, body: approved, ...(as === undefined ? {} : { as, groups: ['system:masters'] }) })),
    kubectl: () => [['certificate', 'approve', GHOST]],
  },
  {
    id: 'daily-admin', rule: 'stops', who: 'daily admin', attack: 'The operator, the scheduler or a node is impersonated; cluster-admin, or a role that may impersonate, is granted to oneself', outcome: 'refused', by: 'RBAC', says: /cannot impersonate|attempting to grant RBAC permissions not currently held/,
    requests: ({ node }) => [
      ...['macrack-operator', 'system:kube-scheduler', `system:node:${node}`].map((as): Request => ({ user: DAILY, as, path: paths.claim() })),
      role('ClusterRoleBinding', { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [daily] }),
      role('ClusterRole', { rules: [{ apiGroups: [''], resources: ['users', 'groups'], verbs: ['impersonate'] }] }),
    ],
  },
  {
    id: 'daily-admin-token', rule: 'stops', who: 'daily admin', attack: 'The token of a system service account is asked for', outcome: 'refused', by: 'p8e-system-tokens', says: /are for the controller manager and for nodes/, requests: () => [tokenOf('namespace-controller', { user: DAILY })],
  },
  {
    id: 'system-token-by-node', rule: 'stops', who: 'agent', attack: 'An agent asks for the token of a system service account of which no pod runs on its Mac', outcome: 'refused', by: 'NodeRestriction', says: /not bound to a pod|no relationship found|node requested token/,
    requests: ({ node, tenant }) => [tokenOf('namespace-controller', { user: `system:node:${node}` }), { ...tokenOf('default', { user: `system:node:${node}` }), path: `${paths.inNamespace(tenant, 'serviceaccounts', 'default')}/token` }],
  },
];
