import { Kinds } from '../sdk/api/kinds';
import { Annotation } from '../sdk/api/names';
import { HEARTBEAT_MS } from '../sdk/api/timing';
import type { Watching } from '../sdk/client/control-plane';
import { isFault } from '../sdk/client/errors';
import type { Timers } from '../sdk/client/timers';
import { serveApi, type ApiOptions, type ServedApi } from './api/serve';
import type { Context } from './context';
import { wipeDisks } from './disks/wipe';
import { KeyedQueue } from './keyed-queue';
import { inspectMachines } from './machines';
import { Mutex } from './mutex';
import { Reporter } from './node/reporter';
import { NotNow } from './pods/start';
import { syncPod } from './pods/sync-pod';

const POD = 'pod/';
const API_RETRY_MS = 5000;
const REVOKED = 'the API server does not accept the identity of this agent (401: expired, revoked, or of another cluster): nothing is started or reported, machines that run go on';

/**
 * Joins the sources of change (heartbeat, hypervisor, watches) to the work. All of them are hints: every piece of work reads its own facts, so a
 * hint that is lost costs at most one heartbeat.
 */
export class Agent {
  readonly ready: Promise<void>;
  #isReady!: () => void;
  readonly #ctx: Context;
  readonly #queue: KeyedQueue;
  readonly #reporter: Reporter;
  #beatDue = true;
  #isStopped = false;
  #nodeWatch: Watching | undefined;
  #cancelBeat: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #reporting: Promise<void> = Promise.resolve();
  #api: ServedApi | undefined;
  readonly #serving = new Mutex();
  #cancelServe: (() => void) | undefined;

  constructor(ctx: Omit<Context, 'changed' | 'endpoint'>, private readonly timers: Timers) {
    this.#ctx = { ...ctx, endpoint: () => this.#api?.endpoint, changed: () => this.#queue.add('report') };
    this.#reporter = new Reporter(this.#ctx);
    this.#queue = new KeyedQueue({ timers, work: (key) => this.#work(key), onError: (key, error, retryMs) => this.#failed(key, error, retryMs) });
    this.ready = new Promise((resolve) => { this.#isReady = resolve; });
  }

  begin(): void {
    if (this.#isStopped) return;
    this.#unsubscribe = this.#ctx.hypervisor.onChange(() => {
      this.#queue.add('machines');
      this.#queue.add('report');
    });
    this.#beat();
  }

  /** Serves the API from now on, or serves it with these certificates. Where the address cannot be listened on it tries again; the machines need no API. */
  serve(options: ApiOptions): Promise<void> {
    return this.#serving.run(() => this.#serveNow(options));
  }

  async #serveNow(options: ApiOptions): Promise<void> {
    if (this.#isStopped) return;
    this.#cancelServe?.();
    if (this.#api !== undefined) return this.#api.renew(options);
    try {
      this.#api = await serveApi(this.#ctx, options);
      this.#ctx.log.info({ endpoint: this.#api.endpoint }, 'the API is served');
      this.#ctx.changed();
    } catch (error) {
      this.#ctx.log.error({ err: error, host: options.host, port: options.port }, 'the API cannot be served: nothing is leased on this Mac until it can');
      this.#cancelServe = this.timers.after(API_RETRY_MS, () => void this.serve(options));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelServe?.();
    this.#cancelBeat?.();
    this.#unsubscribe?.();
    this.#queue.stop();
    this.#nodeWatch?.stop();
    this.#ctx.pods.stop();
    await this.#serving.run(async () => this.#api?.stop());
    await Promise.all([this.#ctx.journal.close(), this.#reporting]);
  }

  #beat(): void {
    this.#beatDue = true;
    this.#queue.add('report');
    if (!this.#ctx.gate.isReconciling) this.#queue.add('machines');
    this.#cancelBeat = this.timers.after(HEARTBEAT_MS, () => this.#beat());
  }

  #work(key: string): Promise<void> {
    if (key === 'report') {
      const report = this.#report();
      this.#reporting = report.catch(() => undefined);
      return report;
    }
    if (key === 'machines') return this.#machines();
    if (key === 'disks') return wipeDisks(this.#ctx);
    return syncPod(this.#ctx, key.slice(POD.length));
  }

  async #report(): Promise<void> {
    const isBeat = this.#beatDue;
    this.#beatDue = false;
    const closed = await this.#reporter.report(isBeat).catch((error: unknown) => {
      this.#beatDue ||= isBeat;
      throw error;
    });
    if (this.#ctx.gate.isThisMac) this.#watch();
    // Only now: the first answer of the API server has told the time, without which nothing can be journaled.
    if (this.#ctx.gate.isReconciling) this.#queue.add('machines');
    if (closed === undefined) this.#isReady();
  }

  async #machines(): Promise<void> {
    const { journal, hypervisor, pods } = this.#ctx;
    await inspectMachines(this.#ctx);
    if (journal.fault?.reason === 'JournalUnwritable') await journal.append(await hypervisor.bootID(), { kind: 'Probe' });
    const uids = new Set([...pods.all().map((pod) => pod.metadata.uid), ...journal.ledger.openRuns().map(({ facts }) => facts.podUID)]);
    for (const uid of uids) this.#queue.add(POD + uid);
    this.#queue.add('disks');
  }

  #watch(): void {
    if (this.#nodeWatch !== undefined || this.#isStopped) return;
    const { plane, node, pods, log } = this.#ctx;
    const onFault = (error: unknown): void => log.warn({ err: error }, 'a watch is being set up again');
    let kept: string | undefined;
    const onNode = (annotation: string | undefined): void => {
      if (annotation !== kept) this.#queue.add('disks');
      kept = annotation;
    };
    this.#nodeWatch = plane.watch(Kinds.Node, { fieldSelector: `metadata.name=${node}` }, {
      onSync: (nodes) => onNode(nodes[0]?.metadata.annotations?.[Annotation.KeepDisks]),
      onChange: (_type, object) => onNode(object.metadata.annotations?.[Annotation.KeepDisks]),
      onFault,
    });
    pods.watch(plane, node, (uid) => this.#queue.add(POD + uid), () => this.#queue.add('machines'), onFault);
  }

  #failed(key: string, error: unknown, retryMs: number): void {
    if (error instanceof NotNow) this.#ctx.log.info({ key, retryMs }, error.message);
    else this.#ctx.log.error({ key, retryMs, err: error }, isFault(error, 'Unauthorized') ? REVOKED : 'will be tried again');
    if (key !== 'report' && this.#ctx.journal.fault !== undefined) this.#queue.add('report');
  }
}
