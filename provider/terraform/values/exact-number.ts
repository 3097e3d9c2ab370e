import type { ExactNumber } from './value';

const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;

/** What the wire gave, as a number where that is exact; undefined when it is no number at all. */
export function fromWire(value: unknown): ExactNumber | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return shortest(value.toString());
  return typeof value === 'string' && DECIMAL.test(value) ? shortest(value) : undefined;
}

/** What goes on the wire: Terraform reads decimal strings with all their digits. Undefined when it is no number. */
export function toWire(value: unknown): ExactNumber | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  return fromWire(value);
}

function shortest(text: string): ExactNumber {
  const number = Number(text);
  return INTEGER.test(text) && Number.isSafeInteger(number) ? number : text;
}

/** The integer that an attribute of type number holds, or undefined when it is none (1.5, or beyond 2^53). */
export function asInteger(value: ExactNumber): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && (typeof value === 'number' || String(number) === value) ? number : undefined;
}
