import { UNKNOWN, type Maybe } from '../../sdk/rules/unknown';

/** Properties of a resource as the engine passes them: plain data. */
export type Props = Readonly<Record<string, unknown>>;

/** How the engine writes a value that a preview cannot know yet. (Seen with Pulumi 3.274.) */
const UNKNOWN_TEXT = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** A value of the engine as the core knows it. */
export function maybe<T>(value: T): Maybe<T> {
  return value === UNKNOWN_TEXT ? UNKNOWN : value;
}

/** Puts the engine's form of an unknown in the place of ours. */
export function toProp<T>(value: Maybe<T>): T | string {
  return value === UNKNOWN ? UNKNOWN_TEXT : value;
}

/** Null and undefined both mean that nothing is set. */
export function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
