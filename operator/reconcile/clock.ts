import { CLOCK_NAME, CLOCK_PERIOD_MS, Kinds } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import type { Timers } from '../../sdk/client/timers';
import type { Log } from './context';

const ref = { name: CLOCK_NAME };

/**
 * Makes the Clock anew: its creation stamp is the time that the policies compare with. A second operator doing the same is welcome.
 * While it is missing or old, policies refuse; they never allow too early.
 */
export async function stampClock(plane: ControlPlane): Promise<void> {
  await plane.remove(Kinds.Clock, ref).catch((error: unknown) => {
    if (!isFault(error, 'NotFound')) throw error;
  });
  await plane.create(Kinds.Clock, { metadata: ref, spec: {} }).catch((error: unknown) => {
    if (!isFault(error, 'AlreadyExists')) throw error;
  });
}

/** Stamps the Clock now and every minute. Returns a stop, which resolves when no stamp is being made any more. */
export function keepClock(plane: ControlPlane, timers: Timers, log: Log): () => Promise<void> {
  let stopped = false;
  let cancel: () => void = () => undefined;
  const tick = async (): Promise<void> => {
    await stampClock(plane).catch((error: unknown) => log.error({ err: error }, 'the Clock could not be stamped; until it is, nothing is released'));
    if (!stopped) cancel = timers.after(CLOCK_PERIOD_MS, () => void (ticking = tick()));
  };
  let ticking = tick();
  return () => {
    stopped = true;
    cancel();
    return ticking;
  };
}
