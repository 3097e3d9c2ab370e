import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');
// What a stop that is gone keeps from happening is not waited for as long as elsewhere.
const HANG_MS = 30_000;

/** A change of the tree that takes one stop away: a text that stands once in a file, and what stands there instead. */
export interface Mutation {
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

/** Tests of one file; those whose full name has one of the texts in it, or all. */
export interface Suite {
  readonly test: string;
  readonly names?: readonly string[];
}

/** What a test run found; names are full, after the path of the file. */
export interface Judged {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Files that could not be loaded, with the reason. */
  readonly broken: readonly string[];
}

interface Report {
  testResults: { status: string; message: string; name: string; assertionResults: { status: string; fullName: string }[] }[];
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A copy of the tree in which a stop can be removed; packages are shared with the original. One run at a time. */
export class Sandbox {
  readonly #dir = mkdtempSync(join(tmpdir(), 'macrack-mutation-'));

  constructor() {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter((f) => f !== '' && existsSync(join(root, f)));
    for (const file of files) {
      mkdirSync(dirname(join(this.#dir, file)), { recursive: true });
      cpSync(join(root, file), join(this.#dir, file));
    }
    symlinkSync(join(root, 'node_modules'), join(this.#dir, 'node_modules'));
  }

  /** Applies the mutation, runs the tests, and puts the tree back. Rejects if the text to replace is not there exactly once. */
  async judge(mutation: Mutation | undefined, suites: readonly Suite[]): Promise<Judged> {
    const restore = mutation === undefined ? () => undefined : this.#apply(mutation);
    try {
      return await this.#test(suites, mutation === undefined ? [] : [`--testTimeout=${HANG_MS}`]);
    } finally {
      restore();
    }
  }

  close(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #apply({ file, replace, by }: Mutation): () => void {
    const path = join(this.#dir, file);
    const original = readFileSync(path, 'utf8');
    const places = original.split(replace).length - 1;
    if (places !== 1) throw new Error(`${file}: the text to replace stands there ${places} times: ${replace}`);
    writeFileSync(path, original.replace(replace, () => by));
    return () => writeFileSync(path, original);
  }

  async #test(suites: readonly Suite[], options: readonly string[]): Promise<Judged> {
    const output = join(this.#dir, 'report.json');
    rmSync(output, { force: true });
    const names = suites.flatMap((suite) => suite.names ?? ['']);
    const narrow = names.includes('') ? [] : [`--testNamePattern=${names.map(escaped).join('|')}`];
    const files = [...new Set(suites.map(({ test }) => test))];
    await this.#jest(['--json', `--outputFile=${output}`, '--runInBand', '--forceExit', ...options, ...narrow, '--runTestsByPath', ...files]);
    const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
    const named = (status: string) => testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter((a) => a.status === status).map(({ fullName }) => `${relative(this.#dir, name)}: ${fullName}`));
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).map(({ name, message }) => `${relative(this.#dir, name)}: ${message.slice(0, 500)}`);
    return { passed: named('passed'), failed: named('failed'), broken };
  }

  #jest(args: readonly string[]): Promise<void> {
    // The engine of the outer run has told its workers who they are; the inner one is nobody's worker.
    const { JEST_WORKER_ID: _outer, ...env } = process.env;
    const child = spawn(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...args], { cwd: this.#dir, stdio: 'ignore', env });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => resolve());
    });
  }
}
