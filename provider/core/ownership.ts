import { Annotation } from '../../sdk/api/names';
import type { KubeObject } from '../../sdk/api/object';

/** Who keeps an object in its state, as the object says it; undefined for a tool that leaves no such mark. */
export type Owner = string | undefined;

/** True if the object was made by this very resource of a program: an interrupted create left it, or it is in the state already. */
export function isOwnedBy({ metadata }: KubeObject, owner: Owner): boolean {
  return owner !== undefined && metadata.annotations?.[Annotation.Owner] === owner;
}

/** The mark as annotations of an object. */
export function ownerMark(owner: Owner): { readonly annotations?: Readonly<Record<string, string>> } {
  return owner === undefined ? {} : { annotations: { [Annotation.Owner]: owner } };
}
