/**
 * A value that a preview cannot know yet. It is neither null nor a default: a verdict over it is undetermined, never allowed.
 * `Symbol.for`, so that two copies of the package in one process agree.
 */
export const UNKNOWN: unique symbol = Symbol.for('macrack.io/unknown') as never;

/** A fact that may be unknown while a preview runs. */
export type Maybe<T> = T | typeof UNKNOWN;

/** True for a fact that is there (null counts as known). */
export function isKnown<T>(fact: Maybe<T>): fact is T {
  return fact !== UNKNOWN;
}
