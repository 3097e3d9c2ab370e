import type { Json } from './json';
import { type DevelopmentPlane, startPlane } from './plane';
import { type Ask, ask, follow } from './testing/client';

const fixtures = `${__dirname}/fixtures`;
const widgets = '/apis/test.io/v1/namespaces/default/widgets';

interface Spec {
  [key: string]: Json | undefined;
}
const widget = (name: string, spec: Spec = {}, metadata: Spec = {}) => ({ apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name, ...metadata }, spec: { size: 2, ...spec } });

let plane: DevelopmentPlane;
const as = (path: string, options: Ask = {}) => ask(plane, path, { token: 'root', ...options });
const post = (body: Json, query = '') => as(`${widgets}${query}`, { method: 'POST', body });
const patch = (name: string, body: Json, options: Ask = {}) => as(`${widgets}/${name}`, { method: 'PATCH', body, ...options });

beforeAll(async () => {
  plane = await startPlane({ crds: `${fixtures}/crds`, historyLimit: 500, log: () => undefined, users: [{ name: 'root', groups: ['system:masters'], token: 'root' }, { name: 'late', groups: ['system:masters'], token: 'late', expiresAt: Date.now() + 3_600_000 }] });
});
afterAll(() => plane.stop());

describe('identity', () => {
  test('an unknown token is 401 Unauthorized', async () => {
    expect((await ask(plane, widgets, { token: 'stranger' })).body).toMatchObject({ kind: 'Status', status: 'Failure', code: 401, reason: 'Unauthorized' });
  });

  test('a client certificate of the CA names user and groups', async () => {
    const pair = await plane.identify('carol', ['one', 'two']);
    const { request } = await import('node:https');
    const code = await new Promise((resolve) => request(new URL(widgets, plane.url), { ca: plane.ca, cert: pair.certificate, key: pair.key, agent: false }, (response) => resolve(response.resume().statusCode)).end());
    expect(code).toBe(403);
    expect(plane.requests.records.at(-1)).toMatchObject({ user: 'carol', verb: 'list', resource: 'widgets.test.io' });
  });
});

describe('schema', () => {
  const refusals: [string, Spec, string][] = [
    ['an enum names what is allowed', { color: 'blue' }, 'Widget.test.io "x" is invalid: [spec.color: Unsupported value: "blue": supported values: "red", "green", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]'],
    ['a maximum is named', { size: 21 }, 'Widget.test.io "x" is invalid: spec.size: Invalid value: 21: spec.size in body should be less than or equal to 20'],
    ['a pattern is shown', { serial: 'A!' }, `Widget.test.io "x" is invalid: spec.serial: Invalid value: "A!": spec.serial in body should match '^[a-z0-9]+$'`],
    ['a duration is typed in CEL', { floor: '1h' }, 'Widget.test.io "x" is invalid: spec.floor: Invalid value: "1h": at least 24h'],
    ['a format fault keeps CEL from the field', { floor: '1d' }, 'Widget.test.io "x" is invalid: spec.floor: Invalid value: "1d": spec.floor in body must be of type duration: "1d"'],
    ['messageExpression, fieldPath and reason of a rule are used', { size: 13 }, 'Widget.test.io "x" is invalid: spec.size: Forbidden: size 13 is unlucky'],
  ];
  test.each(refusals)('%s', async (_name, spec, message) => {
    expect((await post(widget('x', spec))).body).toMatchObject({ code: 422, reason: 'Invalid', message });
  });

  test('a wrong type and a missing required field are each a cause', async () => {
    const answer = await post({ apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name: 'x' }, spec: { color: 3 } });
    expect(answer.body.details).toMatchObject({ name: 'x', group: 'test.io', kind: 'Widget', causes: [{ field: 'spec.size', reason: 'FieldValueRequired', message: 'Required value' }, { field: 'spec.color', reason: 'FieldValueTypeInvalid' }, {}] });
  });

  test('unknown fields are pruned with a warning, or refused when the client asks for strictness', async () => {
    const answer = await post(widget('pruned', { maxVMs: 3 }));
    expect(answer.body.spec).toEqual({ size: 2, color: 'red' });
    expect(answer.headers.warning).toBe('299 - "unknown field \\"spec.maxVMs\\""');
    expect((await post(widget('strict', { maxVMs: 3 }), '?fieldValidation=Strict')).body).toMatchObject({ code: 400, message: expect.stringContaining('strict decoding error: unknown field "spec.maxVMs"') as string });
  });

  test('a parent rule holds when a field is unset to set it lower later; a leaf rule is skipped then', async () => {
    await post(widget('floor', { floor: '48h', serial: 'a' }));
    expect((await patch('floor', { spec: { floor: '24h' } })).body).toMatchObject({ code: 422, message: 'Widget.test.io "floor" is invalid: spec: Invalid value: floor only grows' });
    expect((await patch('floor', { spec: { floor: null } })).code).toBe(422);
    expect((await patch('floor', { spec: { serial: 'b' } })).code).toBe(422);
    expect((await patch('floor', { spec: { serial: null } })).code).toBe(200);
    expect((await patch('floor', { spec: { serial: 'b', floor: '72h' } })).code).toBe(200);
  });

  test('a null is dropped where the schema forbids null, and gives way to a default', async () => {
    expect((await post(widget('nulls', { serial: null, color: null }))).body.spec).toEqual({ size: 2, color: 'red' });
  });

  test('date-time fields are timestamps in CEL', async () => {
    await post(widget('timed'));
    const status = (until: string) => patch('timed/status', { status: { boundAt: '2026-01-01T00:00:00Z', until } });
    expect((await status('2026-01-02T00:00:00+01:00')).body.message).toContain('until is a day after boundAt');
    expect((await status('2026-01-02T00:00:00Z')).code).toBe(200);
  });
});

