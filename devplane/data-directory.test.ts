import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevelopmentPlane, startPlane } from './plane';
import { ask, follow } from './testing/client';

const widgets = '/apis/test.io/v1/namespaces/default/widgets';

describe('a plane with a data directory', () => {
  const dataDirectory = join(mkdtempSync(join(tmpdir(), 'macrack-data-')), 'plane');
  const start = (more: object = {}) => startPlane({ crds: `${__dirname}/fixtures/crds`, dataDirectory, log: () => undefined, users: [{ name: 'root', groups: ['system:masters'] }], ...more });
  let plane: DevelopmentPlane;
  const as = (path: string, options: object = {}) => ask(plane, path, { token: plane.token('root'), ...options });
  const make = (name: string, finalizers: string[] = []) => as(widgets, { method: 'POST', body: { apiVersion: 'test.io/v1', kind: 'Widget', metadata: { name, finalizers }, spec: { size: 2 } } });
  const again = async () => {
    await plane.stop();
    plane = await start();
  };

  beforeEach(async () => {
    plane = await start();
  });
  afterEach(() => plane.stop());
  afterAll(() => rmSync(join(dataDirectory, '..'), { recursive: true }));

  test('goes on where it ended: objects, versions, address, CA and credentials', async () => {
    const { url, ca } = plane;
    const token = plane.token('root');
    const { body } = await make('one');
    await make('gone');
    await as(`${widgets}/gone`, { method: 'DELETE' });
    await again();
    expect([plane.url, plane.ca, plane.token('root')]).toEqual([url, ca, token]);
    expect((await as(`${widgets}/one`)).body).toEqual(body);
    expect((await as(`${widgets}/gone`)).code).toBe(404);
    expect(Number((await make('two')).body.metadata.resourceVersion)).toBeGreaterThan(Number(body.metadata.resourceVersion) + 2);
  });

  test('a watch of the life before gets 410 and lists again', async () => {
    const { resourceVersion = '' } = (await make('watched')).body.metadata;
    await make('after');
    await again();
    const events = await follow(plane, `${widgets}?watch=true&resourceVersion=${resourceVersion}`, plane.token('root'), () => false);
    expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  });

  test('the clock stays as far ahead as it was', async () => {
    plane.clock.advance(48 * 3_600_000);
    const before = plane.clock.now();
    await again();
    expect(plane.clock.now()).toBeGreaterThanOrEqual(before);
  });

  test('what was being ended is ended', async () => {
    await make('held', ['test.io/keep']);
    await as(`${widgets}/held`, { method: 'DELETE' });
    await again();
    expect((await as(`${widgets}/held`)).body.metadata.deletionTimestamp).toBeDefined();
    await as(`${widgets}/held`, { method: 'PATCH', body: { metadata: { finalizers: null } } });
    expect((await as(`${widgets}/held`)).code).toBe(404);
  });

  test('is of one process at a time, and for its owner alone', async () => {
    await expect(start()).rejects.toThrow(`${dataDirectory} is in use by another development plane: end that one, or take another directory`);
    expect(statSync(join(dataDirectory, 'plane.sqlite')).mode & 0o077).toBe(0);
  });
});
