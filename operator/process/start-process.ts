import type { ProcessOptions } from './options';
import { Replica } from './replica';

/** A replica that runs. */
export interface OperatorProcess {
  /** `http://host:port` of /healthz, /readyz and /metrics. */
  readonly healthOrigin: string;
  /** `https://host:port` of the webhooks; undefined until they listen. */
  webhookOrigin(): string | undefined;
  /** Takes no new work, finishes the steps in hand, releases the leader lease. Resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/**
 * Starts one replica of the operator. Returns when its probes are answered: what it still waits for, /readyz says. Rejects with ConnectionError
 * where the options lead to no API server or no client certificate, and with the error of the socket where its metrics cannot listen.
 */
export async function startOperatorProcess(options: ProcessOptions): Promise<OperatorProcess> {
  const replica = await Replica.open(options);
  const health = await replica.start();
  options.log.info({ identity: options.identity, health: health.origin, namespace: options.namespace }, 'the operator runs');
  return {
    healthOrigin: health.origin, webhookOrigin: () => replica.webhookOrigin(),
    stop: async () => {
      await replica.stop();
      await health.stop();
      options.log.info({ identity: options.identity }, 'the operator has ended');
    },
  };
}
