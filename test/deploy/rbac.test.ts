import { manifests } from './manifests';

interface Rule { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }
interface Object { kind: string; metadata: { name: string; namespace?: string; labels?: Record<string, string> }; rules?: Rule[]; roleRef?: { kind: string; name: string }; subjects?: { kind: string; name: string }[] }

const objects = manifests<Object>('rbac');
const roles = new Map(objects.filter(({ kind }) => kind === 'ClusterRole').map((role) => [role.metadata.name, role]));

/** `group/resource:verb` of all that a role permits. */
function rights(name: string): string[] {
  return (roles.get(name)?.rules ?? []).flatMap(({ apiGroups, resources, verbs }) => apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource}:${verb}`)))).sort();
}

const ours = (resource: string, ...verbs: string[]) => verbs.map((verb) => `macrack.io/${resource}:${verb}`);
const tenants = ['macrack-class-reader', 'macrack-tenant-editor', 'macrack-tenant-viewer'];

test('a tenant editor has leases and instances and nothing else', () => {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  expect(rights('macrack-tenant-editor')).toEqual([...ours('macnodeleases', ...verbs), ...ours('macosinstances', ...verbs)].sort());
});

test('a tenant viewer reads leases and instances and nothing else', () => {
  const verbs = ['get', 'list', 'watch'];
  expect(rights('macrack-tenant-viewer')).toEqual([...ours('macnodeleases', ...verbs), ...ours('macosinstances', ...verbs)].sort());
});

test('everybody reads classes', () => {
  expect(rights('macrack-class-reader')).toEqual(ours('macclasses', 'get', 'list', 'watch').sort());
  expect(objects.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === 'macrack-class-reader')?.subjects).toEqual([expect.objectContaining({ kind: 'Group', name: 'system:authenticated' })]);
});

test.each(tenants)('%s reaches no pods, nodes, Macs, claims, clock or status', (name) => {
  for (const right of rights(name)) expect(right).not.toMatch(/^\/|pods|\/nodes|macnodes:|macnodebindings|clocks|status|finalizers/);
});

test('no role of the tenants is bound to anybody here: each tenant is bound in its own namespace', () => {
  const bound = objects.flatMap(({ roleRef }) => roleRef?.name ?? []).sort();
  expect(bound).toEqual(['macrack-agent', 'macrack-agent-bootstrap', 'macrack-class-reader', 'macrack-operator', 'macrack-operator']);
});

const isAdministrator = (name: string): boolean => name === 'macrack-administrator';

test('no role says everything, of anything, but that of administrators, which says every resource', () => {
  for (const { rules = [] } of [...roles.values()].filter(({ metadata }) => !isAdministrator(metadata.name))) for (const { apiGroups, resources, verbs } of rules) expect([...apiGroups, ...resources, ...verbs].join(' ')).not.toContain('*');
});

test('no role can grant, impersonate, mint tokens, or write policies', () => {
  for (const name of roles.keys()) for (const right of rights(name)) expect(right).not.toMatch(/:(bind|escalate|impersonate|sign|\*)$/);
  for (const name of [...roles.keys()].filter((each) => !isAdministrator(each))) {
    for (const right of rights(name)) expect(right).not.toMatch(/(rbac|admissionregistration|customresourcedefinitions).*:(create|update|patch|delete|deletecollection)$|token|secrets/);
  }
});

test('an administrator does everything by a list of verbs, none of which acts as somebody else or gives more than it has', () => {
  expect(rights('macrack-administrator')).toEqual(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'].map((verb) => `*/*:${verb}`).sort());
});

test('an auditor reads all of MacRack, and what guards it, and writes nothing', () => {
  for (const right of rights('macrack-auditor')) expect(right).toMatch(/:(get|list|watch)$/);
  for (const resource of ['macclasses', 'macnodes', 'macnodeleases', 'macosinstances', 'macnodebindings', 'clocks']) expect(rights('macrack-auditor')).toEqual(expect.arrayContaining(ours(resource, 'get', 'list', 'watch')));
});

test('who may view or own a namespace views or leases there; who may edit it does not spend', () => {
  const labels = (name: string) => roles.get(name)?.metadata.labels;
  expect(labels('macrack-tenant-viewer')).toEqual({ 'rbac.authorization.k8s.io/aggregate-to-view': 'true' });
  expect(labels('macrack-tenant-editor')).toEqual({ 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' });
});

test('certificates are approved by the operator alone, for the two signers of nodes', () => {
  const approvers = [...roles.values()].filter(({ rules = [] }) => rules.some(({ verbs }) => verbs.includes('approve')));
  expect(approvers.map(({ metadata, rules = [] }) => [metadata.name, rules.filter(({ verbs }) => verbs.includes('approve'))])).toEqual([['macrack-operator', [
    { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'], verbs: ['approve'] },
  ]]]);
});

test('the operator writes claims, clocks, pods and the status of what it reconciles, and no Mac, class or new lease', () => {
  const writes = rights('macrack-operator').filter((right) => !/:(get|list|watch)$/.test(right));
  expect(writes).toEqual([
    'certificates.k8s.io/certificatesigningrequests/approval:patch', 'certificates.k8s.io/signers:approve',
    '/nodes:delete', '/nodes:patch', '/pods:create', '/pods:delete',
    ...ours('clocks', 'create', 'delete'), ...ours('macclasses/status', 'patch'),
    ...ours('macnodebindings', 'create', 'delete', 'patch'),
    ...ours('macnodeleases', 'delete', 'patch'), ...ours('macnodeleases/finalizers', 'update'), ...ours('macnodeleases/status', 'patch'),
    ...ours('macosinstances', 'delete', 'patch'), ...ours('macosinstances/finalizers', 'update'), ...ours('macosinstances/status', 'patch'),
  ].sort());
  expect(objects.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === 'macrack-operator')?.subjects).toEqual([expect.objectContaining({ kind: 'User', name: 'macrack-operator' })]);
});

const asksForCertificates = ['create', 'get'].map((verb) => `certificates.k8s.io/certificatesigningrequests:${verb}`);

test('an agent reads Macs and claims by name, reports, and asks for its next certificates; its node and pods come from the Node authorizer', () => {
  expect(rights('macrack-agent')).toEqual([...ours('macnodebindings', 'get'), ...ours('macnodes', 'get'), ...ours('macnodes/status', 'patch'), ...asksForCertificates].sort());
  expect(objects.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === 'macrack-agent')?.subjects).toEqual([expect.objectContaining({ kind: 'Group', name: 'system:nodes' })]);
});

test('the token of an enrolment asks for a certificate and nothing else', () => {
  expect(rights('macrack-agent-bootstrap')).toEqual(asksForCertificates);
  expect(objects.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === 'macrack-agent-bootstrap')?.subjects).toEqual([expect.objectContaining({ kind: 'Group', name: 'system:bootstrappers:macrack' })]);
});

test('in its own namespace the operator has one lease and one Secret by name, and writes Events', () => {
  const role = objects.find(({ kind, metadata }) => kind === 'Role' && metadata.name === 'macrack-operator');
  expect(role?.metadata.namespace).toBe('macrack-system');
  expect(role?.rules?.map(({ resources, resourceNames, verbs }) => [...resources, ...(resourceNames ?? []), verbs])).toEqual([
    ['leases', ['create']], ['leases', 'macrack-operator', ['get', 'patch']], ['secrets', ['create']], ['secrets', 'macrack-webhook-ca', ['get']], ['events', ['create']],
  ]);
});
