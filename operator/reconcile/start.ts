import type { Timers } from '../../sdk/client/timers';
import { isFault } from '../../sdk/client/errors';
import { certificateController } from './certificates/controller';
import { claimController } from './claim/controller';
import { keepClock } from './clock';
import type { Context } from './context';
import { backOff, LONGEST_CONFLICT_MS } from './engine/back-off';
import { converge, type Controller } from './engine/converge';
import { WorkQueue, type Again } from './engine/queue';
import { cachedView, liveView } from './engine/view';
import { instanceController } from './instance/controller';
import { leaseController } from './lease/controller';
import { nodeController } from './node/controller';
import { classController } from './node/class-controller';
import { replayIntents } from './replay';
import { routes, type QueueName } from './routes';
import { startWatches } from './watches';
import type { Instant } from '../../sdk/rules/instant';

const WORKERS = 4;

type Look = (key: string, due: Instant | undefined) => Promise<Again | undefined>;

function looks(context: Context): Readonly<Record<QueueName | 'replay', Look>> {
  const views = { cached: cachedView(context.plane, context.stores), live: liveView(context.plane) };
  const look = <F extends { readonly now: Instant }, S>(controller: Controller<F, S>): Look => (key, due) => converge(controller, views, key, due);
  return {
    lease: look(leaseController(context)), group: look(instanceController(context)), claim: look(claimController(context)),
    node: look(nodeController(context)), class: look(classController(context)), certificate: look(certificateController(context)),
    replay: async () => void (await replayIntents(context)),
  };
}

function report({ log }: Context, key: string, error: unknown, retryIn: number): void {
  // A lost race (another writer, an object deleted meanwhile) is how writers take turns; one that is lost for seconds is a fault.
  if (isFault(error, 'Conflict', 'AlreadyExists', 'NotFound') && retryIn < LONGEST_CONFLICT_MS) return;
  log.error({ err: error, key, retryIn }, 'an object could not be reconciled; it is tried again');
}

/** Told of each look when it has ended, for metrics. */
export type Observe = (queue: string, seconds: number, failed: boolean) => void;

async function timed<T>(observe: Observe, queue: string, look: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let failed = true;
  try {
    const result = await look();
    failed = false;
    return result;
  } finally {
    observe(queue, (performance.now() - start) / 1000, failed);
  }
}

export interface Reconcilers {
  /** Resolves when the first lists have arrived. */
  readonly ready: Promise<void>;
  /** How many keys wait for a worker. */
  waiting(): number;
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** Runs all reconcilers until stopped. */
export function startReconcilers(context: Context, timers: Timers, observe: Observe = () => undefined): Reconcilers {
  const byQueue = looks(context);
  const queue = new WorkQueue({
    timers, workers: WORKERS, backOff,
    reconcile: (key, due) => {
      const colon = key.indexOf(':');
      const name = key.slice(0, colon) as QueueName | 'replay';
      return timed(observe, name, () => byQueue[name](key.slice(colon + 1), due));
    },
    onError: (key, error, retryIn) => report(context, key, error, retryIn),
  });
  context.stores.doubts.onChange = (serial) => routes.doubt(context.stores, serial).forEach((key) => queue.add(key));
  const stopClock = keepClock(context.plane, timers, context.log);
  const watches = startWatches(context, (key) => queue.add(key));
  return {
    ready: watches.ready.then(() => queue.add('replay:intents')),
    waiting: () => queue.waiting,
    stop: async () => {
      watches.stop();
      await Promise.all([stopClock(), queue.stop()]);
    },
  };
}
