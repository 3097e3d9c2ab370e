import { Annotation } from '../../sdk/api/names';
import type { Kind, KubeObject } from '../../sdk/api/object';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { ofUid } from './lease-keep';
import type { Named } from './object-id';
import { isOwnedBy, ownerMark, type Owner } from './ownership';
import { compareAndSwap, preconditionsOf } from './swap';

/** Writes the mark of its owner on the object of this uid, unless it has it. null: that object is gone. */
export async function takeOwnership<T extends KubeObject>(plane: ControlPlane, kind: Kind<T>, named: Named, uid: string, owner: Owner): Promise<T | null> {
  return compareAndSwap<T>(
    async () => ofUid(await plane.tryGet(kind, named), uid),
    (object) => (owner === undefined || isOwnedBy(object, owner) ? undefined : plane.patch(kind, named, { metadata: ownerMark(owner) }, { preconditions: preconditionsOf(object) })),
  );
}

/** The owner that an object names; undefined where it names none. */
export function ownerOf({ metadata }: KubeObject): Owner {
  return metadata.annotations?.[Annotation.Owner];
}
