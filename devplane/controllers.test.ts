import type { Json } from './json';
import { type DevelopmentPlane, startPlane } from './plane';
import { type Answer, type Ask, ask, follow } from './testing/client';

const fixtures = `${__dirname}/fixtures`;
const pods = '/api/v1/namespaces/default/pods';

let plane: DevelopmentPlane;
const as = (path: string, options: Ask = {}) => ask(plane, path, { token: 'root', ...options });
const node = (path: string, options: Ask = {}) => ask(plane, path, { token: 'node', ...options });
const post = (path: string, body: Json, options: Ask = {}) => as(path, { method: 'POST', body, ...options });
const patch = (path: string, body: Json, options: Ask = {}) => as(path, { method: 'PATCH', body, ...options });
const remove = (path: string, body?: Json, options: Ask = {}) => as(path, { method: 'DELETE', ...(body !== undefined && { body }), ...options });

/** Waits, by watch, for a state of one object. @param from the resourceVersion to start at, where the state may already have passed */
async function until(collection: string, name: string, is: (object: Answer['body'], type: string) => boolean, from = ''): Promise<Answer['body']> {
  const events = await follow(plane, `${collection}?watch=true&fieldSelector=metadata.name%3D${name}&resourceVersion=${from}`, 'root', (seen) => seen.some(({ object, type }) => is(object, type)));
  return (events.find(({ object, type }) => is(object, type)) ?? { object: {} as Answer['body'] }).object;
}

const amounts = { 'macrack.io/macos-vm': '2', pods: '2' };
const ready = { status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] } };
const macNode = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-a', labels: { 'macrack.io/serial': 'a' } }, spec: { taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] } };
const tolerations = [{ key: 'macrack.io/unleased', operator: 'Exists', effect: 'NoSchedule' }];
const pod = (name: string, spec: object = {}): Json => ({
  apiVersion: 'v1', kind: 'Pod', metadata: { name },
  spec: { containers: [{ name: 'vm', image: 'image', resources: { limits: { 'macrack.io/macos-vm': '1' } } }], tolerations, ...spec },
});

beforeEach(async () => {
  plane = await startPlane({ crds: `${fixtures}/crds`, log: () => undefined, users: [{ name: 'root', groups: ['system:masters'], token: 'root' }, { name: 'system:node:mac-a', groups: ['system:nodes'], token: 'node' }] });
});
afterEach(() => plane.stop());

async function withNode(): Promise<void> {
  await node('/api/v1/nodes', { method: 'POST', body: macNode });
  await node('/api/v1/nodes/mac-a/status', { method: 'PATCH', body: ready });
  await until('/api/v1/nodes', 'mac-a', (object) => JSON.stringify(object.spec).includes('not-ready') === false);
}

describe('nodes', () => {
  test('a new node is not-ready until it says Ready', async () => {
    expect((await node('/api/v1/nodes', { method: 'POST', body: macNode })).body.spec).toMatchObject({ taints: [{ key: 'macrack.io/unleased' }, { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] });
    await node('/api/v1/nodes/mac-a/status', { method: 'PATCH', body: ready });
    expect((await until('/api/v1/nodes', 'mac-a', (object) => !JSON.stringify(object.spec).includes('not-ready'))).spec).toEqual({ taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] });
  });

  test('a node reaches itself and nothing of another', async () => {
    await withNode();
    await post('/api/v1/nodes', { ...macNode, metadata: { name: 'mac-b' } });
    const codes = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await node(path)).code));
    expect(await codes('/api/v1/nodes/mac-a', '/api/v1/nodes/mac-b', '/api/v1/nodes', '/api/v1/nodes/mac-a/status', '/api/v1/pods', '/api/v1/pods?fieldSelector=spec.nodeName%3Dmac-a', '/api/v1/pods?fieldSelector=spec.nodeName%3Dmac-b')).toEqual([200, 403, 403, 403, 403, 200, 403]);
    expect((await node('/api/v1/nodes', { method: 'POST', body: { ...macNode, metadata: { name: 'mac-c' } } })).body.message).toContain('node "mac-a" is not allowed to modify node "mac-c"');
  });

  test('a node may not change taints nor set restricted labels', async () => {
    await withNode();
    expect((await node('/api/v1/nodes/mac-a', { method: 'PATCH', body: { spec: { taints: null } } })).body.message).toContain('is not allowed to modify taints');
    expect((await node('/api/v1/nodes/mac-a', { method: 'PATCH', body: { metadata: { labels: { 'node-restriction.kubernetes.io/x': 'y' } } } })).code).toBe(403);
    expect((await node('/api/v1/nodes/mac-a', { method: 'PATCH', body: { metadata: { labels: { 'macrack.io/y': 'z' } } } })).code).toBe(200);
  });
});

