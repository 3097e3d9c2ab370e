import { onCluster } from '../requests';
import type { PolicyCases, Refused } from './case';

const admin = { user: 'admin', groups: ['system:masters'] };
const named = (name: string) => ({ metadata: { name } });

const admissionKinds = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings', 'mutatingadmissionpolicies', 'mutatingadmissionpolicybindings', 'validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
const onAdmission = (resource: string, overrides: Parameters<typeof onCluster>[2]) => onCluster('admissionregistration.k8s.io', resource, { ...admin, ...overrides });
const ours = { ...named('release-floor.macrack.io'), spec: { failurePolicy: 'Fail' } };
const hooks = { ...named('validate.macrack.io'), webhooks: [{ name: 'validate.macrack.io', failurePolicy: 'Fail' }] };

const changesAndGoes = (resource: string): Refused[] => [
  { by: 'neither change nor go', sentence: `an administrator loosens ours among ${resource}`, request: onAdmission(resource, { oldObject: ours, object: { ...ours, spec: { failurePolicy: 'Ignore' } } }) },
  { by: 'neither change nor go', sentence: `an administrator deletes ours among ${resource}`, request: onAdmission(resource, { operation: 'DELETE', oldObject: ours }) },
];

const apiService = (spec: Record<string, unknown>) => ({ metadata: { name: 'v1.macrack.io' }, spec, status: {} });
const local = { group: 'macrack.io', version: 'v1' };
const hijacked = { ...local, service: { name: 'evil', namespace: 'default' } };
const onApiService = (overrides: Parameters<typeof onCluster>[2]) => onCluster('apiregistration.k8s.io', 'apiservices', { ...admin, ...overrides });

const onToken = (overrides: Parameters<typeof onCluster>[2]) => onCluster('', 'serviceaccounts', { ...admin, subResource: 'token', operation: 'CREATE', namespace: 'kube-system', object: { spec: {} }, ...overrides });
const secret = (type: string) => ({ metadata: { name: 's', namespace: 'kube-system' }, type });
const token = secret('kubernetes.io/service-account-token');
const onSecret = (overrides: Parameters<typeof onCluster>[2]) => onCluster('', 'secrets', { ...admin, namespace: 'kube-system', ...overrides });

const request = (username: string, groups: string[] = [], signerName = 'kubernetes.io/kube-apiserver-client-kubelet') => ({ ...named('csr'), spec: { signerName, username, groups } });
const renewal = request('system:node:mac-c02a', ['system:nodes']);
const onApproval = (oldObject: Record<string, unknown>, user: object = admin) => onCluster('certificates.k8s.io', 'certificatesigningrequests', { ...user, subResource: 'approval', oldObject, object: oldObject });

const onRbac = (resource: string, overrides: Parameters<typeof onCluster>[2]) => onCluster('rbac.authorization.k8s.io', resource, { ...admin, ...overrides });
const role = (name: string, verbs: string[] = ['get']) => ({ ...named(name), rules: [{ apiGroups: ['macrack.io'], resources: ['macnodeleases'], verbs }] });
const binding = (user: string, to = 'macrack-operator') => ({ ...named('macrack-operator'), roleRef: { kind: 'ClusterRole', name: to }, subjects: [{ kind: 'User', name: user }] });
const onControllerPod = (serviceAccountName: string, namespace = 'kube-system') => onCluster('', 'pods', { ...admin, operation: 'CREATE', namespace, object: { ...named('x'), spec: { serviceAccountName, containers: [{ name: 'x' }] } } });

