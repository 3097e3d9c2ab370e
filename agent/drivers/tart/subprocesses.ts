import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** All that the program sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that goes on when this process ends, in a session of its own. */
export interface Launched {
  /** Resolves with its exit code when it has ended, null by a signal; only while this process lives. */
  readonly exited: Promise<number | null>;
}

/** The only way of the driver to other programs. */
export interface Subprocesses {
  /** Runs a program to its end. Rejects when it cannot be started, or has not ended in time; then it is killed first. */
  run(command: Command, timeoutMs: number): Promise<Outcome>;
  /** Starts a program that outlives this process; what it prints replaces the file. Rejects when it cannot be started. */
  launch(command: Command, outputFile: string): Promise<Launched>;
  /** SIGKILL. A process that is gone already is success. */
  kill(pid: number): void;
}

const MOST_OUTPUT_BYTES = 16 * 2 ** 20;

function run({ program, args, environment }: Command, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = { env: environment, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT_BYTES } as const;
    execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (error.killed === true) reject(new Error(`it did not end within ${timeoutMs / 1000} s`, { cause: error }));
      else if (typeof error.code === 'string') reject(Object.assign(new Error(error.message, { cause: error }), { code: error.code }));
      else resolve({ code: error.code ?? null, stdout, stderr });
    });
  });
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

async function launch({ program, args, environment }: Command, outputFile: string): Promise<Launched> {
  const output = await open(outputFile, 'w', 0o600);
  try {
    // A session of its own: neither a signal for the group of the agent nor launchd, which ends what is left of a job's group, reaches it.
    const child = spawn(program, [...args], { env: environment, detached: true, stdio: ['ignore', output.fd, output.fd] });
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await started(child);
    child.unref();
    return { exited };
  } finally {
    await output.close();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Programs of this machine. */
export const realSubprocesses: Subprocesses = { run, launch, kill };
