import { join } from 'node:path';
import { findBinaries } from './binaries';
import { apiServerArguments, apiUrl, controllerManagerArguments, etcdArguments, etcdUrl, type Layout, schedulerArguments } from './components';
import { ServerProcess } from './processes';
import { type ProbeTls, untilReady } from './readiness';

export type ServerName = 'etcd' | 'kube-apiserver' | 'kube-scheduler' | 'kube-controller-manager';

// An API server ends its watches first, which takes seconds.
const STOP_MS = 15_000;

interface Program {
  readonly args: (layout: Layout) => string[];
  /** Answers 200 when the server is ready. */
  readonly ready: (layout: Layout) => string;
}

const PROGRAMS: Readonly<Record<ServerName, Program>> = {
  etcd: { args: etcdArguments, ready: (layout) => `${etcdUrl(layout)}/health` },
  'kube-apiserver': { args: apiServerArguments, ready: (layout) => `${apiUrl(layout)}/readyz` },
  'kube-scheduler': { args: schedulerArguments, ready: ({ ports }) => `https://127.0.0.1:${ports.scheduler}/readyz` },
  'kube-controller-manager': { args: controllerManagerArguments, ready: ({ ports }) => `https://127.0.0.1:${ports.controllers}/healthz` },
};

/** The four processes of a plane, by name. A name means the process that was started last. */
export class Servers {
  readonly #running = new Map<ServerName, ServerProcess>();

  /** @param tls identity of the probes. */
  constructor(private readonly layout: Layout, private readonly tls: ProbeTls) {}

  /** Each when those that it needs are ready. @throws Error with the end of a server's log */
  async boot(): Promise<void> {
    await this.start('etcd');
    await this.start('kube-apiserver');
    await Promise.all([this.start('kube-scheduler'), this.start('kube-controller-manager')]);
  }

  /** Starts a server, for the first time or after its end, and waits until it is ready. */
  async start(name: ServerName): Promise<void> {
    const { args, ready } = PROGRAMS[name];
    const server = new ServerProcess(name, findBinaries()[name], args(this.layout), join(this.layout.directory, 'logs', `${name}.log`));
    this.#running.set(name, server);
    await untilReady(server, ready(this.layout), this.tls);
  }

  /** @throws Error for a server that was never started */
  get(name: ServerName): ServerProcess {
    const server = this.#running.get(name);
    if (server === undefined) throw new Error(`${name} was not started`);
    return server;
  }

  /** SIGKILL, as by a crash. */
  kill(name: ServerName): Promise<void> {
    return this.get(name).kill();
  }

  /** Everything, the store last: an API server whose etcd has gone first hangs. */
  async stop(): Promise<void> {
    const end = (name: ServerName): Promise<void> | undefined => this.#running.get(name)?.stop(STOP_MS);
    await Promise.all([end('kube-controller-manager'), end('kube-scheduler')]);
    await end('kube-apiserver');
    await end('etcd');
  }
}
