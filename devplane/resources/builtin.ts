import type { ApiObject } from '../json';
import { isRecord, listAt, textAt } from '../json';
import { builtinSchemas as schemas } from './builtin-schemas';
import { type Column, everyVerb, type ResourceDefinition, type Strategy } from './definition';
import { eventStrategy, modernEvents } from './events';
import { nodeLeaseStrategy, nodeStrategy } from './nodes';
import { podStrategy } from './pods';

const column = (name: string, cell: Column['cell'], type = 'string', priority = 0): Column => ({ name, type, priority, description: '', cell });
const field = (name: string, path: string, priority = 0) => column(name, (object) => textAt(object, ...path.split('.')) || '<none>', 'string', priority);
const age = column('Age', (object) => object.metadata.creationTimestamp, 'date');

const condition = (object: ApiObject, type: string) => textAt(listAt(object, 'status', 'conditions').find((entry) => textAt(entry, 'type') === type), 'status');
const count = (pod: ApiObject) => `${condition(pod, 'Ready') === 'True' ? listAt(pod, 'spec', 'containers').length : 0}/${listAt(pod, 'spec', 'containers').length}`;
const roleOf = (binding: ApiObject) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`;
const taintsOf = (node: ApiObject) => listAt(node, 'spec', 'taints').map((taint) => [textAt(taint, 'key'), textAt(taint, 'value')].filter(Boolean).join('=')).join(',');
const podState = (pod: ApiObject) => (pod.metadata.deletionTimestamp ? 'Terminating' : textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase'));
const nodeState = (node: ApiObject) => `${condition(node, 'Ready') === 'True' ? 'Ready' : 'NotReady'}${isRecord(node.spec) && node.spec.unschedulable === true ? ',SchedulingDisabled' : ''}`;

const namespaceStrategy: Strategy = {
  fill(namespace, old) {
    if (old) return;
    namespace.metadata.labels = { ...namespace.metadata.labels, 'kubernetes.io/metadata.name': namespace.metadata.name };
    namespace.spec = { finalizers: ['kubernetes'] };
    namespace.status = { phase: 'Active' };
  },
};

type Shape = Partial<ResourceDefinition> & Pick<ResourceDefinition, 'group' | 'resource' | 'kind'>;

const define = (shape: Shape): ResourceDefinition => ({
  version: 'v1', singular: shape.kind.toLowerCase(), namespaced: true, shortNames: [], categories: [], verbs: everyVerb, subresources: [], custom: false, isCounted: false, columns: [age], strategy: {}, ...shape,
});

const rbac = 'rbac.authorization.k8s.io';

const events = define({
  group: '', resource: 'events', kind: 'Event', shortNames: ['ev'], strategy: eventStrategy, schema: schemas.event, isMadeByUpdate: true, isNamedLast: true,
  selectable: [...['kind', 'name', 'namespace', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((name) => `involvedObject.${name}`), 'reason', 'reportingComponent', 'source', 'type'],
  columns: [
    column('Last Seen', (event) => textAt(event, 'lastTimestamp') || textAt(event, 'eventTime') || event.metadata.creationTimestamp, 'date'), field('Type', 'type'), field('Reason', 'reason'),
    column('Object', (event) => `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`), field('Message', 'message'),
  ],
});

/** Served so that clients which look for one see that there is none: nothing here counts or limits. */
const unenforced = (resource: string, kind: string, shortName: string) => define({ group: '', resource, kind, shortNames: [shortName], verbs: ['get', 'list', 'watch'] });

/** The resources of real Kubernetes that the plane serves. */
export const builtinResources: ResourceDefinition[] = [
  define({
    group: '', resource: 'namespaces', kind: 'Namespace', namespaced: false, shortNames: ['ns'], subresources: ['status', 'finalize'], strategy: namespaceStrategy, schema: schemas.namespace, selectable: ['status.phase'],
    columns: [field('Status', 'status.phase'), age],
  }),
  define({
    group: '', resource: 'nodes', kind: 'Node', namespaced: false, shortNames: ['no'], subresources: ['status'], strategy: nodeStrategy, schema: schemas.node, selectable: ['spec.unschedulable'],
    columns: [column('Status', nodeState), age, column('Taints', taintsOf, 'string', 1)],
  }),
  define({
    group: '', resource: 'pods', kind: 'Pod', shortNames: ['po'], categories: ['all'], subresources: ['status', 'binding', 'eviction'], strategy: podStrategy, schema: schemas.pod, isCounted: true,
    selectable: ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'status.phase', 'status.podIP', 'status.nominatedNodeName'],
    columns: [column('Ready', count), column('Status', podState), age, field('IP', 'status.podIP', 1), field('Node', 'spec.nodeName', 1)],
  }),
  events,
  define({ group: 'events.k8s.io', resource: 'events', kind: 'Event', shortNames: ['ev'], view: { of: events, as: modernEvents } }),
  unenforced('resourcequotas', 'ResourceQuota', 'quota'),
  unenforced('limitranges', 'LimitRange', 'limits'),
  define({ group: 'coordination.k8s.io', resource: 'leases', kind: 'Lease', columns: [field('Holder', 'spec.holderIdentity'), age], strategy: nodeLeaseStrategy, schema: schemas.lease, isMadeByUpdate: true }),
  define({ group: rbac, resource: 'roles', kind: 'Role', schema: schemas.role, isMadeByUpdate: true }),
  define({ group: rbac, resource: 'rolebindings', kind: 'RoleBinding', schema: schemas.binding, isMadeByUpdate: true, columns: [column('Role', roleOf), age] }),
  define({ group: rbac, resource: 'clusterroles', kind: 'ClusterRole', namespaced: false, schema: schemas.role, isMadeByUpdate: true }),
  define({ group: rbac, resource: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false, schema: schemas.binding, isMadeByUpdate: true, columns: [column('Role', roleOf), age] }),
  // Here agents have tokens: nobody asks for a certificate, and nothing would sign one.
  define({ group: 'certificates.k8s.io', resource: 'certificatesigningrequests', kind: 'CertificateSigningRequest', namespaced: false, shortNames: ['csr'], verbs: ['get', 'list', 'watch'] }),
  define({
    group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', kind: 'CustomResourceDefinition', namespaced: false, shortNames: ['crd', 'crds'],
    verbs: ['get', 'list', 'watch'], columns: [column('Created At', (crd) => crd.metadata.creationTimestamp, 'date')],
  }),
];
