import type { Timers } from '../../../sdk/client/timers';
import type { Log } from '../../reconcile/context';
import type { Authority, ServingCertificate } from './authority';

const DAY_MS = 86_400_000;
/** Life of a serving certificate unless told otherwise, in milliseconds. */
export const CERTIFICATE_LIFE_MS = 90 * DAY_MS;
const RETRY_MS = 60_000;

export interface ServingOptions {
  readonly authority: Authority;
  /** DNS names and addresses of the server. */
  readonly names: readonly string[];
  readonly lifeMs?: number;
  readonly timers: Timers;
  readonly log: Log;
}

/** The serving certificate of this replica: in memory only, and renewed at two thirds of its life. */
export class ServingCertificates {
  #current: ServingCertificate;
  #cancel: () => void = () => undefined;
  #stopped = false;
  readonly #listeners: ((certificate: ServingCertificate) => void)[] = [];

  private constructor(private readonly options: ServingOptions, first: ServingCertificate) {
    this.#current = first;
    this.#plan();
  }

  static async start(options: ServingOptions): Promise<ServingCertificates> {
    return new ServingCertificates(options, await options.authority.issue(options.names, options.lifeMs ?? CERTIFICATE_LIFE_MS));
  }

  /** PEM of the CA that API servers must trust. */
  get caPem(): string {
    return this.options.authority.certificatePem;
  }

  get current(): ServingCertificate {
    return this.#current;
  }

  get authorityNotAfter(): number {
    return this.options.authority.notAfter;
  }

  /** Called with each later certificate. */
  onRenewed(listener: (certificate: ServingCertificate) => void): void {
    this.#listeners.push(listener);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #plan(): void {
    const { issuedAt, notAfter } = this.#current;
    const wait = issuedAt + ((notAfter - issuedAt) * 2) / 3 - Date.now();
    // At the end of the authority's life renewal brings nothing; it is tried on, since the clock of this host may be what is wrong.
    this.#cancel = this.options.timers.after(notAfter >= this.authorityNotAfter ? Math.max(wait, RETRY_MS) : Math.max(0, wait), () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { authority, names, lifeMs, log, timers } = this.options;
    try {
      this.#current = await authority.issue(names, lifeMs ?? CERTIFICATE_LIFE_MS);
      for (const listener of this.#listeners) listener(this.#current);
      log.info({ notAfter: new Date(this.#current.notAfter).toISOString() }, "the webhooks' certificate was renewed");
      if (!this.#stopped) this.#plan();
    } catch (error) {
      log.error({ err: error }, "the webhooks' certificate could not be renewed; it is tried again");
      if (!this.#stopped) this.#cancel = timers.after(RETRY_MS, () => void this.#renew());
    }
  }
}