describe('pods', () => {
  test('a pod is filled as the real server fills it', async () => {
    const { body } = await post(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { 'macrack.io/macos-vm': '2000m' } } }] } });
    expect(body).toMatchObject({
      spec: { priority: 0, terminationGracePeriodSeconds: 30, containers: [{ resources: { limits: { 'macrack.io/macos-vm': '2' }, requests: { 'macrack.io/macos-vm': '2' } } }], tolerations: [{ key: 'node.kubernetes.io/not-ready', tolerationSeconds: 300 }, { key: 'node.kubernetes.io/unreachable' }] },
      status: { phase: 'Pending' },
    });
  });

  test.each([['"1500m" of an extended resource', { limits: { 'x.io/y': '1500m' } }, 'must be an integer'], ['a request without a limit', { requests: { 'x.io/y': '1' } }, 'Limit must be set']])('%s is refused', async (_name, resources, message) => {
    expect((await post(pods, pod('p', { containers: [{ name: 'c', image: 'i', resources }] }))).body).toMatchObject({ code: 422, message: expect.stringContaining(message) as string });
  });

  test('its spec is fixed, save images and further tolerations', async () => {
    await post(pods, pod('p'));
    expect((await patch(`${pods}/p`, { spec: { nodeName: 'mac-a' } })).body.message).toContain('pod updates may not change fields other than');
    expect((await patch(`${pods}/p`, { spec: { tolerations: [] } })).code).toBe(422);
  });

  test('the scheduler binds two, and says why not the third', async () => {
    await withNode();
    for (const name of ['p0', 'p1', 'p2']) await post(pods, pod(name));
    expect((await until(pods, 'p1', (object) => JSON.stringify(object.spec).includes('nodeName'))).spec).toMatchObject({ nodeName: 'mac-a' });
    const message = '0/1 nodes are available: 1 Insufficient macrack.io/macos-vm, 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pods.';
    const waiting = await until(pods, 'p2', (object) => JSON.stringify(object.status).includes('Unschedulable'));
    expect(waiting.status).toMatchObject({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] });
    const events = await follow(plane, '/api/v1/namespaces/default/events?watch=true', 'root', (seen) => seen.length === 1);
    expect(events[0]?.object).toMatchObject({ reason: 'FailedScheduling', message, involvedObject: { kind: 'Pod', name: 'p2' } });
  });

  test('a failed pod frees its place at once', async () => {
    await withNode();
    for (const name of ['p0', 'p1', 'p2']) await post(pods, pod(name));
    await until(pods, 'p2', (object) => JSON.stringify(object.status).includes('Unschedulable'));
    await node(`${pods}/p0/status`, { method: 'PATCH', body: { status: { phase: 'Failed' } } });
    expect((await until(pods, 'p2', (object) => JSON.stringify(object.spec).includes('nodeName'))).spec).toMatchObject({ nodeName: 'mac-a' });
  });

  test('an untolerated taint and a foreign selector keep a pod away', async () => {
    await withNode();
    await post(pods, pod('taint', { tolerations: [] }));
    expect(JSON.stringify((await until(pods, 'taint', (object) => JSON.stringify(object.status).includes('Unschedulable'))).status)).toContain('1 node(s) had untolerated taint(s). preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.');
    await post(pods, pod('selector', { nodeSelector: { 'macrack.io/serial': 'b' } }));
    expect(JSON.stringify((await until(pods, 'selector', (object) => JSON.stringify(object.status).includes('Unschedulable'))).status)).toContain("didn't match Pod's node affinity/selector");
  });

  test('an unscheduled pod goes at once; a running one waits for its node to delete it with grace 0', async () => {
    await post(pods, pod('early'));
    await remove(`${pods}/early`);
    expect((await as(`${pods}/early`)).code).toBe(404);
    await withNode();
    const { body } = await post(pods, pod('p', { terminationGracePeriodSeconds: 120 }));
    await until(pods, 'p', (object) => JSON.stringify(object.spec).includes('nodeName'));
    expect((await remove(`${pods}/p`)).body.metadata).toMatchObject({ deletionGracePeriodSeconds: 120 });
    expect((await node(`${pods}/p`, { method: 'DELETE', body: { gracePeriodSeconds: 0, preconditions: { uid: 'other' } } })).code).toBe(409);
    expect((await node(`${pods}/p`, { method: 'DELETE', body: { gracePeriodSeconds: 0, preconditions: { uid: body.metadata.uid } } })).code).toBe(200);
    expect((await as(`${pods}/p`)).code).toBe(404);
  });

  test('a pod is bound once', async () => {
    await post(pods, pod('p', { schedulerName: 'other' }));
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'mac-z' } };
    expect((await post(`${pods}/p/binding`, binding)).body).toMatchObject({ status: 'Success' });
    expect((await post(`${pods}/p/binding`, binding)).body.message).toContain('pod p is already assigned to node "mac-z"');
  });
});

