import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ApiObject, Json } from './json';
import { type DevelopmentPlane, startPlane } from './plane';
import { createAuthority } from './server/certificates';
import { type Ask, ask } from './testing/client';

const fixtures = `${__dirname}/fixtures`;
const widgets = '/apis/test.io/v1/namespaces/default/widgets';

interface Fields {
  [key: string]: Json | undefined;
}
const widget = (name: string, spec: Fields = {}, metadata: Fields = {}) => ({ apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name, ...metadata }, spec: { size: 2, ...spec } });
const claim = (name: string, spec: Fields = {}) => widget(name, spec, { finalizers: ['test.io/claim'] });

let plane: DevelopmentPlane;
const lines: string[] = [];
const as = (path: string, options: Ask = {}) => ask(plane, path, { token: 'root', ...options });
const post = (body: Json, options: Ask = {}) => as(widgets, { method: 'POST', body, ...options });
const patch = (name: string, body: Json) => as(`${widgets}/${name}`, { method: 'PATCH', body });
const remove = (name: string, body?: Json) => as(`${widgets}/${name}`, { method: 'DELETE', ...(body !== undefined && { body }) });

const users = [{ name: 'root', groups: ['system:masters'], token: 'root' }, { name: 'alice', groups: [], token: 'alice' }];
afterEach(() => plane.stop());

