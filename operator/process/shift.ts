import type { Context } from '../reconcile/context';
import { Stores } from '../reconcile/engine/stores';
import { startReconcilers, type Observe, type Reconcilers } from '../reconcile/start';
import type { Timers } from '../../sdk/client/timers';

/** The reconcilers of a leader, with what they watch. */
export interface LeaderShift {
  readonly stores: Stores;
  /** False until the first lists have arrived: half a view is no view. */
  isSynced(): boolean;
  waiting(): number;
  stop(): Promise<void>;
}

/** Begins with empty stores each time: what was seen in an earlier leadership is old. */
export function beginShift(context: Omit<Context, 'stores'>, timers: Timers, observe: Observe): LeaderShift {
  const stores = new Stores();
  const reconcilers: Reconcilers = startReconcilers({ ...context, stores }, timers, observe);
  let synced = false;
  void reconcilers.ready.then(() => { synced = true; });
  return { stores, isSynced: () => synced, waiting: () => reconcilers.waiting(), stop: () => reconcilers.stop() };
}
