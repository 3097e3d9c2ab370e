import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

const LAST_LINES = 12;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ours without proxies: the servers talk to each other and to our webhooks, all on this machine. They live for minutes, so that memory is cheaper than collecting it. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(https?|all|no)_proxy$/i.test(name));
  return { GOGC: '400', ...Object.fromEntries(own) };
}

/** A server of the plane. Its output goes to a file. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #killWithUs = (): void => void this.#child.kill('SIGKILL');

  constructor(readonly name: string, command: string, args: readonly string[], readonly logFile: string) {
    const log = openSync(logFile, 'a');
    // In a group of its own: Ctrl-C at a terminal is for us, who end the servers in their order; a store that went first would hang the others.
    this.#child = spawn(command, [...args], { stdio: ['ignore', log, log], detached: true, env: environment() });
    closeSync(log);
    process.once('exit', this.#killWithUs);
    this.#exited = new Promise<void>((resolve) => {
      this.#child.once('error', () => resolve());
      this.#child.once('exit', () => resolve());
    }).then(() => void process.removeListener('exit', this.#killWithUs));
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How it ended; undefined while it runs. */
  get ended(): string | undefined {
    const { exitCode, signalCode, pid } = this.#child;
    if (pid === undefined) return 'could not be started';
    if (signalCode !== null) return `ended by ${signalCode}`;
    return exitCode === null ? undefined : `ended with code ${exitCode}`;
  }

  /** All that it has printed. */
  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  /** Throws with the end of its log if it runs no more. */
  assertRuns(): void {
    if (this.ended === undefined) return;
    throw new Error(`${this.name} ${this.ended}:\n${this.log().trimEnd().split('\n').slice(-LAST_LINES).join('\n')}`);
  }

  /** At once, as by a crash. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Asks it to end, and waits; after `graceMs` it is killed. */
  async stop(graceMs: number): Promise<void> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.#exited;
    clearTimeout(timer);
  }
}
