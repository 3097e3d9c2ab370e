import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { nodeName } from '../../sdk/api/names';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import type { Timers } from '../../sdk/client/timers';
import { formatTime } from '../clock';
import { namesOf } from './certificate-request';
import type { DurableFiles } from './durable-files';
import { keep } from './keep';
import { nodeKubeconfig, readCluster, type Cluster } from './node-kubeconfig';
import { CLIENT, obtain, SERVING, type Signing } from './obtain';
import { PairStore, type Pair } from './pair-store';

export interface IdentityOptions {
  /** Lower case. */
  readonly serial: string;
  readonly hardwareUUID: string;
  readonly stateDirectory: string;
  /** Kubeconfig with the token of an enrolment. Needed until the first certificate is there, and again after it has expired. */
  readonly bootstrapKubeconfig?: string;
  /** A client for a kubeconfig file. */
  readonly connect: (kubeconfig: string) => Promise<ControlPlane>;
  readonly files: DurableFiles;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Who the agent is: `system:node:mac-<serial>` by a client certificate, and a certificate to serve under. Both are renewed at two thirds of their
 * life by the identity itself; the first client certificate, and the next one after an expired one, come by the token of an enrolment.
 */
export class Identity {
  /** For `connect`: follows renewals by itself. */
  readonly kubeconfig: string;
  /** The cluster, from the bootstrap kubeconfig or from an earlier start. */
  readonly cluster: Cluster;
  readonly #client: PairStore;
  readonly #serving: PairStore;

  private constructor(private readonly options: IdentityOptions, kubeconfig: string, cluster: Cluster) {
    const { stateDirectory, files } = options;
    this.kubeconfig = kubeconfig;
    this.cluster = cluster;
    this.#client = new PairStore(join(stateDirectory, 'client'), files);
    this.#serving = new PairStore(join(stateDirectory, 'serving'), files);
  }

  /** @throws Error for an agent that was never enrolled and has no bootstrap kubeconfig */
  static async open(options: IdentityOptions): Promise<Identity> {
    const { stateDirectory, serial, files } = options;
    const kubeconfig = join(stateDirectory, 'kubeconfig');
    const former = await files.read(kubeconfig);
    const cluster = bootstrapCluster(options, former !== undefined);
    if (cluster !== undefined) {
      const text = nodeKubeconfig(cluster, `system:node:${nodeName(serial)}`, join(stateDirectory, 'client', 'current.pem'));
      if (former !== text) await files.write(kubeconfig, text);
    } else if (former === undefined) {
      throw new Error(`this agent was never enrolled: run \`macrack mac enrol ${serial}\` and start it with --bootstrap-kubeconfig`);
    }
    return new Identity(options, kubeconfig, readCluster(kubeconfig));
  }

  /** Keeps the client certificate in force. Resolves when there is one, or when `signal` aborts; an expired one counts, since machines that run are looked after with any. */
  keepClient(): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.options;
      signal.addEventListener('abort', () => resolve());
      void keep({
        ...this.options, store: this.#client, onPair: (pair) => this.#told(CLIENT, pair, resolve),
        renew: (valid) => this.#renewClient(valid),
        onFailure: (error, current, retryMs) => this.#clientFailed(error, current, retryMs),
      });
    });
  }

  /** The serving certificate of an earlier start; undefined where there is none that can be used. */
  serving(): Promise<Pair | undefined> {
    return this.#serving.current().catch(() => undefined);
  }

  /** Keeps a serving certificate in force. @param host under which the operator reaches the agent */
  keepServing(host: string, onPair: (pair: Pair) => Promise<void>): Promise<void> {
    const names = [...new Set([nodeName(this.options.serial), host])].sort();
    return keep({
      ...this.options, store: this.#serving,
      isFit: ({ x509 }) => namesOf(x509).join() === names.join(),
      renew: () => this.#as(this.kubeconfig, (plane) => this.#obtain(plane, this.#serving, SERVING, names)),
      onPair: (pair) => this.#told(SERVING, pair, () => onPair(pair)),
      onFailure: (error, current, retryMs) => this.options.log.error({ err: error, retryMs, ...until(current) }, 'no new serving certificate yet: without one in force the operator cannot ask this agent, and leases nothing on this Mac'),
    });
  }

  async #renewClient(valid: Pair | undefined): Promise<Pair> {
    const { bootstrapKubeconfig } = this.options;
    const ask = (kubeconfig: string): Promise<Pair> => this.#as(kubeconfig, (plane) => this.#obtain(plane, this.#client, CLIENT, []));
    if (valid === undefined) return ask(this.#bootstrap());
    return ask(this.kubeconfig).catch((error: unknown) => {
      // Revoked: a newer enrolment is the way back.
      if (bootstrapKubeconfig === undefined || !isFault(error, 'Unauthorized')) throw error;
      return ask(this.#bootstrap());
    });
  }

  #bootstrap(): string {
    const { bootstrapKubeconfig, serial } = this.options;
    if (bootstrapKubeconfig !== undefined && existsSync(bootstrapKubeconfig)) return bootstrapKubeconfig;
    throw new Error(`there is no bootstrap kubeconfig to ask with: run \`macrack mac enrol ${serial}\` and start the agent with --bootstrap-kubeconfig`);
  }

  async #as<T>(kubeconfig: string, work: (plane: ControlPlane) => Promise<T>): Promise<T> {
    const plane = await this.options.connect(kubeconfig);
    return work(plane).finally(() => plane.close());
  }

  #obtain(plane: ControlPlane, store: PairStore, signing: Signing, names: readonly string[]): Promise<Pair> {
    const { serial, hardwareUUID, timers, signal } = this.options;
    return obtain(plane, store, signing, { serial, hardwareUUID, names }, { timers, signal });
  }

  #told({ purpose }: Signing, pair: Pair, then: () => Promise<void> | void): Promise<void> | void {
    this.options.log.info({ ...until(pair), serialNumber: pair.x509.serialNumber }, `the ${purpose} certificate is in use`);
    return then();
  }

  #clientFailed(error: unknown, current: Pair | undefined, retryMs: number): void {
    const { log, now, serial } = this.options;
    const said = { err: error, retryMs, ...until(current) };
    if (current !== undefined && now() < current.notAfter) return log.warn(said, 'the client certificate could not be renewed yet');
    const why = current === undefined ? 'has no client certificate yet' : `has a client certificate that expired at ${formatTime(current.notAfter)}`;
    const way = isFault(error, 'Unauthorized') ? 'its bootstrap token is not accepted: tokens end after an hour' : 'see err';
    log.error(said, `Mac ${serial} ${why}: nothing is started or reported, machines that run go on (${way}). Enrol it with macrack mac enrol ${serial}.`);
  }
}

/** Undefined where there is none. Machines are not left alone because of a file that an agent which is enrolled does not need. */
function bootstrapCluster({ bootstrapKubeconfig, log }: IdentityOptions, isEnrolled: boolean): Cluster | undefined {
  if (bootstrapKubeconfig === undefined || !existsSync(bootstrapKubeconfig)) return undefined;
  try {
    return readCluster(bootstrapKubeconfig);
  } catch (error) {
    if (!isEnrolled) throw error;
    log.warn({ err: error }, 'the bootstrap kubeconfig cannot be used; the agent is enrolled and goes on without it');
    return undefined;
  }
}

const until = (pair: Pair | undefined): { until?: string } => (pair === undefined ? {} : { until: formatTime(pair.notAfter) });
