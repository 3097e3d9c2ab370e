import { Kinds } from '../api';
import { parseInstant } from '../rules/instant';
import { connect, type ControlPlane, type PlaneError } from './index';
import { failure, StubApi, type SeenRequest } from './testing/stub-api';

const LEASES = '/apis/macrack.io/v1/namespaces/tenant-a/macnodeleases';
const stored = { apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { name: 'ci', namespace: 'tenant-a', uid: 'u1', resourceVersion: '7' }, spec: { class: 'pro' } };
const ref = { namespace: 'tenant-a', name: 'ci' };

let stub: StubApi;
let plane: ControlPlane;

beforeEach(async () => {
  stub = await new StubApi(() => ({ json: stored })).start();
  plane = await connect({ host: stub.url, token: 'a-token', env: {} });
});
afterEach(async () => {
  plane.close();
  await stub.kill();
});

const only = (): SeenRequest => {
  expect(stub.requests).toHaveLength(1);
  return stub.requests[0] as SeenRequest;
};

describe('reads', () => {
  it('gets an object of a namespace, of the cluster, and of the core group', async () => {
    await expect(plane.get(Kinds.MacNodeLease, ref)).resolves.toEqual(stored);
    await plane.get(Kinds.MacNode, { name: 'c02x' });
    await plane.get(Kinds.Pod, { namespace: 'tenant-a', name: 'ci-vm-0' });
    await plane.get(Kinds.Node, { name: 'mac-c02x' });
    expect(stub.requests.map(({ path }) => path)).toEqual([`${LEASES}/ci`, '/apis/macrack.io/v1/macnodes/c02x', '/api/v1/namespaces/tenant-a/pods/ci-vm-0', '/api/v1/nodes/mac-c02x']);
  });

  it('lists with selectors, in a namespace or in all, and names the kind of items that come without', async () => {
    stub.answer = () => ({ json: { items: [{ metadata: { name: 'p' } }], metadata: { resourceVersion: '42' } } });
    await expect(plane.list(Kinds.Pod, { namespace: 'tenant-a', labelSelector: 'macrack.io/lease=ci', fieldSelector: 'spec.nodeName=mac-c02x' })).resolves.toEqual({ items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }], resourceVersion: '42' });
    expect(only()).toMatchObject({ path: '/api/v1/namespaces/tenant-a/pods', query: { labelSelector: 'macrack.io/lease=ci', fieldSelector: 'spec.nodeName=mac-c02x' } });
    await plane.list(Kinds.Pod);
    expect(stub.requests[1]).toMatchObject({ path: '/api/v1/pods', query: {} });
  });

  it('keeps a path in the address of the server, as a gateway has it', async () => {
    const behind = await connect({ host: `${stub.url}/k8s/clusters/c1/`, env: {} });
    await behind.get(Kinds.MacNode, { name: 'c02x' });
    expect(only().path).toBe('/k8s/clusters/c1/apis/macrack.io/v1/macnodes/c02x');
    behind.close();
  });
});

