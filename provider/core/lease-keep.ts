import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Named } from './object-id';
import { compareAndSwap, preconditionsOf } from './swap';

/** Takes a release back, so that a Held lease becomes Bound again with its floor unchanged. null: the lease of that uid is gone. */
export async function keepLease(plane: ControlPlane, named: Named, uid: string): Promise<MacNodeLease | null> {
  return compareAndSwap(
    async () => ofUid(await plane.tryGet(Kinds.MacNodeLease, named), uid),
    (lease) => (lease.spec.release ? plane.patch(Kinds.MacNodeLease, named, { spec: { release: false } }, { preconditions: preconditionsOf(lease) }) : undefined),
  );
}

/** The lease if it is still the one of that uid. */
export function ofUid<T extends { readonly metadata: { readonly uid: string } }>(object: T | null, uid: string): T | null {
  return object?.metadata.uid === uid ? object : null;
}