describe('what the plane lacks is answered 501, never with something false', () => {
  const lacking: [string, string, string?][] = [
    ['GET', '/api/v1/namespaces/default/secrets'], ['GET', '/api/v1/namespaces/default/configmaps'], ['POST', '/api/v1/namespaces/kube-system/serviceaccounts/x/token'], ['POST', '/api/v1/namespaces/default/bindings'],
    ['GET', '/api/v1/namespaces/default/pods/x/log'], ['GET', '/apis/apps/v1/deployments'], ['GET', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'],
    ['DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.io'], ['PATCH', '/apis/apiregistration.k8s.io/v1/apiservices/v1.test.io'],
    ['GET', '/openapi/v2'], ['GET', '/api/v1/nodes?resourceVersion=1&resourceVersionMatch=Exact'], ['PATCH', `${widgets}/x`, 'application/apply-patch+yaml'],
  ];
  test.each(lacking)('%s %s', async (method, path, ...[type]) => {
    expect((await as(path, { method, ...(method === 'GET' ? {} : { body: {} }), ...(type !== undefined && { type }) })).body).toMatchObject({ kind: 'Status', code: 501, reason: 'NotImplemented', message: expect.stringContaining('the development plane does not implement') as string });
  });

  test('a delete that is not background', async () => {
    expect((await as(`${widgets}/x`, { method: 'DELETE', body: { propagationPolicy: 'Foreground' } })).code).toBe(501);
  });

  test('a group that no Kubernetes has is simply not found', async () => {
    expect((await as('/apis/unknown.example/v1/things')).body).toMatchObject({ code: 404, message: 'the server could not find the requested resource' });
  });
});

describe('writes', () => {
  test('server stamps cannot be set, changed or cleared', async () => {
    const { body } = await post(widget('stamped', {}, { uid: 'mine', creationTimestamp: '2000-01-01T00:00:00Z', deletionTimestamp: '2000-01-01T00:00:00Z', generation: 9 }));
    expect(body.metadata).toMatchObject({ generation: 1 });
    expect(body.metadata.uid).not.toBe('mine');
    expect(body.metadata.creationTimestamp).not.toContain('2000');
    expect(body.metadata.deletionTimestamp).toBeUndefined();
    const changed = await patch('stamped', { metadata: { creationTimestamp: '2000-01-01T00:00:00Z', deletionTimestamp: '2000-01-01T00:00:00Z', generation: 7 } });
    expect(changed.body.metadata).toEqual(body.metadata);
  });

  test('create drops status; the main resource ignores it; the status subresource takes nothing else', async () => {
    expect((await post({ ...widget('parts'), status: { phase: 'Faked' } })).body.status).toBeUndefined();
    expect((await patch('parts', { status: { phase: 'Faked' } })).body.status).toBeUndefined();
    const written = await patch('parts/status', { status: { phase: 'True' }, spec: { size: 9 }, metadata: { labels: { a: 'b' } } });
    expect(written.body).toMatchObject({ status: { phase: 'True' }, spec: { size: 2 }, metadata: { generation: 1 } });
    expect(written.body.metadata.labels).toBeUndefined();
    expect((await patch('parts', { spec: { size: 3 } })).body.metadata.generation).toBe(2);
  });

  test('a stale resourceVersion is a conflict, a foreign uid too', async () => {
    const { body } = await post(widget('cas'));
    await patch('cas', { spec: { size: 4 } });
    expect((await as(`${widgets}/cas`, { method: 'PUT', body })).body).toMatchObject({ code: 409, reason: 'Conflict', message: 'Operation cannot be fulfilled on widgets.test.io "cas": the object has been modified; please apply your changes to the latest version and try again' });
    expect((await patch('cas', { metadata: { resourceVersion: body.metadata.resourceVersion }, spec: { size: 5 } })).code).toBe(409);
    expect((await patch('cas', { metadata: { uid: 'other' }, spec: { size: 5 } })).body).toMatchObject({ code: 422, message: 'Widget.test.io "cas" is invalid: metadata.uid: Invalid value: "other": field is immutable' });
    expect((await as(`${widgets}/cas`, { method: 'PUT', body: widget('cas', {}, { uid: 'other', resourceVersion: '1' }) })).body).toMatchObject({ code: 409, message: expect.stringContaining('Precondition failed: UID in precondition: other') as string });
  });

  test('a write that changes nothing leaves the resourceVersion', async () => {
    const { body } = await post(widget('same'));
    expect((await patch('same', { spec: { size: 2 } })).body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('a custom resource is replaced only with a resourceVersion', async () => {
    await post(widget('put'));
    expect((await as(`${widgets}/put`, { method: 'PUT', body: widget('put') })).body.message).toContain('must be specified for an update');
  });

  test('dryRun=All validates and stores nothing', async () => {
    expect((await post(widget('dry'), '?dryRun=All')).code).toBe(201);
    expect((await post(widget('dry', { size: 99 }), '?dryRun=All')).code).toBe(422);
    expect((await as(`${widgets}/dry`)).code).toBe(404);
    await post(widget('dry'));
    expect((await patch('dry?dryRun=All', { spec: { size: 3 } })).body.spec).toMatchObject({ size: 3 });
    expect((await as(`${widgets}/dry`, { method: 'DELETE', body: { dryRun: ['All'] } })).code).toBe(200);
    expect((await as(`${widgets}/dry`)).body.spec).toMatchObject({ size: 2 });
  });

  test('a JSON patch is carried out whole or not at all', async () => {
    await post(widget('patched', {}, { finalizers: ['test.io/a', 'test.io/b'] }));
    const steps = (...list: Json[]) => patch('patched', list, { type: 'application/json-patch+json' });
    const answer = await steps({ op: 'test', path: '/metadata/finalizers/0', value: 'test.io/a' }, { op: 'remove', path: '/metadata/finalizers/0' });
    expect(answer.body.metadata.finalizers).toEqual(['test.io/b']);
    const refused = { code: 422, reason: 'Invalid', message: 'the server rejected our request due to an error in our request' };
    expect((await steps({ op: 'replace', path: '/spec/size', value: 7 }, { op: 'test', path: '/spec/size', value: 8 })).body).toMatchObject(refused);
    expect((await steps({ op: 'remove', path: '/spec/absent' })).body).toMatchObject(refused);
    expect((await steps({ op: 'replace', path: '/metadata/resourceVersion', value: '1' })).body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await as(`${widgets}/patched`)).body.spec).toMatchObject({ size: 2 });
  });

  test('our own kinds take no strategic merge, the kinds of Kubernetes do', async () => {
    await post(widget('plain'));
    for (const type of ['application/strategic-merge-patch+json', 'text/plain']) {
      expect((await patch('plain', {}, { type })).body).toMatchObject({ code: 415, message: expect.stringContaining('accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml') as string });
    }
    await as('/api/v1/nodes', { method: 'POST', body: { metadata: { name: 'n' }, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } } });
    const conditions = (...list: Json[]) => as('/api/v1/nodes/n/status', { method: 'PATCH', type: 'application/strategic-merge-patch+json', body: { status: { conditions: list } } });
    await conditions({ type: 'Ready', status: 'False' }, { type: 'DiskPressure', status: 'False' });
    expect((await conditions({ type: 'Ready', status: 'True' })).body.status).toMatchObject({ conditions: [{ type: 'Ready', status: 'True' }, { type: 'DiskPressure', status: 'False' }] });
  });

  test('metadata is held to the rules of Kubernetes', async () => {
    await post(widget('meta'));
    for (const [metadata, field] of [[{ annotations: { 'a b': '1' } }, 'metadata.annotations'], [{ labels: { a: '!!' } }, 'metadata.labels'], [{ finalizers: ['a b'] }, 'metadata.finalizers'], [{ ownerReferences: [{ kind: 'Pod' }] }, 'metadata.ownerReferences[0].uid']] as [Spec, string][]) {
      const { code, details } = (await patch('meta', { metadata })).body as unknown as { code: number; details: { causes: { field: string }[] } };
      expect({ code, named: details.causes.some((cause) => cause.field === field) }).toEqual({ code: 422, named: true });
    }
    expect((await post(widget('typed', {}, { annotations: { a: 1 } }))).code).toBe(400);
  });

  test('generateName makes a name', async () => {
    expect((await post({ ...widget(''), metadata: { generateName: 'gen-' } })).body.metadata.name).toMatch(/^gen-\w{5}$/);
  });

  test('an object that exists is AlreadyExists, an absent namespace NotFound', async () => {
    await post(widget('twice'));
    expect((await post(widget('twice'))).body).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'widgets.test.io "twice" already exists' });
    expect((await as('/apis/test.io/v1/namespaces/nowhere/widgets', { method: 'POST', body: widget('x') })).body).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
  });
});

