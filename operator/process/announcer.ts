import { randomBytes } from 'node:crypto';
import { Kinds, type MacClass } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Timers } from '../../sdk/client/timers';
import { instant } from '../../sdk/rules/instant';
import type { Log } from '../reconcile/context';
import { withCondition } from '../reconcile/engine/conditions';
import { swapStatus } from '../reconcile/engine/write';
import type { Trouble } from './checks/checkup';
import { readyCondition, tamperProofCondition, type OperatorCondition } from './condition-status';
import { LEADER_LEASE } from './election/record';

const LOOK_AGAIN_MS = 30_000;
const RETRY_MS = 3_000;

export interface AnnouncerOptions {
  readonly plane: ControlPlane;
  readonly timers: Timers;
  readonly log: Log;
  readonly namespace: string;
  readonly identity: string;
  readonly leads: () => boolean;
  readonly troubles: () => readonly Trouble[];
  readonly tamperProof: () => boolean | undefined;
}

const same = (a: OperatorCondition, b: OperatorCondition | undefined): boolean => a.status === b?.status && a.reason === b.reason && a.message === b.message;

/** Says how the operator is: conditions of every MacClass (by the leader), an Event and a log line at each change (by every replica). */
export class Announcer {
  #said: string | undefined;
  #cancel: () => void = () => undefined;
  #stopped = false;
  #isWriting = false;
  #writing: Promise<void> = Promise.resolve();
  #again = false;

  constructor(private readonly options: AnnouncerOptions) {}

  /** Something may have changed. */
  changed(): void {
    this.#speak();
    this.#write();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#writing;
  }

  #write(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    let wait = LOOK_AGAIN_MS;
    this.#isWriting = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if (this.options.leads()) await this.#writeConditions();
      } catch (error) {
        this.options.log.warn({ err: error }, 'the conditions of the classes could not be written; it is tried again');
        wait = RETRY_MS;
      }
    }
    this.#isWriting = false;
    this.#cancel();
    if (!this.#stopped) this.#cancel = this.options.timers.after(wait, () => this.#write());
  }

  async #writeConditions(): Promise<void> {
    const { plane, troubles, tamperProof } = this.options;
    const wanted = [readyCondition(troubles()), tamperProofCondition(tamperProof())].filter((c) => c !== undefined);
    for (const object of (await plane.list(Kinds.MacClass)).items) await this.#writeTo(object, wanted);
  }

  async #writeTo(object: MacClass, wanted: readonly OperatorCondition[]): Promise<void> {
    const { plane } = this.options;
    const present = object.status?.conditions;
    if (wanted.every((c) => same(c, present?.find(({ type }) => type === c.type)))) return;
    const now = plane.lastServerTime() ?? instant(Date.now());
    const conditions = wanted.reduce((all, news) => withCondition(all, news, now), present ?? []);
    await swapStatus(plane, Kinds.MacClass, object, { conditions });
  }

  // The start is no change: until everything has been looked at once, nothing is known that could be told.
  #speak(): void {
    const troubles = this.options.troubles();
    const [worst] = troubles;
    if (worst?.fault === 'NotChecked') return;
    const said = worst?.fault ?? 'Working';
    if (said === this.#said) return;
    const first = this.#said === undefined;
    this.#said = said;
    const { message } = readyCondition(troubles);
    if (worst === undefined) this.options.log.info({}, first ? 'everything is in order' : 'everything is in order again');
    else this.options.log.error({ reason: worst.fault }, message);
    if (worst !== undefined || !first) void this.#event(said, message, worst === undefined ? 'Normal' : 'Warning');
  }

  async #event(reason: string, message: string, type: 'Normal' | 'Warning'): Promise<void> {
    const { plane, namespace, identity, log } = this.options;
    const at = new Date().toISOString().replace(/\.\d{3}Z$/, 'Z');
    const lease = Kinds.CoordinationLease;
    await plane.create(Kinds.Event, {
      metadata: { namespace, name: `${LEADER_LEASE}.${randomBytes(6).toString('hex')}` },
      involvedObject: { apiVersion: `${lease.group}/${lease.version}`, kind: lease.kind, namespace, name: LEADER_LEASE },
      reason, message: message.slice(0, 1024), type, count: 1, firstTimestamp: at, lastTimestamp: at,
      source: { component: 'macrack-operator' }, reportingComponent: 'macrack-operator', reportingInstance: identity,
    }).catch((error: unknown) => log.warn({ err: error, reason }, 'an Event could not be written'));
  }
}
