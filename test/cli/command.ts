import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

const main = resolve(__dirname, '..', '..', 'dist', 'cli', 'main.js');

/** A run of the command line as a user starts it. */
export interface Run {
  readonly child: ChildProcess;
  /** What it has printed on standard output so far. */
  printed(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly stdout: string; readonly stderr: string }>;
}

/** Starts the built `macrack`. */
export function macrack(...args: readonly string[]): Run {
  return start(args, false);
}

/** As a shell starts it: in a process group of its own, which Ctrl-C is for as a whole. */
export function macrackInForeground(...args: readonly string[]): Run & { readonly interrupt: () => void } {
  const run = start(args, true);
  return { ...run, interrupt: () => void process.kill(-(run.child.pid ?? NaN), 'SIGINT') };
}

function start(args: readonly string[], detached: boolean): Run {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], detached });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => { stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text; });
  const ended: Run['ended'] = new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return { child, printed: () => stdout, ended };
}
