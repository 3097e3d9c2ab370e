import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from './engine';
import { environment } from './environment';
import type { Outcome } from './outcome';
import { ensureProgram, type Files, writeProgram, writeStackFile } from './project-files';
import { start, type Started } from './run';

/** Where a program lives, and as which stack of which project it runs. */
export interface WorkspaceOptions {
  readonly engine: Engine;
  readonly dir: string;
  /** Default `demo`. */
  readonly project?: string;
  /** Default `dev`. */
  readonly stack?: string;
  /** The command's own directory, which projects may share. Default: one in `dir`. */
  readonly home?: string;
  /** Plain values of the stack from its beginning, by their full keys (`macrack:kubeconfig`). */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** One exported stack: `pulumi stack export`. */
export interface ExportedState {
  readonly version: number;
  readonly deployment: {
    readonly resources?: readonly { readonly urn: string; readonly type: string; readonly id?: string; readonly inputs?: Record<string, unknown>; readonly outputs?: Record<string, unknown>; readonly delete?: boolean }[];
    readonly pending_operations?: readonly { readonly type: string; readonly resource: { readonly urn: string } }[];
  };
}

const WITH_EVENTS = new Set(['preview', 'up', 'destroy', 'refresh']);
const UNASKED = ['--non-interactive', '--color', 'never'];

/** A directory with a program and a stack in a file backend of its own, run by the real engine. */
export class Workspace {
  readonly project: string;
  readonly stack: string;
  readonly #env: NodeJS.ProcessEnv;
  #initialised: Promise<void> | undefined;
  #runs = 0;

  constructor(private readonly options: WorkspaceOptions) {
    const { engine, dir, project = 'demo', stack = 'dev', home = join(dir, '.home'), env } = options;
    [this.project, this.stack] = [project, stack];
    const backend = join(dir, '.backend');
    for (const directory of [dir, backend, home, this.#logs]) mkdirSync(directory, { recursive: true });
    this.#env = environment({ engine, backend, home, ...(env && { env }) });
  }

  get dir(): string {
    return this.options.dir;
  }

  /** What the engine runs with; for Automation API programs too. */
  get env(): NodeJS.ProcessEnv {
    return this.#env;
  }

  /** Replaces the program: the text of `index.js`, or files by path. */
  write(program: string | Files): this {
    writeProgram(this.dir, this.project, program);
    return this;
  }

  /** Sets values of the stack by their full keys. @param secret values that the stack keeps encrypted */
  async configure(plain: Readonly<Record<string, string>>, secret: Readonly<Record<string, string>> = {}): Promise<void> {
    const pairs = [[plain, '--plaintext'], [secret, '--secret']] as const;
    await this.must('config', 'set-all', ...pairs.flatMap(([values, flag]) => Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`])));
  }

  /** Starts any command on the stack, which is made first where it is missing. */
  async start(...args: readonly string[]): Promise<Started> {
    await this.initialise();
    return this.#start([...args, '--stack', this.stack]);
  }

  async run(...args: readonly string[]): Promise<Outcome> {
    return (await this.start(...args)).done;
  }

  /** `preview --json`: what would be done, and everything that was said. */
  preview(...args: readonly string[]): Promise<Outcome> {
    return this.run('preview', '--json', ...args);
  }

  /** The preview as a user reads it, in `stdout`. */
  previewText(...args: readonly string[]): Promise<Outcome> {
    return this.run('preview', ...args);
  }

  /** `up --yes`: a preview, and the update only if that passes. */
  up(...args: readonly string[]): Promise<Outcome> {
    return this.run('up', '--yes', ...args);
  }

  /** `up --skip-preview`: what an Automation API program does that asks for no preview. */
  upWithoutPreview(...args: readonly string[]): Promise<Outcome> {
    return this.up('--skip-preview', ...args);
  }

  /** `destroy --run-program`: with the program, whose hooks guard deletions. */
  destroy(...args: readonly string[]): Promise<Outcome> {
    return this.destroyWithoutProgram('--run-program', ...args);
  }

  destroyWithoutProgram(...args: readonly string[]): Promise<Outcome> {
    return this.run('destroy', '--yes', ...args);
  }

  refresh(...args: readonly string[]): Promise<Outcome> {
    return this.run('refresh', '--yes', ...args);
  }

  /** Removes the lock that a killed engine leaves behind. */
  async cancel(): Promise<Outcome> {
    await this.initialise();
    return this.#start(['cancel', '--yes', this.stack]).done;
  }

  async exportState(): Promise<ExportedState> {
    return JSON.parse((await this.must('stack', 'export')).stdout) as ExportedState;
  }

  stateDelete(urn: string, ...args: readonly string[]): Promise<Outcome> {
    return this.run('state', 'delete', urn, '--yes', ...args);
  }

  /** Removes the stack; a later command makes it anew. */
  async stackRm(...args: readonly string[]): Promise<Outcome> {
    const run = await this.run('stack', 'rm', '--yes', ...args);
    if (run.code === 0) this.#initialised = undefined;
    return run;
  }

  /** Makes the stack, once. */
  initialise(): Promise<void> {
    return (this.#initialised ??= this.#initialise());
  }

  /** Runs a command and throws with everything that it said unless it worked. */
  async must(...args: readonly string[]): Promise<Outcome> {
    return worked(await this.run(...args));
  }

  get #logs(): string {
    return join(this.dir, '.events');
  }

  async #initialise(): Promise<void> {
    ensureProgram(this.dir, this.project);
    writeStackFile(this.dir, this.stack, this.options.config ?? {});
    worked(await this.#start(['stack', 'select', '--create', this.stack]).done);
  }

  #start(command: readonly string[]): Started {
    const eventLog = WITH_EVENTS.has(command[0] ?? '') ? join(this.#logs, `${++this.#runs}.jsonl`) : undefined;
    const args = [...command, ...UNASKED, ...(eventLog === undefined ? [] : ['--event-log', eventLog])];
    return start(this.options.engine.command, args, { cwd: this.dir, env: this.#env, eventLog });
  }
}

/** Passes a run on that ended well. @throws Error with everything that another one said */
export function worked(run: Outcome): Outcome {
  if (run.code === 0) return run;
  const said = run.diagnostics.map(({ message }) => message).join('\n');
  throw new Error(`pulumi ${run.args.join(' ')} exits ${run.code}: ${said || run.stdout + run.stderr}`);
}
