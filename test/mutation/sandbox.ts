import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');

/** A change of the tree that takes one stop away. */
export type Mutation =
  | { readonly file: string; readonly replace: string; readonly by: string }
  | { readonly file: string; readonly remove: true };

/** What a test run counted. */
export interface Judged {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

interface Report {
  numPassedTests: number;
  testResults: { status: string; message: string; name: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** A copy of the tree in which a stop can be removed; packages are shared with the original. */
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

  /** Applies the mutation, runs the tests, and puts the tree back. Throws if the text to replace is not there exactly once. */
  judge(mutation: Mutation | undefined, tests: readonly string[]): Judged {
    const restore = mutation === undefined ? () => undefined : this.#apply(mutation);
    try {
      return this.#test(tests);
    } finally {
      restore();
    }
  }

  close(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #apply(mutation: Mutation): () => void {
    const path = join(this.#dir, mutation.file);
    const original = readFileSync(path, 'utf8');
    if ('remove' in mutation) rmSync(path);
    else {
      const places = original.split(mutation.replace).length - 1;
      if (places !== 1) throw new Error(`${mutation.file}: the text to replace stands there ${places} times: ${mutation.replace}`);
      writeFileSync(path, original.replace(mutation.replace, () => mutation.by));
    }
    return () => writeFileSync(path, original);
  }

  #test(tests: readonly string[]): Judged {
    const output = join(this.#dir, 'report.json');
    rmSync(output, { force: true });
    spawnSync(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${output}`, '--runInBand', '--runTestsByPath', ...tests], { cwd: this.#dir, stdio: 'ignore' });
    const { numPassedTests, testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
    const failures = testResults.flatMap((file) => (file.assertionResults.length === 0 && file.status === 'failed'
      ? [`${file.name} does not load: ${file.message.slice(0, 500)}`]
      : file.assertionResults.filter((a) => a.status === 'failed').map((a) => a.fullName)));
    return { passed: numPassedTests, failed: failures.length, failures };
  }
}
