import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kinds, type MacNodeLease, type MacNodeLeaseSpec, type MacOSInstance, type MacOSInstanceSpec } from '../../sdk/api';
import { AgentUnavailable, type AgentReader } from '../../sdk/client/agent-reader';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { parseInstant } from '../../sdk/rules/instant';
import type { AuditLog } from '../audit/audit-log';
import { openSqliteAuditLog } from '../audit/sqlite-audit-log';
import type { Log } from '../reconcile/context';
import { Stores } from '../reconcile/engine/stores';
import { startReconcilers, type Reconcilers } from '../reconcile/start';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import { SimMac } from './sim-mac';

export const START = parseInstant('2026-11-29T10:00:00Z');
export const HOUR_MS = 3_600_000;
export const TENANT = 'tenant-a';

/** What stands between an operator and its ports. */
export interface Between {
  plane?(inner: ControlPlane): ControlPlane;
  audit?(inner: AuditLog): AuditLog;
}

// Only ends a hang.
const DEADLINE_MS = 120_000;

/** Waits until a condition holds; fails after two minutes with its description. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not come about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** One plane with a class, a tenant and Macs, and any number of operators on it. */
export class Rig {
  readonly plane = new MemoryPlane(START);
  /** What the operators logged as errors. */
  readonly errors: object[] = [];
  readonly macs: SimMac[] = [];
  /** Asks the Macs themselves. */
  readonly agents: AgentReader = {
    read: async ({ metadata: { name } }) => {
      await new Promise((resolve) => setImmediate(resolve));
      const mac = this.macs.find((m) => m.serial === name);
      const state = mac?.alive === true ? mac.answer(mac.state()) : null;
      if (state === null) throw new AgentUnavailable(name, 'nothing answers');
      return state;
    },
  };
  readonly #directory = mkdtempSync(join(tmpdir(), 'operator-'));
  readonly #running: { reconcilers: Reconcilers; audit: AuditLog }[] = [];
  #audit: AuditLog | undefined;

  get auditFile(): string {
    return join(this.#directory, 'audit.db');
  }

  /** The record, for questions. */
  get audit(): AuditLog {
    if (this.#audit === undefined) throw new Error('the rig is not open');
    return this.#audit;
  }

  static async open(...serials: readonly string[]): Promise<Rig> {
    const rig = new Rig();
    rig.#audit = await openSqliteAuditLog(rig.auditFile);
    for (const name of [TENANT, 'tenant-b']) await rig.plane.create(Kinds.Namespace, { metadata: { name } });
    await rig.plane.create(Kinds.MacClass, { metadata: { name: 'base' }, spec: { cpu: 8, memory: '16Gi', disk: '256Gi' } });
    for (const serial of serials) await rig.addMac(serial);
    return rig;
  }

  /** Starts an operator; something may stand between it and its ports. */
  async operate(between: Between = {}): Promise<Reconcilers> {
    const reconcilers = await this.begin(between);
    await reconcilers.ready;
    return reconcilers;
  }

  /** As `operate`, without waiting until it is ready. */
  async begin(between: Between = {}): Promise<Reconcilers> {
    const store = await openSqliteAuditLog(this.auditFile);
    const audit = between.audit?.(store) ?? store;
    const through = between.plane?.(this.plane) ?? this.plane;
    const log: Log = { info: () => undefined, warn: () => undefined, error: (fields, message) => void this.errors.push({ ...fields, message }) };
    const reconcilers = startReconcilers({ plane: through, agents: this.agents, audit, log, stores: new Stores() }, this.plane);
    this.#running.push({ reconcilers, audit });
    return reconcilers;
  }

  async close(): Promise<void> {
    for (const { reconcilers, audit } of this.#running) {
      await reconcilers.stop();
      await audit.close();
    }
    await this.#audit?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async addMac(serial: string): Promise<SimMac> {
    const mac = await new SimMac(this.plane, serial).start();
    this.macs.push(mac);
    return mac;
  }

  createLease(name: string, spec: Partial<MacNodeLeaseSpec> = {}, namespace = TENANT): Promise<MacNodeLease> {
    return this.plane.create(Kinds.MacNodeLease, { metadata: { name, namespace }, spec: { class: 'base', minimumDuration: '24h', release: false, ...spec } });
  }

  createInstance(name: string, spec: Partial<MacOSInstanceSpec> = {}, namespace = TENANT): Promise<MacOSInstance> {
    const shape = { cpu: 2, memory: '4Gi', disk: '60Gi' };
    return this.plane.create(Kinds.MacOSInstance, { metadata: { name, namespace }, spec: { leaseName: 'ios', image: 'registry.example/macos:26', shape, running: true, ...spec } });
  }

  lease(name: string, namespace = TENANT): MacNodeLease | null {
    return this.plane.peek(Kinds.MacNodeLease, { namespace, name });
  }

  instance(name: string, namespace = TENANT): MacOSInstance | null {
    return this.plane.peek(Kinds.MacOSInstance, { namespace, name });
  }

  untilLease(name: string, phase: string): Promise<void> {
    return until(`lease ${name} is ${phase}, not ${this.lease(name)?.status?.phase}`, () => this.lease(name)?.status?.phase === phase);
  }

  untilInstance(name: string, phase: string): Promise<void> {
    return until(`instance ${name} is ${phase}`, () => this.instance(name)?.status?.phase === phase);
  }

  /** Moves the clock in heartbeats, so that agents report meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    this.plane.advance(milliseconds);
    for (const mac of this.macs) if (mac.alive) await mac.report();
  }
}