/** What holds the rules in place against those who administer the cluster. */
export const clusterCases: PolicyCases[] = [
  {
    policy: 'p8a-admission-objects',
    allowed: {
      'the policy of somebody else goes': onAdmission('validatingadmissionpolicies', { operation: 'DELETE', oldObject: named('theirs.example.com') }),
      'an installation is applied again': onAdmission('validatingadmissionpolicies', { oldObject: ours, object: { ...ours, metadata: { ...ours.metadata, labels: { a: 'b' } } } }),
      'webhooks are applied again': onAdmission('validatingwebhookconfigurations', { oldObject: hooks, object: hooks }),
    },
    refused: [
      ...admissionKinds.flatMap(changesAndGoes),
      { by: 'neither change nor go', sentence: 'an administrator lets a webhook fail open', request: onAdmission('validatingwebhookconfigurations', { oldObject: hooks, object: { ...hooks, webhooks: [{ ...hooks.webhooks[0], failurePolicy: 'Ignore' }] } }) },
    ],
  },
  {
    policy: 'p8c-api-services',
    allowed: {
      'the server registers the group': onApiService({ operation: 'CREATE', object: apiService(local) }),
      'the server reports that it is available': onApiService({ subResource: 'status', object: apiService(local), oldObject: apiService(local) }),
    },
    refused: [
      { by: 'served by the API server itself', sentence: 'the group is registered for a Service', request: onApiService({ operation: 'CREATE', object: apiService(hijacked) }) },
      { by: 'served by the API server itself', sentence: 'the group is turned over to a Service', request: onApiService({ object: apiService(hijacked), oldObject: apiService(local) }) },
      { by: 'served by the API server itself', sentence: 'a status write turns it over', request: onApiService({ subResource: 'status', object: apiService(hijacked), oldObject: apiService(local) }) },
      { by: 'served by the API server itself', sentence: 'an APIService changes its group into ours', request: onApiService({ object: apiService(hijacked), oldObject: apiService({ group: 'example.com' }) }) },
      { by: 'served by the API server itself', sentence: 'the registration is deleted', request: onApiService({ operation: 'DELETE', oldObject: apiService(local) }) },
    ],
    spared: {
      'another group has a Service': onApiService({ operation: 'CREATE', object: apiService({ group: 'metrics.k8s.io', service: { name: 'metrics' } }) }),
      'the core group, which has no name, goes': onApiService({ operation: 'DELETE', oldObject: apiService({ version: 'v1' }) }),
    },
  },
  {
    policy: 'p8e-system-tokens',
    allowed: {
      'the controller manager acts as one of its accounts': onToken({ user: 'system:kube-controller-manager', groups: [] }),
      'a node fetches the token of a pod': onToken({ user: 'system:node:linux-1', groups: ['system:nodes'] }),
    },
    refused: [{ by: 'are for the controller manager and for nodes', sentence: 'an administrator takes the token of a controller', request: onToken({}) }],
    spared: { 'a token of a tenant\'s own account': onToken({ user: 'dev', groups: [], namespace: 'team-a' }) },
  },
  {
    policy: 'p8f-token-secrets',
    allowed: { 'an administrator keeps another secret': onSecret({ operation: 'CREATE', object: secret('Opaque') }) },
    refused: [
      { by: 'does not ask for the token', sentence: 'an administrator has a token filled in', request: onSecret({ operation: 'CREATE', object: token }) },
      { by: 'does not ask for the token', sentence: 'an administrator points one at another account', request: onSecret({ object: token, oldObject: token }) },
    ],
    spared: { 'a token secret of a tenant\'s own': onSecret({ operation: 'CREATE', namespace: 'team-a', object: token }) },
  },
  {
    policy: 'p8g-rbac',
    allowed: {
      'a label of a role changes': onRbac('clusterroles', { oldObject: role('macrack-operator'), object: { ...role('macrack-operator'), metadata: { name: 'macrack-operator', labels: { a: 'b' } } } }),
      'a label of a binding changes': onRbac('clusterrolebindings', { oldObject: binding('macrack-operator'), object: { ...binding('macrack-operator'), metadata: { name: 'macrack-operator', labels: { a: 'b' } } } }),
    },
    refused: [
      { by: 'neither change nor go', sentence: 'an administrator widens the role of tenants', request: onRbac('clusterroles', { oldObject: role('macrack-tenant-editor'), object: role('macrack-tenant-editor', ['*']) }) },
      { by: 'neither change nor go', sentence: 'a role is made to gather the rules of others', request: onRbac('clusterroles', { oldObject: role('macrack-tenant-editor'), object: { ...role('macrack-tenant-editor'), aggregationRule: { clusterRoleSelectors: [{}] } } }) },
      { by: 'neither change nor go', sentence: 'an administrator deletes the role of the operator', request: onRbac('clusterroles', { operation: 'DELETE', oldObject: role('macrack-operator') }) },
      { by: 'neither change nor go', sentence: 'an administrator joins the operator', request: onRbac('clusterrolebindings', { oldObject: binding('macrack-operator'), object: binding('mallory') }) },
      { by: 'neither change nor go', sentence: 'a binding leads to another role', request: onRbac('clusterrolebindings', { oldObject: binding('macrack-operator'), object: binding('macrack-operator', 'cluster-admin') }) },
      { by: 'neither change nor go', sentence: 'an administrator deletes a binding', request: onRbac('clusterrolebindings', { operation: 'DELETE', oldObject: binding('macrack-operator') }) },
    ],
    spared: { 'the role of somebody else goes': onRbac('clusterroles', { operation: 'DELETE', oldObject: role('view') }) },
  },
  {
    policy: 'p8h-controller-pods',
    allowed: {
      'an add-on runs under its own account': onControllerPod('coredns'),
      'a pod that names no account': onCluster('', 'pods', { ...admin, operation: 'CREATE', namespace: 'kube-system', object: { ...named('x'), spec: { containers: [{ name: 'x' }] } } }),
    },
    refused: [{ by: 'service account of a controller', sentence: 'an administrator runs a pod as the namespace controller', request: onControllerPod('namespace-controller') }],
    spared: { "a tenant's own account of such a name": onControllerPod('namespace-controller', 'team-a') },
  },
  {
    policy: 'p10-agent-certificates',
    allowed: { 'the operator decides': onApproval(renewal, { user: 'macrack-operator' }) },
    refused: [
      { by: 'only the operator decides', sentence: 'an administrator approves the renewal of a Mac', request: onApproval(renewal) },
      { by: 'only the operator decides', sentence: 'the controller manager approves the serving certificate of a Mac', request: onApproval(request('system:node:mac-c02a', ['system:nodes'], 'kubernetes.io/kubelet-serving'), { user: 'system:serviceaccount:kube-system:certificate-controller' }) },
      { by: 'only the operator decides', sentence: 'an administrator approves the first certificate of a Mac', request: onApproval(request('system:bootstrap:abcdef', ['system:bootstrappers:macrack'])) },
    ],
    spared: {
      'the renewal of another node': onApproval(request('system:node:linux-1', ['system:nodes'])),
      'a certificate of another signer': onApproval(request('system:node:mac-c02a', [], 'kubernetes.io/kube-apiserver-client')),
    },
  },
];
