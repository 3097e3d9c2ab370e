import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { lookForEngine } from '../../../toolchain/pulumi/engine.cjs';
import { packagePath } from '../../../devplane/package-files';

const directory = mkdtempSync(join(tmpdir(), 'macrack-engine-search-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function command(folder: string, name: string, line: string): void {
  mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, folder, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(directory, folder, name), 0o755);
}

// Each search is on a machine of its own, on which nothing is built.
function found(...folders: string[]): ReturnType<typeof lookForEngine> {
  const script = `process.stdout.write(JSON.stringify(require(${JSON.stringify(packagePath('toolchain', 'pulumi', 'engine.cjs'))}).lookForEngine()))`;
  const env = { PATH: folders.map((folder) => join(directory, folder)).join(delimiter), XDG_CACHE_HOME: join(directory, 'cache'), HOME: directory };
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' })) as ReturnType<typeof lookForEngine>;
}

const HOW = 'install Pulumi 3.187.0 or newer, or run `node toolchain/pulumi/engine.cjs`, which needs Go';

describe('the search for pulumi', () => {
  it('takes a command on PATH that has its language host beside it, with a Node that is new enough', () => {
    command('whole', 'pulumi', 'echo v3.187.0');
    command('whole', 'pulumi-language-nodejs', 'exit 1');
    const { engine } = found('whole');
    expect(engine).toMatchObject({ command: join(directory, 'whole', 'pulumi'), version: '3.187.0' });
    expect(engine?.path.map((folder) => execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' }).trim())).toEqual([process.version]);
  });

  it('takes a language host from elsewhere on PATH', () => {
    command('bare', 'pulumi', 'echo v4.0.0-beta.1');
    command('host', 'pulumi-language-nodejs', 'exit 1');
    expect(found('bare', 'host').engine?.version).toBe('4.0.0-beta.1');
  });

  it('passes by a command without a language host', () => {
    command('bare', 'pulumi', 'echo v4.0.0-beta.1');
    expect(found('bare')).toEqual({ why: `pulumi 4.0.0-beta.1 is on PATH without its pulumi-language-nodejs, and none is built: ${HOW}` });
  });

  it.each(['v3.186.9', 'v2.300.0'])('says which version is needed where it is %s', (version) => {
    command('old', 'pulumi', `echo ${version}`);
    command('old', 'pulumi-language-nodejs', 'exit 1');
    expect(found('old')).toEqual({ why: `pulumi ${version.slice(1)} on PATH is too old: 3.187.0 or newer is needed, and none is built: ${HOW}` });
  });

  it('says what to do where there is none, and leaves no folder behind', () => {
    rmSync(join(directory, 'cache'), { recursive: true, force: true });
    expect(found('nothing-here')).toEqual({ why: `pulumi is not on PATH, and none is built: ${HOW}` });
    expect(existsSync(join(directory, 'cache'))).toBe(false);
  });
});
