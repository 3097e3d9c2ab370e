import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { installMacrack } from '../../cli/pulumi/install';
import { documented } from './documented';

const modules = resolve(__dirname, '..', '..', 'node_modules');

interface Report {
  readonly testResults: readonly { readonly message: string; readonly assertionResults: readonly { readonly title: string; readonly status: string }[] }[];
}

describe('the unit test in docs/pulumi.md', () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-user-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function jest(): Promise<Report> {
    const child = spawn(process.execPath, [join(modules, 'jest', 'bin', 'jest.js'), '--json', '--config', 'jest.config.json'], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => { said.stdout += text; });
    child.stderr.setEncoding('utf8').on('data', (text: string) => { said.stderr += text; });
    return new Promise((done, fail) => {
      child.on('error', fail);
      child.on('close', (code) => (said.stdout.startsWith('{') ? done(JSON.parse(said.stdout) as Report) : fail(new Error(`jest exits ${code ?? 'by a signal'}: ${said.stderr}`))));
    });
  }

  it('passes as it stands, on the program as it stands, with the built package', async () => {
    installMacrack(directory);
    for (const name of ['@swc/jest', '@swc/core']) {
      mkdirSync(dirname(join(directory, 'node_modules', name)), { recursive: true });
      symlinkSync(join(modules, name), join(directory, 'node_modules', name));
    }
    for (const name of ['index.ts', 'index.test.ts', 'jest.config.json']) writeFileSync(join(directory, name), documented('docs/pulumi.md', name));
    const { testResults } = await jest();
    expect(testResults.flatMap(({ message }) => (message === '' ? [] : [message]))).toEqual([]);
    expect(testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title, status }) => [title, status]))).toEqual([
      ['two virtual machines share one leased Mac', 'passed'], ['a third one is refused', 'passed'],
    ]);
  });
});
