import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DRIVERS, type DriverName } from '../agent/process/driver-names';
import { SERIAL_PATTERN } from '../sdk/api/names';
import type { Listen } from './operator-options';

export interface AgentCommandOptions {
  readonly driver: DriverName;
  readonly stateDir?: string;
  readonly bootstrapKubeconfig?: string;
  readonly serial?: string;
  readonly listen: Listen;
  readonly advertise?: string;
  /** PEM. */
  readonly clientCa?: string;
  readonly logLevel: string;
}

export type HardwareOptions = Required<Pick<AgentCommandOptions, 'driver' | 'stateDir'>> & Pick<AgentCommandOptions, 'serial'>;

/** Where an agent is, and who asks it. */
export interface AgentAccessOptions {
  readonly endpoint: string;
  readonly serial: string;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Reads the name of a driver. Throws RangeError. */
export function driverName(text: string): DriverName {
  const found = DRIVERS.find((name) => name === text);
  if (found === undefined) throw new RangeError(`takes ${DRIVERS.join(' or ')}, not ${JSON.stringify(text)}`);
  return found;
}

/** Reads a serial number. Throws RangeError. */
export function serialNumber(text: string): string {
  if (!SERIAL_PATTERN.test(text)) throw new RangeError(`takes the serial number of a Mac, not ${JSON.stringify(text)}`);
  return text.toLowerCase();
}

/** Reads `https://host:port`. Throws RangeError. */
export function agentEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/') throw new RangeError(`takes https://host:port, as status.agentEndpoint of the MacNode has it, not ${JSON.stringify(text)}`);
  return url.origin;
}

/** Reads `host` or `host:port`; IPv6 addresses stand in brackets. Throws RangeError. */
export function advertisedAddress(text: string): string {
  if (!/^(?:\[[0-9a-fA-F:.]+\]|[^:[\]\s/]+)(?::\d{1,5})?$/.test(text)) throw new RangeError(`takes host or host:port, such as 10.0.0.7:10250, not ${JSON.stringify(text)}`);
  return text;
}

/** Reads the certificates in a file, at once: an agent that found out later would have told nobody who waits. Throws RangeError. */
export function certificateFile(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw new RangeError(`takes a file with a certificate in PEM text; ${JSON.stringify(path)} is none (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`, { cause: error });
  }
}

/** Reads a number of an entry of the journal. Throws RangeError. */
export function entryNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new RangeError(`takes a whole number from 0, not ${JSON.stringify(text)}`);
  return Number(text);
}