describe('deletion', () => {
  test('finalizers keep an object Terminating; the last one removed ends it; none can be added', async () => {
    await post(widget('held', {}, { finalizers: ['test.io/keep'] }));
    expect((await as(`${widgets}/held`, { method: 'DELETE' })).body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['test.io/keep'] });
    expect((await post(widget('held'))).body.message).toBe('object is being deleted: widgets.test.io "held" already exists');
    expect((await patch('held', { metadata: { finalizers: ['test.io/keep', 'test.io/more'] } })).body.message).toContain('no new finalizers can be added if the object is being deleted, found new finalizers []string{"test.io/more"}');
    expect((await patch('held', { metadata: { deletionTimestamp: null } })).body.metadata.deletionTimestamp).toBeDefined();
    expect((await patch('held', { metadata: { finalizers: null } })).code).toBe(200);
    expect((await as(`${widgets}/held`)).code).toBe(404);
  });

  test('preconditions are checked', async () => {
    const { body } = await post(widget('pre'));
    const remove = (preconditions: Json) => as(`${widgets}/pre`, { method: 'DELETE', body: { preconditions } });
    expect((await remove({ uid: 'other' })).body).toMatchObject({ code: 409, message: expect.stringContaining('Precondition failed: UID in precondition: other') as string });
    expect((await remove({ resourceVersion: '1' })).code).toBe(409);
    expect((await remove({ uid: body.metadata.uid })).body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'pre', group: 'test.io', kind: 'widgets', uid: body.metadata.uid } });
  });

  test('deletecollection takes a selector', async () => {
    await post(widget('l1', {}, { labels: { app: 'gone' } }));
    await post(widget('l2', {}, { labels: { app: 'kept' } }));
    await as(`${widgets}?labelSelector=app%3Dgone`, { method: 'DELETE' });
    expect((await as(`${widgets}?labelSelector=app`)).body.items?.map((item) => item.metadata.name)).toEqual(['l2']);
  });
});