describe('namespaces', () => {
  const widget = { apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name: 'w', finalizers: ['test.io/floor'] }, spec: { size: 1 } };

  test('a namespace stays Terminating while something is left, names it, and goes when it is empty', async () => {
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
    await post('/apis/test.io/v1/namespaces/ns/widgets', widget);
    expect((await remove('/api/v1/namespaces/ns')).body.status).toMatchObject({ phase: 'Terminating' });
    const waiting = await until('/api/v1/namespaces', 'ns', (object) => JSON.stringify(object.status).includes('in 1 resource instances'));
    expect(JSON.stringify(waiting.status)).toContain('widgets.test.io has 1 resource instances');
    expect(JSON.stringify(waiting.status)).toContain('test.io/floor in 1 resource instances');
    expect((await post('/apis/test.io/v1/namespaces/ns/widgets', { ...widget, metadata: { name: 'x' } })).body).toMatchObject({ code: 403, message: 'widgets.test.io "x" is forbidden: unable to create new content in namespace ns because it is being terminated' });
    await patch('/apis/test.io/v1/namespaces/ns/widgets/w', { metadata: { finalizers: null } });
    await until('/api/v1/namespaces', 'ns', (_object, type) => type === 'DELETED', waiting.metadata.resourceVersion);
    expect((await as('/api/v1/namespaces/ns')).code).toBe(404);
  });

  test('PUT finalize without finalizers ends it with its contents left behind', async () => {
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
    await post('/apis/test.io/v1/namespaces/ns/widgets', widget);
    const { body } = await remove('/api/v1/namespaces/ns');
    await as('/api/v1/namespaces/ns/finalize', { method: 'PUT', body: { ...body, spec: { finalizers: [] } } });
    expect([(await as('/api/v1/namespaces/ns')).code, (await as('/apis/test.io/v1/namespaces/ns/widgets/w')).code]).toEqual([404, 200]);
  });
});

describe('garbage', () => {
  const collection = '/apis/test.io/v1/namespaces/default/widgets';
  const widget = (name: string, ...owners: (string | undefined)[]): Json => ({ apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name, ownerReferences: owners.map((uid) => ({ apiVersion: 'test.io/v1', kind: 'Widget', name: 'o', uid: uid ?? '' })) }, spec: { size: 1 } });

  test('what has lost its last owner is deleted; what still has one stays', async () => {
    const [a, b] = [(await post(collection, widget('a'))).body.metadata.uid, (await post(collection, widget('b'))).body.metadata.uid];
    const { body } = await post(collection, widget('of-a', a));
    await post(collection, widget('of-both', a, b));
    await remove(`${collection}/a`);
    await until(collection, 'of-a', (_object, type) => type === 'DELETED', body.metadata.resourceVersion);
    expect((await as(`${collection}/of-both`)).code).toBe(200);
  });

  test('what is created for an owner that is gone is deleted', async () => {
    const { body } = await post(collection, widget('orphan', 'nobody'));
    await until(collection, 'orphan', (_object, type) => type === 'DELETED', body.metadata.resourceVersion);
  });
});

describe('pods of a node that is gone', () => {
  const bound = async (name: string): Promise<string> => {
    const { body } = await post(pods, pod(name, { schedulerName: 'other' }));
    await post(`${pods}/${name}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'mac-a' } });
    return body.metadata.resourceVersion ?? '';
  };

  test('fail and go forty seconds later, whether or not they are being deleted', async () => {
    await withNode();
    const [from] = [await bound('stays'), await bound('leaves')];
    await remove(`${pods}/leaves`);
    await remove('/api/v1/nodes/mac-a');
    plane.clock.advance(39_000);
    expect([(await as(`${pods}/stays`)).body.status, (await as(`${pods}/leaves`)).code]).toEqual([expect.not.objectContaining({ phase: 'Failed' }), 200]);
    plane.clock.advance(2_000);
    for (const name of ['stays', 'leaves']) expect((await until(pods, name, (_object, type) => type === 'DELETED', from)).status).toMatchObject({ phase: 'Failed' });
  });

  test('stay when the node has come back by then', async () => {
    await withNode();
    await bound('p');
    await remove('/api/v1/nodes/mac-a');
    await withNode();
    plane.clock.advance(41_000);
    await post(pods, pod('later'));
    await until(pods, 'later', (object) => JSON.stringify(object.spec).includes('nodeName'));
    expect((await as(`${pods}/p`)).body.status).not.toMatchObject({ phase: 'Failed' });
  });
});
