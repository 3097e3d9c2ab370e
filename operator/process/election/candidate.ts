import type { CoordinationLease } from '../../../sdk/api';
import { LEASE_DURATION_MS, RENEW_DEADLINE_MS } from './record';

/** What to do about the leader lease as it was just read. */
export type Move = 'create' | 'renew' | 'take' | 'wait';

/**
 * One replica's view of who leads. Time is judged by when this process saw the lease change, on its own monotonic clock: the stamps in it are of
 * other hosts' clocks.
 */
export class Candidate {
  #seen: { readonly version: string; readonly at: number } | undefined;
  #renewedAt: number | undefined;

  /** @param monotonic milliseconds of a clock that never goes back */
  constructor(readonly identity: string, private readonly monotonic: () => number) {}

  /** What follows from the lease as the server has it now. */
  judge(lease: CoordinationLease | null): Move {
    if (lease === null) return 'create';
    const now = this.monotonic();
    if (this.#seen?.version !== lease.metadata.resourceVersion) this.#seen = { version: lease.metadata.resourceVersion, at: now };
    const holder = lease.spec.holderIdentity ?? '';
    if (holder === this.identity) return 'renew';
    return holder === '' || now - this.#seen.at >= LEASE_DURATION_MS ? 'take' : 'wait';
  }

  /** The write of a record that names this replica has succeeded. @param sentAt when it was sent: from then on the others count */
  wrote(lease: CoordinationLease, sentAt: number): void {
    this.#seen = { version: lease.metadata.resourceVersion, at: sentAt };
    this.#renewedAt = sentAt;
  }

  /** The lease is somebody else's. */
  lost(): void {
    this.#renewedAt = undefined;
  }

  /** True while no other replica can have begun to lead. Also right after a pause of the whole process, before any timer has fired. */
  leads(): boolean {
    return this.#renewedAt !== undefined && this.monotonic() - this.#renewedAt < RENEW_DEADLINE_MS;
  }
}
