import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine';
import { outcome, type Outcome } from './outcome';

/** Where a configuration lives and how the engine finds the provider. */
export interface WorkspaceOptions {
  readonly engine: Engine;
  readonly dir: string;
  /** CLI configuration file with the development override of the provider. */
  readonly cliConfig: string;
  readonly env?: Readonly<Record<string, string>>;
}

const WITH_JSON = new Set(['plan', 'apply', 'destroy', 'refresh', 'validate']);
const WITHOUT_INPUT = new Set(['plan', 'apply', 'destroy', 'refresh', 'import']);

/** A running engine. */
export interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Outcome>;
}

/** A directory with a configuration, run by the real engine. Its own credentials come from the configuration. */
export class Workspace {
  constructor(private readonly options: WorkspaceOptions) {
    mkdirSync(options.dir, { recursive: true });
  }

  get dir(): string {
    return this.options.dir;
  }

  /** Replaces the configuration. */
  write(hcl: string, file = 'main.tf'): void {
    writeFileSync(join(this.dir, file), hcl);
  }

  /** Starts the engine; `-json` and `-input=false` are added where the command has them. */
  start(...args: readonly string[]): Started {
    const [command = '', ...rest] = args;
    const full = [command, ...(WITH_JSON.has(command) ? ['-json'] : []), ...(WITHOUT_INPUT.has(command) ? ['-input=false'] : []), ...rest];
    const child = spawn(this.options.engine.command, full, { cwd: this.dir, env: this.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, done: collect(child, full) };
  }

  run(...args: readonly string[]): Promise<Outcome> {
    return this.start(...args).done;
  }

  plan(...args: readonly string[]): Promise<Outcome> {
    return this.run('plan', ...args);
  }

  apply(...args: readonly string[]): Promise<Outcome> {
    return this.run('apply', '-auto-approve', ...args);
  }

  destroy(...args: readonly string[]): Promise<Outcome> {
    return this.run('destroy', '-auto-approve', ...args);
  }

  private environment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(([name]) => !/^KUBE(CONFIG$|_)/.test(name));
    return { ...Object.fromEntries(inherited), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: this.options.cliConfig, ...this.options.env };
  }
}

function collect(child: ChildProcess, args: readonly string[]): Promise<Outcome> {
  const parts = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => { parts.stdout += text; });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => { parts.stderr += text; });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(outcome(args, code ?? 128 + (signal === null ? 0 : constants.signals[signal]), parts.stdout, parts.stderr)));
  });
}
