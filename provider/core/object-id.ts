import type { ObjectRef } from '../../sdk/client/control-plane';
import { isKnown, UNKNOWN, type Maybe } from '../../sdk/rules/unknown';

/** A namespaced object. */
export interface Named extends ObjectRef {
  readonly namespace: string;
  readonly name: string;
}

/** The id of a lease or an instance: `namespace/name`, known before the object exists. */
export function idOf({ namespace, name }: Named): string {
  return `${namespace}/${name}`;
}

/** Reads an id; undefined unless it is two parts with one slash between. */
export function tryParseId(id: string): Named | undefined {
  const match = /^([^/\s]+)\/([^/\s]+)$/.exec(id);
  return match === null ? undefined : { namespace: match[1] ?? '', name: match[2] ?? '' };
}

/** The object's name where both parts are known. */
export function tryName(namespace: Maybe<string>, name: Maybe<string>): Named | undefined {
  return isKnown(namespace) && isKnown(name) ? { namespace, name } : undefined;
}

/** The id where both parts are known. */
export function maybeId(namespace: Maybe<string>, name: Maybe<string>): Maybe<string> {
  const named = tryName(namespace, name);
  return named === undefined ? UNKNOWN : idOf(named);
}