describe('writes', () => {
  it('creates with the kind filled in', async () => {
    await expect(plane.create(Kinds.MacNodeLease, { metadata: ref, spec: { class: 'pro' } })).resolves.toEqual(stored);
    expect(only()).toMatchObject({ method: 'POST', path: LEASES, query: {}, body: { apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: ref, spec: { class: 'pro' } } });
  });

  it('patches by JSON merge patch, of the object or of its status, with preconditions in the metadata', async () => {
    await plane.patch(Kinds.MacNodeLease, ref, { metadata: { labels: { a: 'b' } }, spec: { release: true } }, { preconditions: { uid: 'u1', resourceVersion: '7' } });
    await plane.patch(Kinds.MacNodeLease, ref, { status: { phase: 'Bound' } }, { subresource: 'status' });
    expect(stub.requests[0]).toMatchObject({ method: 'PATCH', path: `${LEASES}/ci`, body: { metadata: { labels: { a: 'b' }, uid: 'u1', resourceVersion: '7' }, spec: { release: true } } });
    expect(stub.requests[0]?.headers['content-type']).toBe('application/merge-patch+json');
    expect(stub.requests[1]).toMatchObject({ path: `${LEASES}/ci/status`, body: { status: { phase: 'Bound' } } });
  });

  it('removes with preconditions and grace period', async () => {
    await plane.remove(Kinds.Pod, { namespace: 'tenant-a', name: 'ci-vm-0' }, { gracePeriodSeconds: 0, preconditions: { uid: 'u1' } });
    expect(only()).toMatchObject({ method: 'DELETE', body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid: 'u1' } } });
  });

  it('passes a dry run on: of a deletion in the body, since a server that gets one does not look at the query', async () => {
    await plane.create(Kinds.MacNodeLease, { metadata: ref }, { dryRun: true });
    await plane.patch(Kinds.MacNodeLease, ref, {}, { dryRun: true });
    await plane.remove(Kinds.MacNodeLease, ref, { dryRun: true });
    expect(stub.requests.map(({ query }) => query)).toEqual([{ dryRun: 'All' }, { dryRun: 'All' }, {}]);
    expect(stub.requests[2]?.body).toMatchObject({ dryRun: ['All'] });
  });

  it('hands every warning on, unescaped', async () => {
    stub.answer = () => ({ json: stored, headers: { warning: ['299 - "macrack: \\"ci\\" is Held, billed until then"', '299 - "second", 299 - "third"', '199 - "of a proxy"'] } });
    const warnings: string[] = [];
    await plane.remove(Kinds.MacNodeLease, ref, { onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual(['macrack: "ci" is Held, billed until then', 'second', 'third']);
  });

  it('calls another object under the same name a conflict, as the precondition says', async () => {
    stub.answer = () => failure(422, 'Invalid', 'metadata.uid: Invalid value: "u1": field is immutable', { causes: [{ field: 'metadata.uid', reason: 'FieldValueInvalid' }] });
    await expect(plane.patch(Kinds.MacNodeLease, ref, {}, { preconditions: { uid: 'u1' } })).rejects.toMatchObject({ fault: 'Conflict', detail: { code: 422 } });
  });

  it('never sends a write twice', async () => {
    stub.answer = () => 'reset';
    await expect(plane.create(Kinds.MacNodeLease, { metadata: ref })).rejects.toMatchObject({ fault: 'Unreachable' });
    await expect(plane.remove(Kinds.MacNodeLease, ref)).rejects.toMatchObject({ fault: 'Unreachable' });
    stub.answer = () => ({ ...(failure(429, 'TooManyRequests') as object), headers: { 'retry-after': '0' } });
    await expect(plane.patch(Kinds.MacNodeLease, ref, {})).rejects.toMatchObject({ fault: 'Unavailable' });
    expect(stub.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'PATCH']);
  });
});

describe('a name that would address something else never leaves', () => {
  it.each(['', '.', '..', 'a/b', 'a%2Fb'])('%j', async (name) => {
    const bad = { namespace: 'tenant-a', name };
    for (const call of [plane.get(Kinds.Pod, bad), plane.tryGet(Kinds.Pod, bad), plane.remove(Kinds.Pod, bad), plane.patch(Kinds.Pod, bad, {}), plane.get(Kinds.Pod, { namespace: name, name: 'a' })]) {
      await expect(call).rejects.toMatchObject({ name: 'PlaneError', fault: 'Invalid' });
    }
    expect(stub.requests).toHaveLength(0);
  });

  it('nor does one object of a namespaced kind without its namespace', async () => {
    await expect(plane.get(Kinds.Pod, { name: 'a' })).rejects.toMatchObject({ fault: 'Invalid', said: 'a Pod lives in a namespace, and none is given' });
    await expect(plane.create(Kinds.Pod, { metadata: { name: 'a' } })).rejects.toMatchObject({ fault: 'Invalid' });
    expect(stub.requests).toHaveLength(0);
  });
});

describe('time', () => {
  it('is that of the Date header: of a fresh answer, or of the newest one', async () => {
    expect(plane.lastServerTime()).toBeUndefined();
    stub.answer = () => ({ headers: { date: 'Mon, 30 Nov 2026 10:00:00 GMT' } });
    await expect(plane.serverTime()).resolves.toBe(parseInstant('2026-11-30T10:00:00Z'));
    expect(only().path).toBe('/version');
    stub.answer = () => ({ ...(failure(403, 'Forbidden') as object), headers: { date: 'Mon, 30 Nov 2026 10:00:05 GMT' } });
    await plane.get(Kinds.MacNode, { name: 'c02x' }).catch(() => undefined);
    expect(plane.lastServerTime()).toBe(parseInstant('2026-11-30T10:00:05Z'));
  });

  it('is unknown, not guessed, where the server does not tell it', async () => {
    stub.answer = () => (response) => {
      response.sendDate = false;
      response.end('{}');
    };
    await expect(plane.serverTime()).rejects.toMatchObject({ fault: 'Unexpected', said: 'the answer has no Date header, so the time of the server is unknown' });
  });
});

it('a closed client says so', async () => {
  plane.close();
  const error = (await plane.serverTime().catch((thrown: unknown) => thrown)) as PlaneError;
  expect(error.message).toBe(`[GET] /version: the connection to ${stub.url} was closed by this process`);
});
