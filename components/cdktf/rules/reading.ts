import { isLate, tryNumber } from '../base/fit';
import { isPlain } from '../base/inputs';
import { UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';

/** A text as it was written. Terraform writes numbers and booleans as texts where it wants one, so they are read so here. */
export function readText(value: unknown): Maybe<string | null> {
  if (value === undefined || value === null) return null;
  if (isLate(value)) return UNKNOWN;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : UNKNOWN;
}

/** A number as it was written, or as a text of one. */
export function readNumber(value: unknown): Maybe<number> {
  return isLate(value) ? UNKNOWN : tryNumber(value) ?? UNKNOWN;
}

/** The members of an object; undefined for a token, and for what is no object. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isPlain(value) ? value : undefined;
}

/** The same without "not set": what has to be there is unknown while it is not. */
export function readRequired(value: unknown): Maybe<string> {
  return readText(value) ?? UNKNOWN;
}
