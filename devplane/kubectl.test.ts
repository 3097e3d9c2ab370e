import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DevelopmentPlane, startPlane } from './plane';
import { kubectl } from './testing/client';

const fixtures = `${__dirname}/fixtures`;

describe('the real kubectl on the development plane', () => {
  let plane: DevelopmentPlane;
  const admin = (...args: string[]) => kubectl(plane, 'macrack-admin', ...args);
  const widget = (name: string, extra: object = {}) => ({ apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name, namespace: 'default', ...extra }, spec: { size: 2 } });

  beforeEach(async () => {
    plane = await startPlane({ crds: `${fixtures}/crds`, log: () => undefined });
    await plane.load([widget('one'), widget('two', { finalizers: ['test.io/keep'] })]);
  });
  afterEach(() => plane.stop());

  test('get prints the printer columns of the CRD', async () => {
    const { out } = await admin('get', 'widgets');
    expect(out).toMatch(/^NAME\s+PHASE\s+AGE\none\s+\d+s\ntwo\s+\d+s\n$/);
  });

  test('short names, wide, name, yaml and json all work', async () => {
    expect((await admin('get', 'wd', '-o', 'wide')).out).toMatch(/NAME\s+PHASE\s+READY\s+AGE/);
    expect((await admin('get', 'widgets.test.io', '-o', 'name')).out).toBe('widget.test.io/one\nwidget.test.io/two\n');
    expect((await admin('get', 'widget', 'one', '-o', 'yaml')).out).toContain('color: red');
    expect(JSON.parse((await admin('get', 'widgets', '-o', 'json')).out)).toMatchObject({ kind: 'List', items: [{ kind: 'Widget' }, { kind: 'Widget' }] });
  });

  test('get of nodes, pods, namespaces and of the kinds of the plane works', async () => {
    expect((await admin('get', 'namespaces')).out).toMatch(/default\s+Active/);
    for (const kind of ['nodes', 'pods', 'events', 'leases', 'roles', 'clusterrolebindings', 'crd']) expect(await admin('get', kind, '-A')).toMatchObject({ code: 0 });
  });

  test('get of an absent object exits 1 with NotFound', async () => {
    expect(await admin('get', 'widget', 'none')).toMatchObject({ code: 1, err: 'Error from server (NotFound): widgets.test.io "none" not found\n' });
  });

  test('delete waits until the object is gone', async () => {
    expect(await admin('delete', 'widget', 'one')).toMatchObject({ code: 0, out: 'widget.test.io "one" deleted\n' });
    expect((await admin('get', 'widgets', '-o', 'name')).out).toBe('widget.test.io/two\n');
  });

  test('delete of an object with a finalizer says deleted at once with --wait=false and times out otherwise', async () => {
    expect(await admin('delete', 'widget', 'two', '--wait=false')).toMatchObject({ code: 0, out: 'widget.test.io "two" deleted\n' });
    const waited = await admin('delete', 'widget', 'two', '--timeout=1s');
    expect(waited.code).toBe(1);
    expect(waited.err).toContain('timed out waiting for the condition');
  });

  test('delete --all deletes each', async () => {
    expect((await admin('delete', 'widgets', '--all', '--wait=false')).out).toBe('widget.test.io "one" deleted\nwidget.test.io "two" deleted\n');
  });

  test('get -w prints what is there and each change', async () => {
    const watching = admin('get', 'widgets', '-w', '--request-timeout=3s');
    const seen = plane.requests.add({ after: async ({ verb }) => { if (verb === 'watch') await plane.load([widget('three')]); } });
    expect((await watching).out).toMatch(/one.*\ntwo.*\nthree/s);
    seen();
  });

  test('create, apply, patch and describe work with validation', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'kubectl-')), 'widget.json');
    const write = (spec: object) => writeFileSync(file, JSON.stringify({ ...widget('made'), spec }));
    write({ size: 2 });
    expect(await admin('create', '-f', file)).toMatchObject({ code: 0, out: 'widget.test.io/made created\n' });
    write({ size: 3, maxVMs: 3 });
    expect((await admin('apply', '-f', file)).err).toContain('unknown field "spec.maxVMs"');
    write({ size: 3 });
    expect(await admin('apply', '-f', file)).toMatchObject({ code: 0, out: 'widget.test.io/made configured\n' });
    expect(await admin('apply', '-f', file)).toMatchObject({ code: 0, out: 'widget.test.io/made unchanged\n' });
    expect((await admin('patch', 'widget', 'made', '-p', '{}')).err).toContain('application/strategic-merge-patch+json is not supported by test.io/v1, Kind=Widget');
    expect((await admin('describe', 'widget', 'made')).out).toMatch(/Size: +3\nEvents: +<none>/);
    rmSync(dirname(file), { recursive: true });
  });

  test('what the plane lacks is "not implemented", not "not found"', async () => {
    expect((await admin('get', '--raw', '/apis/apps/v1/deployments')).err).toContain('does not implement');
    expect((await admin('get', '--raw', '/apis/unknown.example/v1/things')).err).toContain('NotFound');
  });
});
