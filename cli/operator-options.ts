import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { NAME_PATTERN } from '../sdk/api/names';

/** A place to listen at. */
export interface Listen { readonly host: string; readonly port: number }

export interface OperatorOptions {
  readonly kubeconfig: string;
  readonly auditFile: string;
  readonly webhookListen: Listen;
  readonly webhookName?: readonly string[];
  readonly webhookCaDir?: string;
  readonly metricsListen: Listen;
  readonly namespace: string;
  readonly identity: string;
  readonly logLevel: string;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Reads `host:port`; IPv6 addresses stand in brackets. Throws RangeError. */
export function listenAddress(text: string): Listen {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(digits) > 65_535) throw new RangeError(`takes host:port, such as 0.0.0.0:9443 or [::]:9443, not ${JSON.stringify(text)}`);
  return { host, port: Number(digits) };
}

/** Reads the name of a namespace. Throws RangeError. */
export function namespaceName(text: string): string {
  if (!NAME_PATTERN.test(text)) throw new RangeError(`takes the name of a namespace, not ${JSON.stringify(text)}`);
  return text;
}

/** Reads a level of the log. Throws RangeError. */
export function logLevel(text: string): string {
  if (!(LOG_LEVELS as readonly string[]).includes(text)) throw new RangeError(`takes ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(text)}`);
  return text;
}

/** Differs between replicas on one host too. */
export const ownIdentity = (): string => `${hostname()}_${randomBytes(4).toString('hex')}`;
