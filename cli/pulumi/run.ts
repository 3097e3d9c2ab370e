import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Outcome } from './outcome';
import { type Process, processesBelow } from './process-tree';
import { outcome } from './reading';

/** A running engine. */
export interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Outcome>;
  /** What it has started and still has below it: language hosts, programs, providers. */
  processes(): Process[];
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File that the command was told to log its events to. */
  readonly eventLog?: string | undefined;
}

/** Starts the command and reads what it leaves behind once it has ended, however it ends. */
export function start(command: string, args: readonly string[], { cwd, env, eventLog }: RunOptions): Started {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => { parts.stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { parts.stderr += text; });
  const done = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(outcome({ args, code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), ...parts }, eventLog)));
  });
  return { child, done, processes: () => processesBelow(child.pid) };
}
