import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Workspace } from './fixture/terraform-cli';
import { fileStore } from './fixture/toy-store';
import type { Installed } from './install/development-install';
import { installForDevelopment } from './install/development-install';

const THING = 'resource "toy_thing" "a" {\n  name = "a"\n}\n';
const HANGING = 'resource "toy_thing" "a" {\n  name  = "a"\n  crash = "hang"\n}\n';
const LOADER = join(__dirname, 'fixture', 'typescript.cjs');

async function until(what: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 18_000; attempt += 1) {
    if (what()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not happen');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a provider process that terraform starts', () => {
  let home: Workspace;
  let workspace: Workspace;
  let installed: Installed;
  let storePath: string;
  let sockets: string;

  beforeEach(() => {
    home = new Workspace({});
    storePath = join(home.directory, 'store.json');
    sockets = join(home.directory, 'tmp');
    mkdirSync(sockets);
    installed = installForDevelopment(join(home.directory, "it's here"), { nodeArguments: ['-r', LOADER], main: join(__dirname, 'fixture', 'toy-main.ts') });
    workspace = new Workspace({ ...installed.environment, TOY_STORE: storePath, TMPDIR: sockets });
  });
  afterEach(() => {
    workspace.remove();
    home.remove();
  });

  const store = () => fileStore(storePath).read();
  const hangingPid = () => store()['hanging'] as number | undefined;
  const applyUntilItHangs = async () => {
    workspace.configure(HANGING);
    const run = workspace.start('apply', '-auto-approve');
    await until(() => hangingPid() !== undefined);
    return { ...run, provider: hangingPid() ?? 0 };
  };

  it('is installed by a launcher that becomes Node itself, from a path with blanks and quotes', () => {
    const [launcher] = readdirSync(join(installed.configFile, '..')).filter((file) => file.startsWith('terraform-provider-'));
    expect(launcher).toBe('terraform-provider-macrack');
    expect(readFileSync(join(installed.configFile, '..', String(launcher)), 'utf8')).toMatch(/^#!\/bin\/sh\nexec '/);
  });

  it('plans, applies and destroys over mutual TLS, and leaves no socket behind', async () => {
    workspace.configure(THING);
    expect((await workspace.run('apply', '-auto-approve')).code).toBe(0);
    expect(store()).toMatchObject({ a: { code: 'code-a' } });
    expect((await workspace.run('destroy', '-auto-approve')).code).toBe(0);
    expect(readdirSync(sockets)).toEqual([]);
  });

  it('keeps its socket where only its user can reach it', async () => {
    const { terraform, outcome } = await applyUntilItHangs();
    const [directory] = readdirSync(sockets).filter((name) => name.startsWith('macrack-provider-'));
    expect(statSync(join(sockets, String(directory))).mode & 0o777).toBe(0o700);
    terraform.kill('SIGKILL');
    await outcome;
  });

  it('ends when terraform is killed', async () => {
    const { terraform, outcome, provider } = await applyUntilItHangs();
    expect(isAlive(provider)).toBe(true);
    terraform.kill('SIGKILL');
    await outcome;
    await until(() => !isAlive(provider));
  });

  it('outlives an interrupt from the terminal, and stops what it does when terraform asks', async () => {
    const { terraform, outcome, provider } = await applyUntilItHangs();
    process.kill(provider, 'SIGINT');
    terraform.kill('SIGINT');
    const { code, output } = await outcome;
    expect(code).toBe(1);
    expect(output).toContain('Error: Interrupted');
    await until(() => !isAlive(provider));
  });

  it('says what it is when a person starts it, and writes nothing to stdout', () => {
    const { status, stdout, stderr } = spawnSync(join(installed.configFile, '..', 'terraform-provider-macrack'), { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('This is the MacRack provider');
  });
});
