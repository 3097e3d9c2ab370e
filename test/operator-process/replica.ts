import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readiness } from '../../operator/process/readiness';
import { OPERATOR } from '../../realplane/identities';
import type { RealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';

const main = resolve(__dirname, '..', '..', 'dist', 'cli', 'main.js');

export interface LogLine { readonly level: number; readonly msg: string; readonly [field: string]: unknown }

export interface ReplicaOptions {
  readonly identity: string;
  readonly auditFile: string;
  readonly kubeconfig: string;
  readonly arguments?: readonly string[];
}

/** A kubeconfig of the operator in a file. */
export async function operatorKubeconfig(plane: RealPlane, user = OPERATOR): Promise<string> {
  const path = join(plane.directory, `${user}.kubeconfig`);
  writeFileSync(path, await plane.kubeconfig(user), { mode: 0o600 });
  return path;
}

/** `macrack operator` as a process of its own, on free ports. */
export class Replica {
  readonly identity: string;
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  #stderr = '';

  constructor({ identity, auditFile, kubeconfig, arguments: more = [] }: ReplicaOptions) {
    this.identity = identity;
    this.child = spawn(process.execPath, [
      main, 'operator', '--kubeconfig', kubeconfig, '--audit-file', auditFile, '--identity', identity, '--log-level', 'debug',
      '--webhook-listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', ...more,
    ], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => { this.#stderr += text; });
    const killWithUs = (): void => void this.child.kill('SIGKILL');
    process.once('exit', killWithUs);
    this.ended = new Promise((done) => this.child.on('close', (code, signal) => {
      process.removeListener('exit', killWithUs);
      done({ code, signal });
    }));
  }

  /** All that it has said. */
  get text(): string {
    return this.#stderr;
  }

  /** Its log. Throws on a line that is no JSON. */
  lines(): LogLine[] {
    return this.#stderr.split('\n').slice(0, -1).map((line) => JSON.parse(line) as LogLine);
  }

  /** Waits for a line of the log. */
  says(message: string | RegExp): Promise<LogLine> {
    return until(`the operator says ${String(message)}`, () => {
      if (this.child.exitCode !== null) throw new Error(`the operator ended with ${this.child.exitCode}: ${this.#stderr}`);
      return Promise.resolve(this.lines().find(({ msg }) => (typeof message === 'string' ? msg === message : message.test(msg))));
    });
  }

  async healthOrigin(): Promise<string> {
    return String((await this.says('the operator runs'))['health']);
  }

  async webhookOrigin(): Promise<string> {
    return String((await this.says('the webhooks listen'))['origin']);
  }

  async ask(path: string): Promise<{ readonly code: number; readonly text: string }> {
    const answer = await fetch(`${await this.healthOrigin()}${path}`);
    return { code: answer.status, text: await answer.text() };
  }

  async readiness(): Promise<Readiness & { readonly code: number }> {
    const { code, text } = await this.ask('/readyz');
    return { ...JSON.parse(text) as Readiness, code };
  }

  untilReady(what: string, holds: (readiness: Readiness & { readonly code: number }) => boolean): Promise<Readiness & { readonly code: number }> {
    return until(what, async () => {
      const readiness = await this.readiness();
      return holds(readiness) ? readiness : undefined;
    });
  }

  /** Value of one series, by its name with its labels; undefined while there is none. */
  async metric(series: string): Promise<number | undefined> {
    const line = (await this.ask('/metrics')).text.split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}
