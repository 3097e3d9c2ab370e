import { clientIdentity, connect, httpsAgentReader, type AgentCredentials } from '../../sdk/client';
import type { ConnectedPlane } from '../../sdk/client/control-plane';
import { processTimers, type Timers } from '../../sdk/client/timers';
import { fileAuthority } from '../admission/certificates/file-authority';
import { secretAuthority } from '../admission/certificates/secret-authority';
import { mutate } from '../admission/mutate';
import { validate } from '../admission/validate';
import type { AuditLog } from '../audit/audit-log';
import { Announcer } from './announcer';
import { auditCheck } from './checks/audit';
import type { Check } from './checks/check';
import { Checkup } from './checks/checkup';
import { clockCheck, WatchedClock } from './checks/clock';
import { customResourceCheck } from './checks/custom-resources';
import { versionCheck } from './checks/kubernetes-version';
import { policyCheck } from './checks/policies';
import { rightsCheck } from './checks/rights';
import { webhookCheck } from './checks/webhooks';
import { Elector } from './election/elector';
import { fencedPlane } from './fenced-plane';
import { Foreman } from './foreman';
import { readingsOf, type Learned } from './health-state';
import { serveHealth, type HealthServer } from './health-server';
import { LateAuditLog } from './late-audit-log';
import { meteredHandlers } from './metered-handlers';
import { OperatorMetrics } from './metrics/metrics';
import { countingAudit } from './metrics/refusals';
import type { ProcessOptions } from './options';
import { readinessOf } from './readiness';
import { beginShift, type LeaderShift } from './shift';
import { Webhooks } from './webhooks';

// Shorter than a leadership: a request that hangs must not cost it.
const PROBE_TIMEOUT_MS = 4_000;

/** The connections of a replica: one for work, and one whose requests end soon. */
interface Connections {
  readonly plane: ConnectedPlane;
  readonly probe: ConnectedPlane;
  readonly identity: () => AgentCredentials;
}

/** One replica of the operator: it serves the webhooks, and runs the reconcilers while it leads and everything is in order. */
export class Replica {
  readonly #timers: Timers;
  readonly #learned: Learned = {};
  readonly #audit: AuditLog;
  readonly #metrics: OperatorMetrics;
  readonly #clock: WatchedClock;
  readonly #checkup: Checkup;
  readonly #elector: Elector;
  readonly #foreman: Foreman<LeaderShift>;
  readonly #webhooks: Webhooks;
  readonly #announcer: Announcer;

  private constructor(private readonly options: ProcessOptions, private readonly connections: Connections) {
    const { log, namespace, identity } = options;
    const { plane, probe } = connections;
    this.#timers = options.timers ?? processTimers;
    this.#metrics = new OperatorMetrics(() => this.#readings());
    this.#audit = countingAudit(new LateAuditLog(options.auditFile), this.#metrics.refused);
    this.#clock = new WatchedClock((finding) => this.#checkup.found('clock', finding));
    this.#webhooks = this.#makeWebhooks();
    this.#checkup = new Checkup(this.#checks(), this.#timers, () => this.#update());
    this.#elector = new Elector({ plane: probe, timers: this.#timers, log, namespace, identity, onChange: () => this.#update() });
    const fenced = fencedPlane(plane, {
      write: () => (this.#elector.leads() ? undefined : 'this replica does not lead, and writes nothing'),
      claim: () => this.#checkup.halted()?.message,
      time: (read) => this.#clock.time(read),
    });
    this.#foreman = new Foreman(() => beginShift({ plane: fenced, audit: this.#audit, log, agents: httpsAgentReader({ credentials: connections.identity }) }, this.#timers, this.#metrics.worked));
    this.#announcer = new Announcer({
      plane: probe, timers: this.#timers, log, namespace, identity, leads: () => this.#elector.leads(),
      troubles: () => this.#checkup.troubles(), tamperProof: () => this.#learned.tamperProof,
    });
  }

  /** Rejects with ConnectionError where the options lead to no client certificate; a plane that does not answer is waited for. */
  static async open(options: ProcessOptions): Promise<Replica> {
    const identity = await clientIdentity(options.connect);
    const [plane, probe] = await Promise.all([connect(options.connect), connect({ ...options.connect, timeoutMs: PROBE_TIMEOUT_MS })]);
    return new Replica(options, { plane, probe, identity });
  }

  /** Returns when probes and scrapers are answered; everything else follows as it can be had. */
  async start(): Promise<HealthServer> {
    const vitals = { readiness: () => readinessOf(this.#checkup, this.#foreman.running !== undefined), metrics: () => this.#metrics.text() };
    const server = await serveHealth(vitals, this.options.metrics);
    this.#webhooks.start();
    this.#checkup.start();
    this.#elector.start();
    return server;
  }

  webhookOrigin(): string | undefined {
    return this.#webhooks.origin;
  }

  /** Takes no new work, finishes the steps in hand, then lets another lead. */
  async stop(): Promise<void> {
    await this.#foreman.end();
    this.#checkup.stop();
    await this.#announcer.stop();
    await this.#elector.release();
    await this.#webhooks.stop();
    await this.#audit.close();
    this.connections.plane.close();
    this.connections.probe.close();
  }

  #update(): void {
    this.#foreman.want(this.#elector.leads() && this.#checkup.halted() === undefined);
    this.#announcer.changed();
  }

  #readings() {
    const { plane, identity } = this.connections;
    return readingsOf({ plane, checkup: this.#checkup, clock: this.#clock, webhooks: this.#webhooks, learned: this.#learned, identity, shift: () => this.#foreman.running });
  }

  #checks(): Check[] {
    const { namespace } = this.options;
    const { probe } = this.connections;
    return [
      versionCheck(probe), customResourceCheck(probe, namespace), rightsCheck(probe, namespace),
      clockCheck(probe, this.#clock, namespace, (stamped) => { this.#learned.clockStamped = stamped; }),
      policyCheck(probe, (tamperProof) => this.#learnTamperProof(tamperProof)),
      webhookCheck(() => this.#webhooks.state()), auditCheck(this.#audit),
    ];
  }

  #learnTamperProof(tamperProof: boolean): void {
    if (this.#learned.tamperProof === tamperProof) return;
    this.#learned.tamperProof = tamperProof;
    if (!tamperProof) this.options.log.warn({}, 'TamperProof=False: the policies are objects of the API, and an administrator of the cluster could take them away');
    this.#announcer.changed();
  }

  #makeWebhooks(): Webhooks {
    const { log, namespace, webhooks } = this.options;
    const { plane, probe } = this.connections;
    const reading = fencedPlane(plane, { write: () => undefined, claim: () => undefined, time: (read) => this.#clock.time(read) });
    const context = { plane: reading, audit: this.#audit, log };
    return new Webhooks({
      handlers: meteredHandlers({ mutate, validate: (request) => validate(context, request) }, this.#metrics), options: webhooks, namespace, timers: this.#timers, log,
      authority: () => (webhooks.caDirectory === undefined ? secretAuthority(probe, namespace) : fileAuthority(webhooks.caDirectory)),
      onListening: ({ origin }) => {
        log.info({ origin }, 'the webhooks listen');
        this.#checkup.again('webhooks');
      },
    });
  }
}
