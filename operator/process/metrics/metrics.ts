import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Layer } from '../../audit/audit-log';
import type { ClassCounts } from './fleet';

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is read at each scrape; undefined leaves a series out. */
export interface Readings {
  /** Of the leader alone, since it alone watches; undefined on other replicas. */
  readonly classes: readonly ClassCounts[] | undefined;
  readonly waiting: number;
  readonly leads: boolean;
  readonly tamperProof: boolean | undefined;
  readonly clockSkewSeconds: number;
  readonly clockAgeSeconds: number | undefined;
  readonly auditWritable: boolean;
  /** Seconds since the epoch. */
  readonly certificateExpiry: number | undefined;
  readonly caExpiry: number | undefined;
  readonly clientCertificateExpiry: number | undefined;
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
}

type Reading = (readings: Readings) => number | undefined;

/** Numbers of one replica. No label names a tenant, a lease or a Mac: whoever may scrape learns nothing about customers. */
export class OperatorMetrics {
  readonly #registry = new Registry();
  readonly #refusals = new Counter({ name: 'macrack_refusals_total', help: 'Refused requests and starts, by the reason and by the layer that stopped them. Dry runs are not counted.', labelNames: ['reason', 'layer'], registers: [this.#registry] });
  readonly #work = new Histogram({ name: 'macrack_reconcile_seconds', help: 'Time that a look at one object took, with its writes.', labelNames: ['queue'], buckets: SECONDS, registers: [this.#registry] });
  readonly #failures = new Counter({ name: 'macrack_reconcile_failures_total', help: 'Looks that failed and are tried again; a lost compare-and-swap is one.', labelNames: ['queue'], registers: [this.#registry] });
  readonly #webhook = new Histogram({ name: 'macrack_webhook_seconds', help: 'Time until a webhook answered.', labelNames: ['webhook', 'allowed'], buckets: SECONDS, registers: [this.#registry] });

  constructor(private readonly read: () => Readings) {
    collectDefaultMetrics({ register: this.#registry });
    this.#byClass('macrack_leased_chassis', 'Chassis under a lease, Held ones included: what is billed.', (c) => c.leased);
    this.#byClass('macrack_held_chassis', 'Leased chassis whose lease was released early and is Held until its floor.', (c) => c.held);
    this.#byClass('macrack_unleased_chassis', 'Chassis that could be leased now.', (c) => c.unleased);
    this.#byClass('macrack_chassis', 'Enrolled chassis.', (c) => c.total);
    this.#byClass('macrack_pending_leases', 'Leases that wait for a chassis.', (c) => c.pending);
    this.#byClass('macrack_chassis_over_limit', 'Chassis whose agent reports more than two machines. Any is an alarm.', (c) => c.overLimit);
    this.#gauge('macrack_queue_depth', 'Objects that wait for a look.', (r) => r.waiting);
    this.#gauge('macrack_leader', '1 on the replica whose reconcilers run.', (r) => Number(r.leads));
    this.#gauge('macrack_tamper_proof', '0 where an administrator of the cluster could take the policies away; absent while unknown.', ({ tamperProof }) => (tamperProof === undefined ? undefined : Number(tamperProof)));
    this.#gauge('macrack_clock_skew_seconds', "Step of the API server's clock against the time that has passed; above 5 nothing is bound or released.", (r) => r.clockSkewSeconds);
    this.#gauge('macrack_clock_age_seconds', 'Age of the Clock of the policies. Re-made every 60 s; while it is old nothing is released.', (r) => r.clockAgeSeconds);
    this.#gauge('macrack_audit_writable', '1 while the audit record can be written.', (r) => Number(r.auditWritable));
    this.#gauge('macrack_webhook_certificate_expiry_timestamp_seconds', "End of the serving certificate; renewed at two thirds of its life.", (r) => r.certificateExpiry);
    this.#gauge('macrack_webhook_ca_expiry_timestamp_seconds', "End of the webhooks' CA.", (r) => r.caExpiry);
    this.#gauge('macrack_client_certificate_expiry_timestamp_seconds', "End of the operator's client certificate.", (r) => r.clientCertificateExpiry);
    this.#checks();
  }

  readonly refused = (reason: string, layer: Layer): void => this.#refusals.inc({ reason, layer });

  readonly worked = (queue: string, seconds: number, failed: boolean): void => {
    this.#work.observe({ queue }, seconds);
    if (failed) this.#failures.inc({ queue });
  };

  answered(webhook: 'mutate' | 'validate', allowed: boolean, seconds: number): void {
    this.#webhook.observe({ webhook, allowed: String(allowed) }, seconds);
  }

  async text(): Promise<{ readonly type: string; readonly text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #gauge(name: string, help: string, reading: Reading): void {
    const { read } = this;
    new Gauge({
      name, help, registers: [this.#registry],
      collect() {
        const value = reading(read());
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  #byClass(name: string, help: string, count: (counts: ClassCounts) => number): void {
    const { read } = this;
    new Gauge({
      name, help, labelNames: ['class'], registers: [this.#registry],
      collect() {
        this.reset();
        for (const counts of read().classes ?? []) this.set({ class: counts.class }, count(counts));
      },
    });
  }

  #checks(): void {
    const { read } = this;
    new Gauge({
      name: 'macrack_check_ok', help: '1 for each check of /readyz that is good.', labelNames: ['check'], registers: [this.#registry],
      collect() {
        for (const { name, ok } of read().checks) this.set({ check: name }, Number(ok));
      },
    });
  }
}
