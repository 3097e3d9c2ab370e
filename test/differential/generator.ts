import fc from 'fast-check';
import type { Json, JsonObject } from '../../devplane/json';
import type { Actor, Named, Operation, ResourceName, Sequence } from './operations';

const one = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** Few of the values that break a rule among many that keep it, so that sequences go on. */
const mostly = <T>(good: T[], bad: T[]): fc.Arbitrary<T> => fc.oneof({ weight: 6, arbitrary: one(...good) }, { weight: 1, arbitrary: one(...bad) });
const some = (fields: Record<string, fc.Arbitrary<Json>>, required: string[] = []): fc.Arbitrary<JsonObject> => fc.record(fields, { requiredKeys: required });

const instants = mostly<Json>(['2026-11-29T10:00:00Z', '2026-11-30T10:00:00Z', '2026-12-02T12:00:00+02:00'], ['yesterday', null, 5]);
const junk = one<Json>(1, 'x', { a: 1 });

const leaseSpec = some({
  class: mostly<Json>(['base', 'base', 'pro'], ['ultra', 3, null]), minimumDuration: mostly<Json>(['24h', '48h', '72h'], ['23h', '1d', '99999h', null, 24]),
  serial: mostly<Json>(['c@', 'C@'], ['!!', null, 1]), release: mostly<Json>([true, false], ['yes', null]), junk,
});
const leaseStatus = some({
  phase: mostly<Json>(['Pending', 'Binding', 'Bound', 'Held', 'Releasing', 'Released'], ['Nope', null]), boundAt: instants, earliestReleaseAt: instants, releasedAt: instants, heldSince: instants,
  chassis: one<Json>('c@', null), node: one<Json>('mac-c@', null), bindingUID: one<Json>('u1', 'u2', null), observedGeneration: mostly<Json>([1, 2], ['1', 1.5]), junk,
  conditions: one<Json>([], [{ type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-11-29T10:00:00Z' }], [{ type: 'Ready' }]),
});
const instanceSpec = some({
  leaseName: mostly<Json>(['a', 'b'], ['A!', null, '']), image: mostly<Json>(['ghcr.io/acme/macos:15', 'ghcr.io/acme/macos:16'], [null, '']), running: mostly<Json>([true, false], [null, 'no']), junk,
  shape: mostly<Json>([{ cpu: 2, memory: '4Gi', disk: '40Gi' }, { cpu: 4, memory: '8192Mi', disk: '40Gi' }], [{ cpu: 1.5, memory: '4Gi', disk: '40Gi' }, { cpu: 0, memory: 'lots', disk: '40Gi' }, { cpu: 2 }, null]),
});
const instanceStatus = some({
  phase: mostly<Json>(['Pending', 'Starting', 'Running', 'Stopped', 'Failed'], ['Nope']), slot: mostly<Json>([0, 1], [2, -1]), machineID: one<Json>('m1', 'm2', null), mac: mostly<Json>(['02:00:00:00:00:01', null], ['x']),
  ip: mostly<Json>(['192.168.64.3'], [null, 5]), node: one<Json>('mac-c@'), podRef: mostly<Json>([{ name: 'a-vm-0', uid: 'u' }], ['a-vm-0']), junk,
});
const claimSpec = some({
  leaseNamespace: one<Json>('@@'), leaseName: one<Json>('a', 'b'), leaseUID: one<Json>('u'), namespaceUID: one<Json>('n'), tenant: one<Json>('@@', 'tenant-b'), minimumDuration: mostly<Json>(['24h', '48h'], ['1h', null]),
});
const macSpec = some({ class: mostly<Json>(['base', 'pro'], ['ultra']), serial: mostly<Json>(['c@', 'C@'], ['d@', null]), hardwareUUID: mostly<Json>(['h'], [null]), maxVMs: one<Json>(3) });
const macStatus = some({ vmCount: mostly<Json>([0, 1, 2, 3], [-1, 'two']), lastSeen: instants, bindingUID: one<Json>('u', null), leaked: mostly<Json>([0, 1], [-1]), nodeRef: mostly<Json>([{ name: 'mac-c@' }], ['mac-c@']), journalSeq: one<Json>(1, 2), junk });

const taint = (key: string, value?: string): Json => ({ key, effect: 'NoSchedule', ...(value !== undefined && { value }) });
const nodeSpec = some({
  taints: mostly<Json>([[taint('macrack.io/unleased')], [taint('macrack.io/tenant', '@@')]], [[], [taint('macrack.io/tenant')], [taint('macrack.io/unleased'), taint('macrack.io/tenant', '@@')], [{ key: 'macrack.io/unleased', effect: 'NoExecute' }]]),
  unschedulable: one<Json>(true, false),
});
const slots = (amount: Json): Json => ({ 'macrack.io/macos-vm': amount, pods: '2' });
const nodeStatus = some({ capacity: mostly<Json>([slots('2'), slots('2000m')], [slots('4'), slots('1500m'), slots('x')]), allocatable: mostly<Json>([slots('2')], [slots('3')]) });

const lost = { operator: 'Exists', effect: 'NoExecute' };
const tolerations = [{ key: 'macrack.io/tenant', operator: 'Equal', value: '@@', effect: 'NoSchedule' }, { key: 'node.kubernetes.io/not-ready', ...lost }, { key: 'node.kubernetes.io/unreachable', ...lost }];
const container = (amount?: string): Json => ({ name: 'vm', image: 'x', ...(amount !== undefined && { resources: { limits: { 'macrack.io/macos-vm': amount }, requests: { 'macrack.io/macos-vm': amount } } }) });
const SELECTED = { 'node-restriction.kubernetes.io/macrack-serial': 'c@' };
const podSpec = some({
  containers: mostly<Json>([[container('1')]], [[container()], [container('2')], [container('1500m')], [container('1'), container()], [], [{ name: 'vm' }]]),
  tolerations: mostly<Json>([tolerations], [[], [{ operator: 'Exists' }], tolerations.slice(0, 2)]), nodeSelector: mostly<Json>([SELECTED], [{ 'kubernetes.io/os': 'linux' }, { a: 'b' }]),
  nodeName: one<Json>('mac-c@'), terminationGracePeriodSeconds: mostly<Json>([120, 30], [0, -1]), priorityClassName: one<Json>('system-node-critical', 'nope'),
});
const podStatus = some({ phase: mostly<Json>(['Running', 'Failed', 'Succeeded'], ['Nope']), reason: one<Json>('ThirdInstance'), podIP: mostly<Json>(['192.168.64.3'], ['x']) });

/** What is asked of a kind: its names, what makes a valid object, who usually writes it, and how its parts vary. */
interface Vocabulary {
  readonly names: string[];
  readonly odd: string[];
  readonly metadata: JsonObject;
  readonly valid: JsonObject;
  readonly writers: Actor[];
  readonly statusWriters: Actor[];
  readonly parts: fc.Arbitrary<JsonObject>;
  readonly status?: fc.Arbitrary<JsonObject>;
}

const inSpec = (spec: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> => spec.map((found) => ({ spec: found }));

const VOCABULARY: Record<ResourceName, Vocabulary> = {
  lease: { names: ['a', 'b'], odd: ['A', 'a.b', 'x'.repeat(59)], metadata: {}, valid: { spec: { class: 'base' } }, writers: ['tenant'], statusWriters: ['operator'], parts: inSpec(leaseSpec), status: leaseStatus },
  instance: { names: ['i', 'j'], odd: ['I_'], metadata: {}, valid: { spec: { leaseName: 'a', image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } }, writers: ['tenant'], statusWriters: ['operator'], parts: inSpec(instanceSpec), status: instanceStatus },
  claim: {
    names: ['c@'], odd: ['C@', 'd-@'], metadata: { finalizers: ['macrack.io/claim'] }, valid: { spec: { leaseNamespace: '@@', leaseName: 'a', leaseUID: 'u', namespaceUID: 'n', tenant: '@@', minimumDuration: '24h' } },
    writers: ['operator'], statusWriters: ['operator'], parts: inSpec(claimSpec),
  },
  mac: { names: ['c@'], odd: ['d@'], metadata: {}, valid: { spec: { class: 'base', serial: 'c@', hardwareUUID: 'h' } }, writers: ['admin'], statusWriters: ['agent'], parts: inSpec(macSpec), status: macStatus },
  node: {
    names: ['mac-c@'], odd: ['mac-d@', 'other-@'], metadata: { labels: { 'macrack.io/serial': 'c@', 'kubernetes.io/os': 'darwin' } }, valid: { spec: { taints: [taint('macrack.io/unleased')] } },
    writers: ['agent', 'operator'], statusWriters: ['agent'], parts: inSpec(nodeSpec), status: nodeStatus,
  },
  pod: {
    names: ['a-vm-0', 'a-vm-1'], odd: ['a-vm-2', 'web'], metadata: {}, valid: { spec: { containers: [container('1')], tolerations, nodeSelector: SELECTED, terminationGracePeriodSeconds: 120, automountServiceAccountToken: false } },
    writers: ['operator'], statusWriters: ['agent'], parts: inSpec(podSpec), status: podStatus,
  },
  sign: { names: ['mac-c@'], odd: ['mac-d@'], metadata: {}, valid: { spec: { holderIdentity: 'mac-c@', leaseDurationSeconds: 40 } }, writers: ['agent'], statusWriters: ['agent'], parts: inSpec(some({ holderIdentity: one<Json>('mac-c@', 'x'), leaseDurationSeconds: mostly<Json>([40], [0, -1]), renewTime: mostly<Json>(['2026-11-29T10:00:00.000000Z'], ['now']) })) },
  event: {
    names: ['e'], odd: ['f'], metadata: {}, valid: { involvedObject: { kind: 'MacNodeLease', name: 'a', namespace: '@@' }, reason: 'Bound', message: 'so', type: 'Normal' }, writers: ['operator', 'admin'], statusWriters: ['operator'],
    parts: some({ involvedObject: mostly<Json>([{ kind: 'Pod', name: 'a', namespace: '@@' }], [{ kind: 'Pod', namespace: 'tenant-b' }]), message: one<Json>('other'), count: one<Json>(2) }),
  },
  role: { names: ['r'], odd: ['q'], metadata: {}, valid: { rules: [{ apiGroups: ['macrack.io'], resources: ['macnodeleases'], verbs: ['get'] }] }, writers: ['admin'], statusWriters: ['admin'], parts: some({ rules: one<Json>([], [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }]) }) },
};

const extraMetadata = some({
  labels: mostly<Json>([{ app: 'x' }, { app: 'y' }, { app: 'x', tier: 'z' }], [{ 'a b': 'x' }, { app: '!!' }, { app: null }, null]), annotations: mostly<Json>([{ note: 'x' }], [{ 'a b': '1' }, { note: null }]),
  finalizers: mostly<Json>([['x.io/keep'], ['macrack.io/floor'], ['macrack.io/vm'], []], [['a b'], ['plain'], null]), generateName: one<Json>('g-'), creationTimestamp: one<Json>('2020-01-01T00:00:00Z', null), generation: one<Json>(7),
});
/** Events, roles and signs of life are written by servers alone: theirs does not vary. */
const PLAIN: readonly ResourceName[] = ['event', 'role', 'sign'];
const metadataOf = (resource: ResourceName): fc.Arbitrary<JsonObject> => (PLAIN.includes(resource) ? fc.constant({}) : fc.oneof({ weight: 3, arbitrary: fc.constant<JsonObject>({}) }, { weight: 1, arbitrary: extraMetadata }));

const anyone = one<Actor>('admin', 'operator', 'tenant', 'viewer', 'agent', 'scheduler');
const by = (usual: Actor[]): fc.Arbitrary<Actor> => fc.oneof({ weight: 4, arbitrary: one(...usual) }, { weight: 1, arbitrary: one<Actor>('admin') }, { weight: 1, arbitrary: anyone });
const rarely = fc.integer({ min: 0, max: 7 }).map((n) => n === 7);
const named: fc.Arbitrary<Named> = fc.oneof({ weight: 5, arbitrary: one<Named>('none') }, { weight: 2, arbitrary: one<Named>('current') }, { weight: 1, arbitrary: one<Named>('other') });
const grace = fc.option(one(0, 30, 1), { nil: undefined, freq: 2 });

const merged = (parts: JsonObject, more: JsonObject): JsonObject => (Object.keys(more).length === 0 ? parts : { ...parts, metadata: more });
const overlaid = (valid: JsonObject, parts: JsonObject): JsonObject =>
  Object.fromEntries([...new Set([...Object.keys(valid), ...Object.keys(parts)])].map((key) => [key, key === 'spec' ? { ...(valid.spec as JsonObject), ...(parts.spec as JsonObject | undefined) } : (parts[key] ?? valid[key])]));

function jsonSteps(parts: JsonObject): Json {
  const spec = (parts.spec ?? parts.status ?? {}) as JsonObject;
  const root = parts.status === undefined ? '/spec' : '/status';
  return Object.entries(spec).map(([name, value]) => (value === null ? { op: 'remove', path: `${root}/${name}` } : { op: name === 'junk' ? 'test' : 'add', path: `${root}/${name}`, value: value ?? null }));
}

/** @param resource what it is about. */
function operationOn(resource: ResourceName): fc.Arbitrary<Operation> {
  const words = VOCABULARY[resource];
  const name = mostly(words.names, words.odd);
  const base = { resource: fc.constant(resource), name, dryRun: rarely };
  const status = words.status;
  const metadata = metadataOf(resource);
  const create = fc.record({ ...base, name: mostly([...words.names, ...words.names, ...words.names], [...words.odd, '']), do: fc.constant('create' as const), as: by(words.writers), strict: rarely, metadata: metadata.map((more) => ({ ...words.metadata, ...more })), body: fc.oneof({ weight: 3, arbitrary: fc.constant(words.valid) }, { weight: 1, arbitrary: words.parts.map((parts) => overlaid(words.valid, parts)) }, { weight: 1, arbitrary: fc.tuple(words.parts, status ?? fc.constant({})).map(([parts, state]) => ({ ...parts, status: state })) }) });
  const change = fc.tuple(words.parts, metadata).map(([parts, more]) => merged(parts, more));
  const patchOf = (of: fc.Arbitrary<JsonObject>, writers: Actor[], isStatus: boolean) => fc.record({ ...base, do: fc.constant('patch' as const), as: by(writers), type: mostly<'merge' | 'json' | 'strategic' | 'apply'>(['merge', 'merge', 'json'], ['strategic']), patch: of, status: fc.constant(isStatus), version: named, uid: named })
    .map((found) => (found.type === 'json' ? { ...found, patch: jsonSteps(found.patch) } : found));
  const patch = patchOf(change, words.writers, false);
  const replace = fc.record({ ...base, do: fc.constant('replace' as const), as: by(words.writers), edit: change, status: fc.constant(false), version: mostly<Named>(['current'], ['none', 'other']) });
  const statuses = status === undefined ? [] : [{ weight: 5, arbitrary: patchOf(status.map((state) => ({ status: state })), words.statusWriters, true) }, { weight: 1, arbitrary: fc.record({ ...base, do: fc.constant('replace' as const), as: by(words.statusWriters), edit: status.map((state) => ({ status: state })), status: fc.constant(true), version: mostly<Named>(['current'], ['none', 'other']) }) }];
  const remove = fc.record({ ...base, do: fc.constant('delete' as const), as: by(words.writers), version: named, uid: named, ...(resource === 'pod' && { grace }) });
  const empty = fc.record({ ...base, do: fc.constant('empty' as const), as: by(words.writers), selector: one('app=x', 'app') });
  const read = fc.record({ do: fc.constant('read' as const), resource: fc.constant(resource), name, as: by(words.writers) });
  const list = fc.record({ do: fc.constant('list' as const), resource: fc.constant(resource), name, as: by([...words.writers, 'viewer']), labels: mostly(['', 'app=x', 'app!=x', 'app in (x,y)', '!app'], ['a in', 'app=!!']), fields: mostly(['', `metadata.name=${words.names[0]}`], ['spec.nodeName=mac-c@', 'spec.class=base', 'x']), everywhere: rarely });
  return fc.oneof({ weight: 6, arbitrary: create }, { weight: 5, arbitrary: patch }, { weight: 2, arbitrary: replace }, ...statuses, { weight: 3, arbitrary: remove }, { weight: resource === 'pod' || words.names[0]?.includes('@') ? 0 : 1, arbitrary: empty }, { weight: 1, arbitrary: read }, { weight: 1, arbitrary: list }) as fc.Arbitrary<Operation>;
}

const pods = one('a-vm-0', 'a-vm-1', 'web');
const bind: fc.Arbitrary<Operation> = fc.record({ do: fc.constant('bind' as const), resource: fc.constant('pod' as const), name: pods, as: by(['scheduler']), dryRun: rarely });
const evict = fc.record({ do: fc.constant('evict' as const), resource: fc.constant('pod' as const), name: pods, as: by(['admin']), dryRun: rarely, grace }) as fc.Arbitrary<Operation>;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: operationOn('lease') }, { weight: 4, arbitrary: operationOn('instance') }, { weight: 3, arbitrary: operationOn('claim') }, { weight: 3, arbitrary: operationOn('mac') },
  { weight: 4, arbitrary: operationOn('node') }, { weight: 5, arbitrary: operationOn('pod') }, { weight: 1, arbitrary: operationOn('sign') }, { weight: 1, arbitrary: operationOn('event') }, { weight: 1, arbitrary: operationOn('role') },
  { weight: 2, arbitrary: bind }, { weight: 1, arbitrary: evict },
);

/** Random lives of a tenant's objects, in which most requests are sensible and some are not. */
export const sequences: fc.Arbitrary<Sequence> = fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 30, size: 'max' }), endsNamespace: rarely });
