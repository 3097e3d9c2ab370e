import { Token, Tokenization } from 'cdktf';
import type { AttributeType } from './attributes';
import { isPlain } from './inputs';

/** True for a value that only the plan knows: a token, or a text with an expression of Terraform in it. */
export function isLate(value: unknown): boolean {
  if (typeof value === 'string') return Token.isUnresolved(value) || /[$%]\{/.test(value);
  return typeof value === 'number' || Array.isArray(value) ? Token.isUnresolved(value) : Tokenization.isResolvable(value);
}

const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** A number, also one that is written as a text, which Terraform reads; undefined for anything else. */
export function tryNumber(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/**
 * True for what Terraform takes as a value of the type, by its conversions between texts, numbers and booleans, and for what only the plan
 * knows. Of lists, maps and objects it is the kind alone; their elements are looked at one by one.
 */
export function fits(type: AttributeType, value: unknown): boolean {
  if (isLate(value)) return true;
  if (type === 'string') return isText(value);
  if (type === 'number') return tryNumber(value) !== undefined;
  if (type === 'boolean') return typeof value === 'boolean' || value === 'true' || value === 'false';
  return 'list' in type ? Array.isArray(value) : isPlain(value);
}
