import pino, { type Logger } from 'pino';
import { openSqliteAuditLog } from '../../../operator/audit/sqlite-audit-log';
import { ADMIN } from '../../../realplane/identities';
import { Kinds } from '../../../sdk/api/kinds';
import { nodeName } from '../../../sdk/api/names';
import { HEARTBEAT_MS } from '../../../sdk/api/timing';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { instant } from '../../../sdk/rules/instant';
import { ApiHistory } from '../invariants/api-history';
import type { Breach, Evidence } from '../invariants/evidence';
import { judge } from '../invariants/judge';
import { MacHistory } from '../invariants/mac-history';
import { connectAs, type Ground, type GroundName, openGround } from './ground';
import { MacUnderTest } from './mac-under-test';
import { auditFile, operate, type OperatorUnderTest } from './operator-under-test';
import { Tenacious, tenaciously } from './tenacious';
import type { WorldMac } from './world-mac';

export interface FaultWorldOptions {
  readonly ground: GroundName;
  readonly serials: readonly string[];
  readonly tenants: readonly string[];
  /** Of operators and agents. Default: none. */
  readonly log?: Logger;
  /** Default true: kernels that run any number of machines, so that the agents' own count is what holds. */
  readonly permissive?: boolean;
  /** Default true: starts with an operator in this process. */
  readonly operated?: boolean;
}

/** Enrols a Mac and starts its agent. @param permissive has a kernel that would run any number of machines */
export type EnrolMac<Mac extends WorldMac> = (ground: Ground, serial: string, history: MacHistory, log: Logger, permissive: boolean) => Promise<Mac>;

const SETTLED_S = 120;
const FLOOR_PERIOD_MS = 3_000;
const BEAT_PERIOD_MS = 1_000;
const LEASED: ReadonlySet<string> = new Set(['Bound', 'Held']);

/** A plane with operators and Macs of which each can be killed, cut off, stopped and started again, and with witnesses of all that happens. */
export class FaultWorld<Mac extends WorldMac = MacUnderTest> {
  readonly macs = new Map<string, Mac>();
  readonly operators: OperatorUnderTest[] = [];
  /** UIDs of leases whose end somebody wanted. */
  readonly asked = new Set<string>();
  readonly #history = new MacHistory();
  #api!: ApiHistory;
  #admin!: ControlPlane;

  private constructor(readonly ground: Ground, readonly log: Logger) {}

  /** With agents in this process. */
  static open(options: FaultWorldOptions): Promise<FaultWorld> {
    return FaultWorld.openWith((...of) => MacUnderTest.enrol(...of), options);
  }

