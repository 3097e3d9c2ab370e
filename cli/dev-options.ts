import { CLASSES, type ClassName } from '../sdk/api/phases';

export interface DevOptions {
  /** Number of simulated Macs. */
  readonly macs: number;
  readonly class: ClassName;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where kubeconfigs, the audit record and the provider launcher go. */
  readonly dir: string;
  /** Takes the place of `dir`, and keeps the plane and its Macs too. */
  readonly dataDir?: string;
}

const MOST_MACS = 500;

/** Reads a whole number from the command line. Throws RangeError that names the option. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) throw new RangeError(`${option} takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
  return value;
}

export const macCount = (text: string): number => wholeNumber('--macs', text, 1, MOST_MACS);
export const portNumber = (text: string): number => wholeNumber('--port', text, 0, 65_535);

/** Reads a class from the command line. Throws RangeError. */
export function className(text: string): ClassName {
  const found = CLASSES.find((c) => c === text);
  if (found === undefined) throw new RangeError(`--class takes ${CLASSES.join(', ')}, not ${JSON.stringify(text)}`);
  return found;
}
