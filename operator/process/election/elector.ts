import { Kinds, type CoordinationLease } from '../../../sdk/api';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { isFault } from '../../../sdk/client/errors';
import type { Timers } from '../../../sdk/client/timers';
import type { Log } from '../../reconcile/context';
import { Candidate } from './candidate';
import { heldBy, LEADER_LEASE, released, RENEW_DEADLINE_MS, RETRY_PERIOD_MS } from './record';

export interface ElectionOptions {
  readonly plane: ControlPlane;
  readonly timers: Timers;
  readonly log: Log;
  readonly namespace: string;
  readonly identity: string;
  /** Milliseconds of a clock that never goes back; default that of the process. */
  readonly monotonic?: () => number;
  /** Called at every change, and only then. */
  readonly onChange: (leads: boolean) => void;
}

/**
 * Elects one leader among the replicas by a Lease of coordination.k8s.io. It saves work and no more: every write of the operator is a
 * compare-and-swap or a create by name, so two leaders at once would do no harm.
 */
export class Elector {
  readonly #candidate: Candidate;
  readonly #monotonic: () => number;
  readonly #ref: { readonly namespace: string; readonly name: string };
  #cancel: () => void = () => undefined;
  /** Tells the end of a leadership that could not be renewed, whatever a request that hangs does. */
  #cancelDeadline: () => void = () => undefined;
  #told = false;
  #stopped = false;
  #trying: Promise<void> = Promise.resolve();

  constructor(private readonly options: ElectionOptions) {
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#candidate = new Candidate(options.identity, this.#monotonic);
    this.#ref = { namespace: options.namespace, name: LEADER_LEASE };
  }

  start(): void {
    this.#trying = this.#round();
  }

  /** Judged anew at each call. */
  leads(): boolean {
    return this.#candidate.leads();
  }

  /** Ends the candidacy. Call it when nothing is written any more: another replica may lead at once. */
  async release(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#trying;
    this.#cancelDeadline();
    if (!this.leads()) return;
    const { plane, log } = this.options;
    try {
      const lease = await plane.get(Kinds.CoordinationLease, this.#ref);
      if (lease.spec.holderIdentity === this.options.identity) await this.#write(lease, released(lease));
    } catch (error) {
      log.warn({ err: error }, 'the leader lease could not be released; another replica leads when it has run out');
    }
    this.#candidate.lost();
    this.#tell();
  }

  async #round(): Promise<void> {
    try {
      await this.#try();
    } catch (error) {
      // A lost compare-and-swap is how replicas take turns.
      if (!isFault(error, 'Conflict', 'AlreadyExists')) this.options.log.warn({ err: error }, 'the leader lease cannot be read or written; it is tried again');
    }
    this.#tell();
    if (!this.#stopped) this.#cancel = this.options.timers.after(RETRY_PERIOD_MS * (0.8 + 0.4 * Math.random()), () => void (this.#trying = this.#round()));
  }

  async #try(): Promise<void> {
    const lease = await this.options.plane.tryGet(Kinds.CoordinationLease, this.#ref);
    const sentAt = this.#monotonic();
    switch (this.#candidate.judge(lease)) {
      case 'create':
        return this.#wrote(await this.options.plane.create(Kinds.CoordinationLease, { metadata: this.#ref, spec: heldBy(this.options.identity, null) }), sentAt);
      case 'renew':
      case 'take':
        return this.#wrote(await this.#write(lease as CoordinationLease, heldBy(this.options.identity, lease)), sentAt);
      case 'wait':
        return this.#candidate.lost();
    }
  }

  #wrote(lease: CoordinationLease, sentAt: number): void {
    this.#candidate.wrote(lease, sentAt);
    this.#cancelDeadline();
    this.#cancelDeadline = this.options.timers.after(RENEW_DEADLINE_MS, () => this.#tell());
  }

  #write({ metadata }: CoordinationLease, spec: object): Promise<CoordinationLease> {
    return this.options.plane.patch(Kinds.CoordinationLease, this.#ref, { spec }, { preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion } });
  }

  #tell(): void {
    const leads = this.leads();
    if (leads === this.#told) return;
    this.#told = leads;
    this.options.log.info({ identity: this.options.identity }, leads ? 'this replica leads' : 'this replica does not lead any more');
    this.options.onChange(leads);
  }
}
