import type { AdmissionHandlers, AdmissionServer } from '../admission/server';
import { serveAdmission } from '../admission/server';
import type { Authority } from '../admission/certificates/authority';
import { ServingCertificates } from '../admission/certificates/serving';
import type { Timers } from '../../sdk/client/timers';
import type { Log } from '../reconcile/context';
import type { WebhookState } from './checks/webhooks';
import type { WebhookOptions } from './options';

const AGAIN_MS = 3_000;
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** What API servers may call this replica by. */
export function webhookNames({ host, names }: WebhookOptions, namespace: string): readonly string[] {
  const own = WILDCARDS.has(host) ? [] : [host];
  return [...new Set([...own, '127.0.0.1', 'localhost', `macrack-operator.${namespace}.svc`, ...names])];
}

export interface WebhooksOptions {
  readonly handlers: AdmissionHandlers;
  readonly options: WebhookOptions;
  readonly namespace: string;
  readonly authority: () => Promise<Authority>;
  readonly timers: Timers;
  readonly log: Log;
  /** Called when they listen. */
  readonly onListening: (server: AdmissionServer) => void;
}

/** The webhooks of one replica: they listen as soon as their CA can be had. */
export class Webhooks {
  #certificates: ServingCertificates | undefined;
  #server: AdmissionServer | undefined;
  #why = 'their CA is being read';
  #cancel: () => void = () => undefined;
  #stopped = false;
  #starting: Promise<void> = Promise.resolve();

  constructor(private readonly options: WebhooksOptions) {}

  start(): void {
    this.#starting = this.#try();
  }

  /** Undefined until they listen. */
  get origin(): string | undefined {
    return this.#server?.origin;
  }

  state(): WebhookState {
    return { certificates: this.#server === undefined ? undefined : this.#certificates, why: this.#why };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#starting;
    this.#certificates?.stop();
    await this.#server?.stop();
  }

  async #try(): Promise<void> {
    const { authority, options, namespace, handlers, timers, log, onListening } = this.options;
    try {
      this.#certificates ??= await ServingCertificates.start({
        authority: await authority(), names: webhookNames(options, namespace), timers, log,
        ...(options.certificateLifeMs === undefined ? {} : { lifeMs: options.certificateLifeMs }),
      });
      this.#server = await serveAdmission(handlers, options, this.#certificates);
      onListening(this.#server);
    } catch (error) {
      this.#why = (error as Error).message;
      log.error({ err: error }, 'the webhooks cannot listen yet; it is tried again');
      if (!this.#stopped) this.#cancel = timers.after(AGAIN_MS, () => void (this.#starting = this.#try()));
    }
  }
}
