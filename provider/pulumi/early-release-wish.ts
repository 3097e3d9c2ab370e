import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { PlaneError } from '../../sdk/client/errors';
import type { OnEarlyRelease } from '../../sdk/rules/judge-release';
import { ofUid } from '../core/lease-keep';
import { compareAndSwap, preconditionsOf } from '../core/swap';

/**
 * What was applied as `onEarlyRelease`, as the lease itself repeats it. The state is what counts; but a program sees the state of a lease
 * only when that one is deleted, and must not call a release refused that the state permits.
 */
export function wishOn({ metadata }: MacNodeLease): OnEarlyRelease {
  return metadata.annotations?.[Annotation.OnEarlyRelease] === 'hold' ? 'hold' : 'refuse';
}

/** Repeats the wish on the lease, unless it is there. A control plane that refuses takes nothing from the lease: only a message rests on it. */
export async function noteWish(plane: ControlPlane, known: MacNodeLease, wish: OnEarlyRelease): Promise<void> {
  if (wishOn(known) === wish) return;
  const { namespace = '', name, uid } = known.metadata;
  const named = { namespace, name };
  const annotations = { [Annotation.OnEarlyRelease]: wish === 'hold' ? wish : null };
  try {
    await compareAndSwap(
      async () => ofUid(await plane.tryGet(Kinds.MacNodeLease, named), uid),
      (lease) => (wishOn(lease) === wish ? undefined : plane.patch(Kinds.MacNodeLease, named, { metadata: { annotations } }, { preconditions: preconditionsOf(lease) })),
    );
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error;
  }
}
