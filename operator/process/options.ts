import type { Logger } from 'pino';
import type { ConnectOptions } from '../../sdk/client';
import type { Timers } from '../../sdk/client/timers';

/** Where a server listens. Port 0 takes any free one. */
export interface Address { readonly host: string; readonly port: number }

/** An operator as a process of its own, one of any number of replicas. */
export interface ProcessOptions {
  /** Must lead to a client certificate with the user name `macrack-operator`: policies know the operator by that name. */
  readonly connect: ConnectOptions;
  /** Path of the SQLite record. It need not be writable at the start: nothing is bound or released until it is. */
  readonly auditFile: string;
  readonly webhooks: WebhookOptions;
  /** Plain HTTP: /healthz, /readyz, /metrics. */
  readonly metrics: Address;
  /** Where the leader lease and the Secret of the webhooks' CA are. */
  readonly namespace: string;
  /** Names this replica in the leader lease; must differ between replicas. */
  readonly identity: string;
  readonly log: Logger;
  /** Default: those of the process. */
  readonly timers?: Timers;
}

export interface WebhookOptions extends Address {
  /** DNS names and addresses, beside the address it listens at, by which API servers call. */
  readonly names: readonly string[];
  /** Directory with ca.crt and ca.key. Default: the Secret `macrack-webhook-ca`, which the first replica makes. */
  readonly caDirectory?: string;
  /** Life of a serving certificate in milliseconds; a new one is issued at two thirds of it. Default 90 days. */
  readonly certificateLifeMs?: number;
}
