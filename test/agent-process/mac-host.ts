import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DurableSimMac } from '../../agent/drivers/sim';
import { until } from '../../sdk/client/until';
import { macrack } from '../cli/command';

const main = resolve(__dirname, '..', '..', 'dist', 'cli', 'main.js');

export interface LogLine { readonly level: number; readonly msg: string; readonly [key: string]: unknown }

/** One `macrack agent` process. */
export class AgentProcess {
  readonly lines: LogLine[] = [];
  /** What it printed that is no line of its log. */
  text = '';
  readonly #child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv, shell?: string) {
    const command = [process.execPath, main, 'agent', ...args];
    const [program = '', ...rest] = shell === undefined ? command : ['/bin/sh', '-c', `${shell}; exec "$@"`, 'agent', ...command];
    const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
    this.#child = child;
    let rest_ = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest_ + text).split('\n');
      rest_ = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    });
    this.ended = new Promise((done) => { child.on('close', (code, signal) => done(signal ?? code)); });
  }

  /** Rejects with the end of its log when it never says so. */
  says(words: RegExp): Promise<LogLine> {
    return until(`the agent says ${String(words)}`, () => Promise.resolve(this.lines.find(({ msg }) => words.test(msg)))).catch((error: unknown) => {
      throw new Error(`${String(error)}; it said:\n${this.lines.slice(-8).map((line) => JSON.stringify(line)).join('\n')}\n${this.text}`);
    });
  }

  /** Resolves to how it ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    this.#child.kill(signal);
    return this.ended;
  }

  #take(line: string): void {
    try {
      this.lines.push(JSON.parse(line) as LogLine);
    } catch {
      this.text += `${line}\n`;
    }
  }
}

export interface Started { readonly bootstrap?: string; readonly env?: NodeJS.ProcessEnv; readonly shell?: string; readonly serial?: string }

/** A simulated Mac with its state directory, on which agents are started one after the other. */
export class MacHost {
  readonly state: string;
  readonly sim: DurableSimMac;
  /** The agent that was started last. */
  agent: AgentProcess | undefined;
  readonly #all: AgentProcess[] = [];

  /** @param hardwareUUID of the Mac; default: a new one */
  constructor(readonly directory: string, readonly serial: string, hardwareUUID?: string) {
    this.state = join(directory, serial);
    mkdirSync(this.state, { recursive: true, mode: 0o700 });
    this.sim = new DurableSimMac(join(this.state, 'sim.sqlite'), hardwareUUID === undefined ? {} : { hardwareUUID });
  }

  get bootstrap(): string {
    return join(this.directory, `${this.serial}.bootstrap`);
  }

  /** `macrack mac enrol`, as its administrator. */
  async enrol(adminKubeconfig: string): Promise<void> {
    const { code, stderr } = await macrack('mac', 'enrol', this.serial, '--class', 'base', '--hardware-uuid', this.sim.hardwareUUID, '--kubeconfig', adminKubeconfig, '--out', this.bootstrap).ended;
    if (code !== 0) throw new Error(stderr);
  }

  start({ bootstrap = this.bootstrap, env = {}, shell, serial = this.serial }: Started = {}): AgentProcess {
    const agent = new AgentProcess(['--driver', 'sim', '--serial', serial, '--state-dir', this.state, '--listen', '127.0.0.1:0', ...(bootstrap === '' ? [] : ['--bootstrap-kubeconfig', bootstrap])], env, shell);
    this.#all.push(agent);
    this.agent = agent;
    return agent;
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((agent) => agent.end('SIGKILL')));
    this.sim.close();
  }
}
