import type { Kind, KubeObject } from '../../../api/object';
import type { Selection, WatchHandlers, Watching } from '../../control-plane';
import type { PlaneError } from '../../errors';
import { wired, type Change, type ObjectStore } from './object-store';
import { selects } from './selects';

interface Follower {
  readonly matches: (object: KubeObject) => boolean;
  readonly handlers: WatchHandlers<KubeObject>;
  /** Why the server does not let it list; undefined if it does. */
  readonly refused: () => PlaneError | undefined;
  isSynced: boolean;
}

/** What a change is to one that sees a selection only: an object may enter it and leave it. */
function seenAs({ matches }: Follower, { from, to }: Change): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined {
  const [was, is] = [from !== undefined && matches(from), to !== undefined && matches(to)];
  if (is) return was ? 'MODIFIED' : 'ADDED';
  return was ? 'DELETED' : undefined;
}

/** The watches: first the whole set, then every change in the order in which it was stored, each later than the write that made it. */
export class Followers {
  readonly #all = new Set<Follower>();

  follow(kind: Kind, selection: Selection, handlers: WatchHandlers<KubeObject>, store: ObjectStore, refused: Follower['refused']): Watching {
    const follower: Follower = { matches: selects(kind, selection), handlers, refused, isSynced: false };
    this.#all.add(follower);
    this.#syncSoon(follower, store);
    return { isSynced: () => follower.isSynced, stop: () => this.#end(follower) };
  }

  tell(change: Change): void {
    for (const follower of this.#all) {
      const type = follower.isSynced ? seenAs(follower, change) : undefined;
      if (type !== undefined) setImmediate(() => follower.isSynced && follower.handlers.onChange(type, wired((change.to ?? change.from) as KubeObject)));
    }
  }

  /** The server is gone: what happens from now on is seen in the list after its return. */
  interrupt(error: PlaneError): void {
    for (const follower of this.#all) {
      if (follower.isSynced) follower.handlers.onFault?.(error);
      follower.isSynced = false;
    }
  }

  resume(store: ObjectStore): void {
    for (const follower of this.#all) this.#syncSoon(follower, store);
  }

  stop(): void {
    for (const follower of this.#all) this.#end(follower);
  }

  #end(follower: Follower): void {
    follower.isSynced = false;
    this.#all.delete(follower);
  }

  #syncSoon(follower: Follower, store: ObjectStore): void {
    setImmediate(() => {
      if (!this.#all.has(follower)) return;
      const error = follower.refused();
      follower.isSynced = error === undefined;
      if (error === undefined) follower.handlers.onSync(wired(store.select(follower.matches)));
      else follower.handlers.onFault?.(error);
    });
  }
}
