import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { PlaneError } from '../../sdk/client/errors';
import type { OnEarlyRelease } from '../../sdk/rules/judge-release';

/**
 * What was applied as `onEarlyRelease`, as the lease itself repeats it. The state is what counts; but a program sees the state of a lease
 * only when that one is deleted, and must not call a release refused that the state permits.
 */
export function wishOn({ metadata }: MacNodeLease): OnEarlyRelease {
  return metadata.annotations?.[Annotation.OnEarlyRelease] === 'hold' ? 'hold' : 'refuse';
}

/** Repeats the wish on the lease, unless it is there. A control plane that refuses takes nothing from the lease: only a message rests on it. */
export async function noteWish(plane: ControlPlane, lease: MacNodeLease, wish: OnEarlyRelease): Promise<void> {
  if (wishOn(lease) === wish) return;
  const { namespace = '', name, uid } = lease.metadata;
  const annotations = { [Annotation.OnEarlyRelease]: wish === 'hold' ? wish : null };
  try {
    await plane.patch(Kinds.MacNodeLease, { namespace, name }, { metadata: { annotations } }, { preconditions: { uid } });
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error;
  }
}
