import { Token, Tokenization } from 'cdktf';
import { isPlain } from '../base/inputs';
import { UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';

/** True for a value that only the plan knows: a token, or a text with an expression of Terraform in it. */
export function isLate(value: unknown): boolean {
  return Token.isUnresolved(value) || Tokenization.isResolvable(value) || (typeof value === 'string' && /[$%]\{/.test(value));
}

/** A text as it was written. Terraform writes numbers and booleans as texts where it wants one, so they are read so here. */
export function readText(value: unknown): Maybe<string | null> {
  if (value === undefined || value === null) return null;
  if (isLate(value)) return UNKNOWN;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : UNKNOWN;
}

const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** A number as it was written, or as a text of one, which Terraform reads. */
export function readNumber(value: unknown): Maybe<number> {
  if (isLate(value)) return UNKNOWN;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : UNKNOWN;
}

/** The members of an object; undefined for a token, and for what is no object. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isPlain(value) ? value : undefined;
}

/** The same without "not set": what has to be there is unknown while it is not. */
export function readRequired(value: unknown): Maybe<string> {
  return readText(value) ?? UNKNOWN;
}
