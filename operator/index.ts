import pino from 'pino';
import type { AgentReader } from '../sdk/client/agent-reader';
import type { ControlPlane } from '../sdk/client/control-plane';
import type { Timers } from '../sdk/client/timers';
import { mutate } from './admission/mutate';
import { serveAdmission } from './admission/server';
import { validate } from './admission/validate';
import type { AuditLog } from './audit/audit-log';
import { openSqliteAuditLog } from './audit/sqlite-audit-log';
import type { Log } from './reconcile/context';
import { Stores } from './reconcile/engine/stores';
import { startReconcilers } from './reconcile/start';

export type { AuditEvent, AuditLog, AuditRow, Layer } from './audit/audit-log';
export { AuditType, AuditUnavailable } from './audit/audit-log';
export { startOperatorProcess, type OperatorProcess } from './process/start-process';
export type { Address, ProcessOptions, WebhookOptions } from './process/options';
export type { ChassisProof, FleetProof, Violation } from './audit/prove-fleet';

export interface OperatorOptions {
  /** With the identity `macrack-operator`. The caller closes it, after `stop`. */
  readonly plane: ControlPlane;
  /** Asks Macs live before a claim is made or ended. */
  readonly agents: AgentReader;
  /** Where all waiting is done. */
  readonly timers: Timers;
  /** Path of the SQLite record; its directory must exist. */
  readonly auditFile: string;
  /** Where the webhooks listen. Port 0 takes any free one. */
  readonly admission: { readonly host: string; readonly port: number };
  /** Default: JSON lines to stderr. */
  readonly log?: Log;
}

export interface Operator {
  /** `https://host:port`, for the webhook configurations. */
  readonly admissionOrigin: string;
  /** PEM of the CA that signed the webhooks' certificate, for the webhook configurations. */
  readonly caPem: string;
  readonly audit: AuditLog;
  /** Resolves when the first lists have arrived and the reconcilers run. */
  readonly ready: Promise<void>;
  /** Ends the operator. Resolves when it writes nothing more. */
  stop(): Promise<void>;
}

/**
 * Starts the operator: first the webhooks, then the reconcilers, since the reconcilers' own writes pass the webhooks. Returns when the webhooks
 * listen; the reconcilers start when the plane answers. Rejects with `AuditUnavailable` if the record cannot be opened.
 */
export async function startOperator(options: OperatorOptions): Promise<Operator> {
  const { plane, agents, timers, auditFile, admission } = options;
  const log = options.log ?? pino({ name: 'operator' }, pino.destination(2));
  const audit = await openSqliteAuditLog(auditFile);
  const context = { plane, agents, audit, log, stores: new Stores() };
  const server = await serveAdmission({ mutate, validate: (request) => validate(context, request) }, admission).catch(async (error: unknown) => {
    await audit.close();
    throw error;
  });
  const reconcilers = startReconcilers(context, timers);
  return {
    admissionOrigin: server.origin, caPem: server.caPem, audit, ready: reconcilers.ready,
    stop: async () => {
      await reconcilers.stop();
      await server.stop();
      await audit.close();
    },
  };
}
