import { Kinds, type Kind, type KubeObject, type MacOSInstance, type Namespace } from '../../../sdk/api';
import type { ControlPlane, ObjectRef } from '../../../sdk/client/control-plane';
import { instant, type Instant } from '../../../sdk/rules/instant';
import type { Stores } from './stores';

/**
 * Where facts come from. The cached view costs no request and may lag; the live one asks the server.
 * A reconciler first decides on the cached view, and decides again on the live one before a step that cannot be taken back.
 */
export interface View {
  readonly live: boolean;
  now(): Promise<Instant>;
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null>;
  /** Instances of a lease, by namespace and lease name. */
  instancesOf(namespace: string, lease: string): Promise<readonly MacOSInstance[]>;
  /** UID of a namespace; null when it is gone, undefined when this view does not know. */
  namespaceUID(name: string): Promise<string | null | undefined>;
}

export function liveView(plane: ControlPlane): View {
  return {
    live: true,
    now: () => plane.serverTime(),
    get: (kind, ref) => plane.tryGet(kind, ref),
    instancesOf: async (namespace, lease) => (await plane.list(Kinds.MacOSInstance, { namespace })).items.filter((i) => i.spec.leaseName === lease),
    namespaceUID: async (name) => (await plane.tryGet<Namespace>(Kinds.Namespace, { name }))?.metadata.uid ?? null,
  };
}

/** Its time is a lower bound: the newest of what the server and the agents said. */
export function cachedView(plane: ControlPlane, stores: Stores): View {
  const now = (): Instant => instant(Math.max(plane.lastServerTime() ?? 0, stores.newestReport() ?? 0));
  return {
    live: false,
    now: () => Promise.resolve(now()),
    get: <T extends KubeObject>(kind: Kind<T>, { namespace, name }: ObjectRef) => {
      const store = stores.of(kind.plural) as unknown as { get(key: string): T | undefined };
      return Promise.resolve(store.get(namespace === undefined ? name : `${namespace}/${name}`) ?? null);
    },
    instancesOf: (namespace, lease) => Promise.resolve(stores.instances.by('lease', `${namespace}/${lease}`)),
    namespaceUID: () => Promise.resolve(undefined),
  };
}
