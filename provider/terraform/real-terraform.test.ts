import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toyHandlers } from './fixture/toy-handlers';
import { memoryStore } from './fixture/toy-store';
import type { Store } from './fixture/toy-store';
import { Workspace } from './fixture/terraform-cli';
import type { ResourceHandler } from './handlers';
import type { Attached } from './reattach';
import { attach } from './reattach';

const EVERYTHING = `
resource "toy_thing" "a" {
  name   = "a"
  size   = 123456789012345678901234567890
  shape  = { cpu = 2 }
  ports  = [{ number = 80 }, { number = 443 }]
  tags   = { x = "y" }
  labels = ["b", "a"]
  token  = "hush"
}
`;

describe('the real terraform with this server', () => {
  let store: Store;
  let provider: Attached;
  let workspace: Workspace;

  beforeEach(async () => {
    store = memoryStore();
    provider = await attach('macrack/macrack', toyHandlers(store));
    workspace = new Workspace(provider.environment);
  });
  afterEach(() => {
    provider.close();
    workspace.remove();
  });

  const apply = async (body: string) => {
    workspace.configure(body);
    return workspace.run('apply', '-auto-approve', '-json');
  };

  it('creates, finds nothing to change in a second plan, and destroys', async () => {
    expect(await apply(EVERYTHING)).toMatchObject({ code: 0, diagnostics: [] });
    expect(store.read()).toMatchObject({ a: { size: '123456789012345678901234567890', labels: ['a', 'b'], code: 'code-a', region: 'here' } });
    expect((await workspace.run('plan', '-detailed-exitcode')).code).toBe(0);
    expect((await workspace.run('destroy', '-auto-approve')).code).toBe(0);
    expect(store.read()).toEqual({});
  });

  it('sees a thing that is gone on the server, and makes it again', async () => {
    await apply(EVERYTHING);
    store.change((things) => delete things['a']);
    expect((await workspace.run('plan', '-refresh-only')).output).toContain('toy_thing.a has been deleted');
    expect((await workspace.run('plan', '-detailed-exitcode')).code).toBe(2);
  });

  it('changes in place, and replaces where the handler asks for it', async () => {
    await apply(EVERYTHING);
    workspace.configure(EVERYTHING.replace('cpu = 2', 'cpu = 3'));
    expect((await workspace.run('plan')).output).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    workspace.configure(EVERYTHING.replace('name   = "a"', 'name   = "c"'));
    expect((await workspace.run('plan')).output).toContain('name   = "a" -> "c" # forces replacement');
  });

  it('refuses a destroy at plan', async () => {
    await apply(EVERYTHING.replace('token', 'keep   = true\n  token'));
    const refused = await workspace.run('plan', '-destroy', '-json');
    expect(refused).toMatchObject({ code: 1, diagnostics: [{ severity: 'error', summary: 'Thing a must stay', address: 'toy_thing.a' }] });
    workspace.configure('');
    expect(await workspace.run('plan', '-json')).toMatchObject({ code: 1, diagnostics: [{ summary: 'Thing a must stay' }] });
  });

  it('points a diagnostic at the nested attribute, and says it once', async () => {
    workspace.configure('resource "toy_thing" "a" {\n  name = "a"\n  shape = {\n    cpu = 9\n  }\n}\n');
    const { code, diagnostics } = await workspace.run('plan', '-json');
    expect(code).toBe(1);
    expect(diagnostics).toEqual([expect.objectContaining({ summary: 'Too many cores', detail: 'At most 8.', address: 'toy_thing.a' })]);
    expect(diagnostics[0]?.snippet?.code.trim()).toBe('cpu = 9');
  });

  it('points a diagnostic at the argument of the provider', async () => {
    workspace.configure(`provider "toy" {\n  region = "nowhere"\n}\n${EVERYTHING}`);
    const { diagnostics } = await workspace.run('plan', '-json');
    expect(diagnostics).toEqual([expect.objectContaining({ summary: 'No such region' })]);
    expect(diagnostics[0]?.snippet?.code.trim()).toBe('region = "nowhere"');
  });

  it('hands a handler what is known of an unknown value', async () => {
    workspace.configure(`${EVERYTHING}\nresource "toy_thing" "b" {\n  name    = "b"\n  follows = toy_thing.a.code\n}\n`);
    const { code, diagnostics } = await workspace.run('plan', '-json');
    expect(code).toBe(0);
    expect(diagnostics).toContainEqual(expect.objectContaining({ severity: 'warning', summary: 'Not known yet', detail: 'prefix code-' }));
    expect((await workspace.run('apply', '-auto-approve')).code).toBe(0);
    expect(store.read()).toMatchObject({ b: { follows: 'code-a' } });
  });

  it('reads a data source', async () => {
    await apply(EVERYTHING);
    workspace.configure(`${EVERYTHING}\ndata "toy_names" "all" {}\noutput "names" {\n  value = data.toy_names.all.names\n}\n`);
    expect((await workspace.run('plan')).output).toContain('names = [');
  });

  it('imports by id, and says what it cannot find', async () => {
    await apply(EVERYTHING);
    await workspace.run('state', 'rm', 'toy_thing.a');
    const missing = await workspace.run('import', 'toy_thing.a', 'toy/z');
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.output).toContain('Nothing is called toy/z');
    expect((await workspace.run('import', 'toy_thing.a', 'toy/a')).code).toBe(0);
    expect((await workspace.run('plan', '-detailed-exitcode')).code).toBe(0);
  });

  it('says that an exception is its own bug, with the cause, and keeps the object', async () => {
    const crash = (call: string) => EVERYTHING.replace('token', `crash  = "${call}"\n  token`);
    workspace.configure(crash('plan'));
    const planned = await workspace.run('plan', '-json');
    expect(planned.diagnostics).toEqual([expect.objectContaining({ summary: 'Bug in the MacRack provider (PlanResourceChange)' })]);
    expect(planned.diagnostics[0]?.detail).toContain('the toy broke in plan: a loose wire');
    await apply(EVERYTHING);
    expect((await apply(crash('apply'))).diagnostics[0]?.detail).toContain('the toy broke in apply: a loose wire');
    expect((await workspace.run('state', 'list')).output).toContain('toy_thing.a');
  });

  it('refuses to turn another resource into one of its own', async () => {
    workspace.configure('resource "terraform_data" "old" {}\n');
    await workspace.run('apply', '-auto-approve');
    workspace.configure('moved {\n  from = terraform_data.old\n  to   = toy_thing.a\n}\nresource "toy_thing" "a" {\n  name = "a"\n}\n');
    expect(await workspace.run('plan', '-json')).toMatchObject({ code: 1 });
  });

  it('has a state of an earlier schema version rewritten, digits and all, and leaves one of a later version alone', async () => {
    await apply(EVERYTHING);
    const { toy_thing: thing, ...others } = toyHandlers(store).resources;
    const versions: number[] = [];
    const upgrade: ResourceHandler['upgrade'] = ({ version, state }) => {
      versions.push(version);
      return Promise.resolve({ state: state as never });
    };
    const later = await attach('macrack/macrack', { ...toyHandlers(store), resources: { ...others, toy_thing: { ...(thing as ResourceHandler), schema: { ...(thing as ResourceHandler).schema, version: 1 }, upgrade } } });
    const state = (of: Workspace) => join(of.directory, 'terraform.tfstate');
    const next = new Workspace(later.environment);
    next.configure(EVERYTHING);
    copyFileSync(state(workspace), state(next));
    expect((await next.run('plan', '-detailed-exitcode')).code).toBe(0);
    expect(new Set(versions)).toEqual(new Set([0]));
    await next.run('apply', '-refresh-only', '-auto-approve');
    expect(readFileSync(state(next), 'utf8')).toContain('"schema_version": 1');

    copyFileSync(state(next), state(workspace));
    expect((await workspace.run('plan')).output).toContain('newer provider version');
    expect(readFileSync(state(workspace), 'utf8')).toBe(readFileSync(state(next), 'utf8'));
    later.close();
    next.remove();
  });

  it('hides a sensitive attribute', async () => {
    workspace.configure(EVERYTHING);
    const { output } = await workspace.run('plan');
    expect(output).toContain('(sensitive value)');
    expect(output).not.toContain('hush');
  });
});