  /** With Macs of any sort. */
  static async openWith<Mac extends WorldMac>(enrol: EnrolMac<Mac>, { ground: name, serials, tenants, log = pino({ level: 'silent' }), permissive = true, operated = true }: FaultWorldOptions): Promise<FaultWorld<Mac>> {
    const ground = await openGround(name, tenants);
    const world = new FaultWorld<Mac>(ground, log);
    try {
      world.#admin = await connectAs(ground, ADMIN);
      world.#api = new ApiHistory(world.#admin);
      if (operated) await world.startOperator();
      await Promise.all(serials.map(async (serial) => void world.macs.set(serial, await enrol(ground, serial, world.#history, log, permissive))));
      await Promise.all([...world.macs.values()].map((mac) => mac.ready()));
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** What was seen of the API, without asking it. */
  get seen(): ApiHistory {
    return this.#api;
  }

  get admin(): Tenacious {
    return new Tenacious(this.#admin);
  }

  mac(serial: string): Mac {
    const found = this.macs.get(serial);
    if (found === undefined) throw new Error(`there is no Mac ${serial} in this world`);
    return found;
  }

  async startOperator(): Promise<OperatorUnderTest> {
    const started = await operate(this.ground, this.log);
    this.operators.push(started);
    return started;
  }

  /** One of several; the webhooks are another's from then on. */
  async killOperator(victim: OperatorUnderTest): Promise<void> {
    this.operators.splice(this.operators.indexOf(victim), 1);
    await victim.kill();
    const [next] = this.operators;
    if (next !== undefined) await this.ground.redirectWebhooks(next.operator.admissionOrigin, next.operator.caPem);
  }

  async killOperators(): Promise<void> {
    await Promise.all(this.operators.splice(0).map((each) => each.kill()));
  }

  /** Brings every lease that holds a Mac past its floor. */
  async passFloors(): Promise<void> {
    const leases = (await this.admin.list(Kinds.MacNodeLease)).filter(({ status }) => LEASED.has(status?.phase ?? '') && status?.chassis !== undefined);
    await this.ground.passFloor(leases.map(({ metadata: { namespace = '', name }, status }) => ({ serial: status?.chassis ?? '', lease: { namespace, name } })));
  }

  /** Waits until no lease holds a Mac any more, while one floor after the other passes. Everything must be asked to end before. */
  async untilEmpty(seconds = 2 * SETTLED_S): Promise<void> {
    const deadline = performance.now() + seconds * 1000;
    let next = 0;
    for (;;) {
      const left = await this.admin.list(Kinds.MacNodeBinding);
      if (left.length === 0) return;
      if (performance.now() > deadline) throw new Error(`Macs are still leased: ${left.map(({ metadata: { name, deletionTimestamp }, spec }) => `${name} by ${spec.leaseName}${deletionTimestamp === undefined ? '' : ', its claim deleted'}`).join('; ')}. ${await this.#leasesLeft()}`);
      if (performance.now() > next) {
        await this.passFloors();
        next = performance.now() + FLOOR_PERIOD_MS;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Why they have not gone, as their status says it. */
  async #leasesLeft(): Promise<string> {
    const leases = await this.admin.list(Kinds.MacNodeLease);
    return leases.map(({ metadata, spec, status }) => `${metadata.name}: ${JSON.stringify({ phase: status?.phase, release: spec.release, deleted: metadata.deletionTimestamp, floor: status?.earliestReleaseAt, reason: status?.reason, message: status?.message })}`).join('; ');
  }

  /** Waits, while the plane's clock, where there is one to move, goes faster than ours: after a fault everybody asks ever more rarely. */
  async inTime<T>(work: Promise<T>): Promise<T> {
    const beats = setInterval(() => this.ground.advance?.(HEARTBEAT_MS), BEAT_PERIOD_MS / 2);
    return work.finally(() => clearInterval(beats));
  }

  async evidence(): Promise<Evidence> {
    const audit = await openSqliteAuditLog(auditFile(this.ground));
    try {
      const [at, macNodes, nodes] = [await tenaciously(() => this.#admin.serverTime()), await this.admin.list(Kinds.MacNode), await this.admin.list(Kinds.Node)];
      const macs = macNodes.map((macNode) => ({
        macNode, node: nodes.find(({ metadata }) => metadata.name === nodeName(macNode.metadata.name)) ?? null, now: MacHistory.now(macNode.metadata.name, this.mac(macNode.metadata.name).mac),
      }));
      const proof = this.ground.ages ? undefined : await audit.proveFleet({ from: instant(0), to: at });
      return {
        at, macs, proof, aged: this.ground.ages, moments: this.#history.moments, starts: this.#history.starts, asked: this.asked, rows: await audit.rows(), openIntents: (await audit.openIntents()).map(({ key }) => key),
        claims: [...this.#api.claims.values()], leases: [...this.#api.leases.values()], instances: [...this.#api.instances.values()],
      };
    } finally {
      await audit.close();
    }
  }

  /** Waits until nothing is wrong any more; what must never be wrong fails at once. @throws Error with every breach */
  async untilWhole(seconds = SETTLED_S): Promise<void> {
    const deadline = performance.now() + seconds * 1000;
    let beat = performance.now() + BEAT_PERIOD_MS;
    for (;;) {
      const breaches = judge(await this.evidence());
      if (breaches.length === 0) return;
      // Waits of the operator are by the plane's clock, where that can be moved.
      if (performance.now() > beat) {
        this.ground.advance?.(HEARTBEAT_MS);
        beat = performance.now() + BEAT_PERIOD_MS;
      }
      if (breaches.some(isFinal) || performance.now() > deadline) throw new Error(`the world is not whole:\n${breaches.map(({ law, what }) => `${law}: ${what}`).join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async close(): Promise<void> {
    this.#api?.stop();
    await Promise.all([...this.macs.values()].map((mac) => mac.end()));
    await this.killOperators();
    this.#admin?.close();
    await this.ground.stop();
  }
}

const isFinal = ({ law }: Breach): boolean => law === 'TwoMachines' || law === 'OneTenant' || law === 'Floor';
