import { UNKNOWN as NOT_KNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { isUnknown, type Unknown } from '../values/unknown';

/** A value of Terraform as the core knows it: its unknowns carry refinements, ours do not. */
export function maybe<T>(value: T | Unknown): Maybe<T> {
  return isUnknown(value) ? NOT_KNOWN : value;
}

/** A value that the protocol promises to be known by now. */
export function known<T>(value: T | Unknown, name: string): T {
  if (isUnknown(value)) throw new Error(`${name} is still unknown in an apply`);
  return value;
}