describe('policies', () => {
  beforeEach(async () => {
    plane = await startPlane({ crds: `${fixtures}/crds`, policies: `${fixtures}/policies`, log: (line) => lines.push(line), users });
  });

  test('a mutating policy is skipped in writing', () => {
    expect(lines).toContain('development plane: skipped MutatingAdmissionPolicy tolerations.test.io: mutating policies run on a real plane only');
  });

  test('a denial with reason Forbidden is 403, worded as in Kubernetes', async () => {
    expect((await post(widget('claim-a'))).body).toMatchObject({ code: 403, reason: 'Forbidden', message: `widgets.test.io "claim-a" is forbidden: ValidatingAdmissionPolicy 'floor.test.io' with binding 'floor-binding.test.io' denied request: a claim has its finalizer` });
  });

  test('a denial without a reason is 422; without a message it shows the expression', async () => {
    expect((await post(claim('claim-a', { size: 7 }))).body).toMatchObject({ code: 422, reason: 'Invalid', message: expect.stringContaining('denied request: failed expression: object == null || object.spec.size != 7') as string });
  });

  test('variables are lazy: a broken one denies only where it is read', async () => {
    expect((await post(claim('claim-b'))).code).toBe(201);
    expect((await post(claim('claim-c', { size: 8 }))).body).toMatchObject({ code: 422, message: expect.stringContaining('resulted in error') as string });
  });

  test('a condition that does not match leaves a request alone; a dry run is judged too', async () => {
    expect((await post(widget('free'))).code).toBe(201);
    expect((await as(`${widgets}?dryRun=All`, { method: 'POST', body: widget('claim-d') })).code).toBe(403);
  });

  test('two server stamps hold a claim: deleted early it can never be completed, after the floor it can', async () => {
    const { body } = await post(claim('claim-early'));
    await remove('claim-early');
    expect((await patch('claim-early', { metadata: { finalizers: null } })).body).toMatchObject({ code: 403, message: expect.stringMatching(/held until .*Z$/) as string });
    await post(claim('claim-late'));
    plane.clock.advance(24 * 3_600_000 + 1000);
    expect((await patch('claim-early', { metadata: { finalizers: null } })).code).toBe(403);
    await remove('claim-late');
    expect((await patch('claim-late', { metadata: { finalizers: null } })).code).toBe(200);
    expect((await as(`${widgets}/claim-late`)).code).toBe(404);
    expect(body.metadata.uid).toBeDefined();
  });

  test('a policy with a parameter denies without it, judges by it when it is there', async () => {
    await post(widget('timed-a'));
    expect((await remove('timed-a')).body).toMatchObject({ code: 422, message: expect.stringContaining('no params found for policy binding with Deny parameterNotFoundAction') as string });
    const clock = { apiVersion: 'test.io/v1', kind: 'Clock', metadata: { name: 'clock' } };
    await as('/apis/test.io/v1/clocks', { method: 'POST', body: clock });
    expect((await remove('timed-a')).body.message).toMatch(/denied request: \d+s to go$/);
    plane.clock.advance(25 * 3_600_000);
    await as('/apis/test.io/v1/clocks/clock', { method: 'DELETE' });
    await as('/apis/test.io/v1/clocks', { method: 'POST', body: clock });
    expect((await remove('timed-a')).code).toBe(200);
  });

  test('a collection is judged item by item', async () => {
    await post(widget('timed-b'));
    expect((await as(widgets, { method: 'DELETE' })).code).toBe(422);
  });

  test('an expression that the library cannot evaluate stops the start', async () => {
    const start = startPlane({ crds: `${fixtures}/crds`, policies: `${fixtures}/bad-policy.yaml`, log: () => undefined });
    await expect(start).rejects.toThrow(/typo\.test\.io: the development plane cannot evaluate the CEL expression "objekt/);
  });
});

describe('roles', () => {
  const grant = (name: string, role: string, user: string): Json => ({
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
  });
  const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
  beforeEach(async () => {
    plane = await startPlane({ crds: `${fixtures}/crds`, rbac: `${fixtures}/rbac`, log: () => undefined, users });
  });

  test('without a role every request is refused in the words of Kubernetes', async () => {
    expect((await ask(plane, widgets, { token: 'alice' })).body.message).toBe('widgets.test.io is forbidden: User "alice" cannot list resource "widgets" in API group "test.io" in the namespace "default"');
    expect((await ask(plane, '/api/v1/nodes/n', { token: 'alice' })).body.message).toBe('nodes "n" is forbidden: User "alice" cannot get resource "nodes" in API group "" at the cluster scope');
    expect((await ask(plane, `${widgets}/x/status`, { token: 'alice', method: 'PATCH', body: {} })).body.message).toContain('cannot patch resource "widgets/status"');
  });

  test('a binding made at run time grants its namespace and no other', async () => {
    await as(bindings, { method: 'POST', body: grant('view', 'widget-viewer', 'alice') });
    expect((await ask(plane, widgets, { token: 'alice' })).code).toBe(200);
    expect((await ask(plane, '/apis/test.io/v1/namespaces/kube-system/widgets', { token: 'alice' })).code).toBe(403);
    expect((await ask(plane, '/apis/test.io/v1/widgets', { token: 'alice' })).code).toBe(403);
    expect((await post(widget('x'), { token: 'alice' })).code).toBe(403);
    await as(`${bindings}/view`, { method: 'DELETE' });
    expect((await ask(plane, widgets, { token: 'alice' })).code).toBe(403);
  });

  test('SelfSubjectAccessReview answers what a request would', async () => {
    await as(bindings, { method: 'POST', body: grant('edit', 'widget-editor', 'alice') });
    const can = async (verb: string) => (await ask(plane, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { token: 'alice', method: 'POST', body: { spec: { resourceAttributes: { verb, group: 'test.io', resource: 'widgets', namespace: 'default' } } } })).body.status;
    expect([await can('create'), await can('deletecollection')]).toEqual([{ allowed: true }, { allowed: false }]);
  });

  test('only system:masters may impersonate', async () => {
    const headers = { 'impersonate-user': 'alice' };
    expect((await as(widgets, { headers })).body.message).toContain('User "alice" cannot list');
    expect((await ask(plane, widgets, { token: 'alice', headers: { 'impersonate-user': 'root' } })).body.message).toContain('cannot impersonate resource "users"');
  });

  test('the clock is for administrators', async () => {
    expect((await ask(plane, '/macrack.dev/clock', { token: 'alice', method: 'POST', body: { advance: '1h' } })).code).toBe(403);
  });
});

describe('webhooks', () => {
  interface Review {
    request: { uid: string; operation: string; object: ApiObject | null; oldObject: ApiObject | null; dryRun: boolean; userInfo: { username: string } };
  }
  let answers: Record<string, (review: Review) => Fields>;
  let asked: { path: string; review: Review }[];
  let server: ReturnType<typeof createServer>;

  beforeEach(async () => {
    plane = await startPlane({ crds: `${fixtures}/crds`, policies: `${fixtures}/policies`, webhooks: `${fixtures}/webhooks`, log: () => undefined, users });
    answers = {};
    asked = [];
    const authority = await createAuthority();
    const pair = await authority.serve({ dns: [], ips: ['127.0.0.1'] });
    server = createServer({ key: pair.key, cert: pair.certificate }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
        const path = new URL(request.url ?? '', 'https://hook').pathname;
        const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
        asked.push({ path, review });
        response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: review.request.uid, allowed: true, ...answers[path]?.(review) } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    plane.redirectWebhooks(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, authority.certificate);
  });
  afterEach(() => void server.close());
  const patched = (...steps: Json[]) => ({ patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(steps)).toString('base64') });

  test('a mutation is applied, then validated by schema and policies', async () => {
    answers['/mutate'] = () => patched({ op: 'add', path: '/metadata/annotations', value: { by: 'hook' } });
    expect((await post(widget('m'))).body.metadata.annotations).toEqual({ by: 'hook' });
    answers['/mutate'] = () => patched({ op: 'replace', path: '/spec/size', value: 99 });
    expect((await post(widget('n'))).code).toBe(422);
    answers['/mutate'] = () => patched({ op: 'replace', path: '/metadata/name', value: 'claim-x' });
    expect((await post(widget('o'))).code).toBe(403);
  });

  test('the order is mutating webhook, schema, policies, validating webhook', async () => {
    await post(widget('claim-x'));
    await post(widget('y', { size: 99 }));
    await post(widget('z'));
    expect(asked.map(({ path }) => path)).toEqual(['/mutate', '/mutate', '/mutate', '/validate']);
  });

  test('a denial keeps the code and reason of the webhook; without them it is 403', async () => {
    answers['/validate'] = () => ({ allowed: false, status: { code: 409, reason: 'Conflict', message: 'macrack: no' } });
    expect((await post(widget('d'))).body).toMatchObject({ code: 409, reason: 'Conflict', message: 'admission webhook "judge.test.io" denied the request: macrack: no' });
    answers['/validate'] = () => ({ allowed: false, status: { message: 'no' } });
    expect((await post(widget('d'))).body).toMatchObject({ code: 403, reason: 'Forbidden' });
  });

  test('a condition that does not hold keeps it from being asked', async () => {
    await post(widget('spared', {}, { labels: { judged: 'no' } }));
    await post(widget('asked'));
    expect(asked.filter(({ path }) => path === '/validate').map(({ review }) => review.request.object?.metadata.name)).toEqual(['asked']);
  });

  test('a condition that cannot be evaluated refuses', async () => {
    expect((await post(widget('no-serial', {}, { labels: { judged: 'by-serial' } }))).body).toMatchObject({ code: 403, message: expect.stringMatching(/webhook "judge.test.io": expression .* resulted in error/) as string });
  });

  test('it learns user, dry run and, for a delete, the old object; its warnings are shown', async () => {
    await post(widget('w'));
    answers['/validate'] = () => ({ warnings: ['macrack: Held until tomorrow'] });
    const answer = await as(`${widgets}/w?dryRun=All`, { method: 'DELETE' });
    expect(answer.headers.warning).toBe('299 - "macrack: Held until tomorrow"');
    expect(asked.at(-1)?.review.request).toMatchObject({ operation: 'DELETE', dryRun: true, userInfo: { username: 'root' }, object: null, oldObject: { metadata: { name: 'w' } } });
  });

  test('down, it fails closed with an InternalError that names it', async () => {
    plane.redirectWebhooks('https://127.0.0.1:1', plane.ca);
    const { body } = await post(widget('down'));
    expect(body).toMatchObject({ code: 500, reason: 'InternalError', message: 'Internal error occurred: failed calling webhook "stamp.test.io": failed to call webhook: Post "https://127.0.0.1:1/mutate?timeout=2s": dial tcp 127.0.0.1:1: connect: connection refused' });
  });
});