describe('watch', () => {
  test('starts from a resourceVersion and sees each change', async () => {
    const { body } = await as(widgets);
    await post(widget('w1'));
    await patch('w1', { spec: { size: 5 } });
    await as(`${widgets}/w1`, { method: 'DELETE' });
    const events = await follow(plane, `${widgets}?watch=true&resourceVersion=${body.metadata.resourceVersion}`, 'root', (seen) => seen.length === 3);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  test('without a resourceVersion begins with what is there', async () => {
    await post(widget('here'));
    const events = await follow(plane, `${widgets}?watch=true&fieldSelector=metadata.name%3Dhere`, 'root', (seen) => seen.length === 1);
    expect(events[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'here' } } });
  });

  test('an object that leaves the selection is DELETED to the watcher', async () => {
    const { body } = await post(widget('leaves', {}, { labels: { in: 'yes' } }));
    await patch('leaves', { metadata: { labels: null } });
    const events = await follow(plane, `${widgets}?watch=true&labelSelector=in&resourceVersion=${body.metadata.resourceVersion}`, 'root', (seen) => seen.length === 1);
    expect(events[0]).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'leaves' } } });
  });

  test('a start older than the history is 410 Expired', async () => {
    plane.compact();
    const events = await follow(plane, `${widgets}?watch=true&resourceVersion=2`, 'root', () => false);
    expect(events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
  });

  test('bookmarks come when they are asked for: after the initial events and at the end', async () => {
    await post(widget('marked'));
    const options = 'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1&fieldSelector=metadata.name%3Dmarked';
    const events = await follow(plane, `${widgets}?watch=true&${options}`, 'root', () => false);
    expect(events.map(({ type, object }) => [type, object.metadata.annotations])).toEqual([['ADDED', undefined], ['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }], ['BOOKMARK', undefined]]);
  });

  test('timeoutSeconds ends it', async () => {
    await follow(plane, `${widgets}?watch=true&timeoutSeconds=1`, 'root', () => false);
  });
});

describe('events', () => {
  const about = { apiVersion: 'test.io/v1', kind: 'Widget', name: 'w', namespace: 'default', uid: 'u' };

  test('what is written under events.k8s.io is read under v1, and the other way round', async () => {
    const modern = { metadata: { name: 'e1' }, regarding: about, note: 'so', reason: 'Because', action: 'Act', type: 'Normal', reportingController: 'me', reportingInstance: 'me-1', eventTime: '2026-01-01T00:00:00.000000Z' };
    expect((await as('/apis/events.k8s.io/v1/namespaces/default/events', { method: 'POST', body: modern })).body).toMatchObject({ apiVersion: 'events.k8s.io/v1', kind: 'Event', regarding: about });
    const read = await as('/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dw');
    expect(read.body.items).toMatchObject([{ apiVersion: 'v1', involvedObject: about, message: 'so', reportingComponent: 'me' }]);
    expect((await as('/apis/events.k8s.io/v1/namespaces/default/events')).body).toMatchObject({ apiVersion: 'events.k8s.io/v1', kind: 'EventList', items: [{ note: 'so' }] });
  });

  test('an event stands where its object does, and the newer face wants to know who reports', async () => {
    expect((await as('/api/v1/namespaces/default/events', { method: 'POST', body: { metadata: { name: 'e2' }, involvedObject: { ...about, namespace: 'elsewhere' } } })).body).toMatchObject({ code: 422, message: expect.stringContaining('involvedObject.namespace') as string });
    expect((await as('/apis/events.k8s.io/v1/namespaces/default/events', { method: 'POST', body: { metadata: { name: 'e3' }, regarding: about } })).body.message).toContain('reportingController: Required value');
  });
});

describe('clock', () => {
  const clock = '/macrack.dev/clock';

  test('an administrator moves it forward; stamps and the Date header follow', async () => {
    const before = Date.parse((await as(clock)).body.now as string);
    expect((await as(clock, { method: 'POST', body: { advance: '24h' } })).code).toBe(200);
    const { headers, body } = await post(widget('later'));
    expect(Date.parse(String(headers.date)) - before).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.parse(body.metadata.creationTimestamp ?? '') - before).toBeGreaterThanOrEqual(86_400_000);
  });

  test('it never goes back, and says what an advance looks like', async () => {
    expect((await as(clock, { method: 'POST', body: { advance: '-1h' } })).body.message).toContain('{"advance": "24h"}');
  });

  test('a token past its expiry on the plane clock is 401', async () => {
    expect((await ask(plane, widgets, { token: 'late' })).code).toBe(401);
  });

  test('a timer fires when an advance passes its deadline', async () => {
    const fired = new Promise<string>((resolve) => plane.timers.after(3_600_000, () => resolve('fired')));
    plane.clock.advance(3_600_000);
    expect(await fired).toBe('fired');
  });
});

describe('hooks', () => {
  test('a hook that throws before a write kills it undone, after a write kills it done', async () => {
    const crash = (moment: 'before' | 'after') => plane.requests.add({ [moment]: ({ write }: { write?: number }) => { if (write !== undefined) throw new Error('crash'); } });
    const undo = crash('before');
    await expect(post(widget('never'))).rejects.toThrow();
    undo();
    const redo = crash('after');
    await expect(post(widget('done'))).rejects.toThrow();
    redo();
    expect([(await as(`${widgets}/never`)).code, (await as(`${widgets}/done`)).code]).toEqual([404, 200]);
  });

  test('requests are counted by user, verb and resource', async () => {
    const from = plane.requests.records.length;
    await as(widgets);
    await post(widget('counted'));
    expect(plane.requests.counts(from)).toEqual({ 'root list widgets.test.io': 1, 'root create widgets.test.io': 1 });
  });
});
