import { Kinds, Label, type Kind, type KubeObject } from '../../sdk/api';
import type { Selection, Watching } from '../../sdk/client/control-plane';
import type { Context } from './context';
import { keyOf, type ObjectStore } from './engine/store';
import type { Stores } from './engine/stores';
import { routes, type Key } from './routes';

interface Source<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly store: ObjectStore<T>;
  readonly selection: Selection;
  readonly route: (stores: Stores, object: T, other?: T) => Key[];
}

/** One supervised watch a kind. Handlers only update the store and enqueue keys. */
function follow<T extends KubeObject>({ plane, stores, log }: Context, { kind, store, selection, route }: Source<T>, wake: (key: Key) => void, synced: () => void): Watching {
  const wakeAll = (objects: readonly T[]): void => objects.flatMap((o) => route(stores, o)).forEach(wake);
  return plane.watch(kind, selection, {
    onSync: (items) => {
      const now = new Set(items.map(keyOf));
      const gone = store.values().filter((o) => !now.has(keyOf(o)));
      gone.forEach((o) => store.delete(keyOf(o)));
      items.forEach((o) => store.put(o));
      synced();
      wakeAll([...gone, ...items]);
    },
    onChange: (type, object) => {
      const old = store.get(keyOf(object));
      if (type === 'DELETED') store.delete(keyOf(object));
      else store.put(object);
      if (old === undefined || type === 'DELETED') return wakeAll([object]);
      [...route(stores, object, old), ...route(stores, old, object)].forEach(wake);
    },
    onFault: (error) => log.warn({ err: error, kind: kind.kind }, 'a watch was interrupted; it starts again by itself'),
  });
}

export interface Watches {
  /** Resolves when each watch has its first list. Nothing is woken before that: half a view is no view. */
  readonly ready: Promise<void>;
  stop(): void;
}

/** Starts all watches. */
export function startWatches(context: Context, wake: (key: Key) => void): Watches {
  const { stores } = context;
  const early = new Set<Key>();
  let open = false;
  const wakeLater = (key: Key): void => void (open ? wake(key) : early.add(key));
  const start = <T extends KubeObject>(source: Source<T>): { watching: Watching; ready: Promise<void> } => {
    let synced: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (synced = resolve));
    return { watching: follow(context, source, wakeLater, () => synced()), ready };
  };
  const started = [
    start({ kind: Kinds.MacClass, store: stores.classes, selection: {}, route: routes.macClass }),
    start({ kind: Kinds.MacNode, store: stores.macNodes, selection: {}, route: routes.macNode }),
    start({ kind: Kinds.Node, store: stores.nodes, selection: { labelSelector: Label.Serial }, route: routes.node }),
    start({ kind: Kinds.MacNodeBinding, store: stores.claims, selection: {}, route: routes.claim }),
    start({ kind: Kinds.MacNodeLease, store: stores.leases, selection: {}, route: routes.lease }),
    start({ kind: Kinds.MacOSInstance, store: stores.instances, selection: {}, route: routes.instance }),
    start({ kind: Kinds.CertificateSigningRequest, store: stores.certificates, selection: {}, route: routes.certificate }),
    start({ kind: Kinds.Pod, store: stores.pods, selection: { labelSelector: Label.Instance }, route: routes.pod }),
  ];
  const ready = Promise.all(started.map((s) => s.ready)).then(() => {
    open = true;
    early.forEach(wake);
  });
  return { ready, stop: () => started.forEach((s) => s.watching.stop()) };
}
