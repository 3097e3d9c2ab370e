import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Library } from './flavour';

export const root = resolve(__dirname, '..', '..');

/** What a program left behind. */
export interface Ended {
  readonly code: number | null;
  /** What it wrote to either stream, without colours. */
  readonly output: string;
}

const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

function ended(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  return new Promise((done, reject) => {
    child.on('error', reject);
    child.on('close', (code) => done({ code, output: parts.join('').replaceAll(COLOURS, '') }));
  });
}

/** Packages that an example names; they are those of this checkout. */
const PACKAGES = ['cdktf', 'cdktn', 'constructs', 'jest', 'typescript', '@swc', '@types'];

/** An example as a user has it: copied, with its packages beside it, and this package as one of them. */
export class CdkApp {
  constructor(readonly library: Library, readonly directory: string, private readonly env: NodeJS.ProcessEnv = {}) {
    cpSync(join(root, 'examples', library), directory, { recursive: true });
    const packages = join(directory, 'node_modules');
    mkdirSync(packages);
    for (const name of PACKAGES) symlinkSync(join(root, 'node_modules', name), join(packages, name));
    symlinkSync(root, join(packages, 'macrack'));
  }

  /** Replaces a text that stands once in a file. Throws where it does not. */
  edit(file: string, text: string, by: string): void {
    const path = join(this.directory, file);
    const before = readFileSync(path, 'utf8');
    if (before.split(text).length !== 2) throw new Error(`${file}: this does not stand there once: ${text}`);
    writeFileSync(path, before.replace(text, () => by));
  }

  /** Writes a file. */
  write(file: string, text: string): void {
    writeFileSync(join(this.directory, file), text);
  }

  /** Runs the CLI of the library. */
  cli(...args: readonly string[]): Promise<Ended> {
    return this.package(this.library, ...args);
  }

  /** Runs a program that a package of this checkout brings. */
  package(program: string, ...args: readonly string[]): Promise<Ended> {
    return ended(process.execPath, [join(root, 'node_modules', '.bin', program), ...args], this.directory, this.environment);
  }

  /** Runs any program. */
  run(program: string, cwd: string, ...args: readonly string[]): Promise<Ended> {
    return ended(program, args, join(this.directory, cwd), this.environment);
  }

  /** What a stack was synthesised to; undefined when it was not. */
  synthesised(stack: string, file = 'cdk.tf.json'): string | undefined {
    const path = join(this.directory, 'cdktf.out', 'stacks', stack, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  private get environment(): NodeJS.ProcessEnv {
    const { KUBECONFIG: _inherited, NODE_OPTIONS: _options, JEST_WORKER_ID: _worker, ...env } = process.env;
    // The CLIs keep settings at home and would ask for newer versions of themselves.
    return {
      ...env, HOME: this.directory, CI: '1', NO_COLOR: '1', FORCE_COLOR: '0', CHECKPOINT_DISABLE: '1', DISABLE_VERSION_CHECK: '1',
      PATH: [dirname(process.execPath), env.PATH].join(delimiter), ...this.env,
    };
  }
}
