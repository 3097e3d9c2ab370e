import { Kinds, type MacNodeBinding, type MacNodeLease, type MacOSInstance } from '../../../sdk/api/kinds';
import type { Kind, KubeObject } from '../../../sdk/api/object';
import type { ControlPlane, ObjectRef, Watching } from '../../../sdk/client/control-plane';

/** An object as it was seen last. */
export interface Seen<T extends KubeObject> {
  readonly object: T;
  readonly isGone: boolean;
  /** When that was noticed, by the server's time in milliseconds; it was gone by then. */
  readonly goneBy?: number;
}

/** Every claim, lease and instance that there ever was, by UID, as an administrator sees them. */
export class ApiHistory {
  readonly claims = new Map<string, Seen<MacNodeBinding>>();
  readonly leases = new Map<string, Seen<MacNodeLease>>();
  readonly instances = new Map<string, Seen<MacOSInstance>>();
  readonly #watches: Watching[];

  /** @param admin sees everything; closed by the caller. */
  constructor(admin: ControlPlane) {
    this.#watches = [
      follow(admin, Kinds.MacNodeBinding, this.claims), follow(admin, Kinds.MacNodeLease, this.leases), follow(admin, Kinds.MacOSInstance, this.instances),
    ];
  }

  /** What has that name now, as far as was heard; undefined for nothing. */
  lease({ namespace, name }: ObjectRef): MacNodeLease | undefined {
    return present(this.leases, namespace, name);
  }

  instance({ namespace, name }: ObjectRef): MacOSInstance | undefined {
    return present(this.instances, namespace, name);
  }

  stop(): void {
    for (const watch of this.#watches) watch.stop();
  }
}

function present<T extends KubeObject>(seen: ReadonlyMap<string, Seen<T>>, namespace: string | undefined, name: string): T | undefined {
  for (const { object, isGone } of seen.values()) if (!isGone && object.metadata.name === name && object.metadata.namespace === namespace) return object;
  return undefined;
}

function follow<T extends KubeObject>(admin: ControlPlane, kind: Kind<T>, seen: Map<string, Seen<T>>): Watching {
  const note = (object: T, isGone: boolean): void => {
    const goneBy = isGone ? seen.get(object.metadata.uid)?.goneBy ?? admin.lastServerTime() : undefined;
    seen.set(object.metadata.uid, { object, isGone, ...(goneBy !== undefined && { goneBy }) });
  };
  return admin.watch(kind, {}, {
    onSync: (items) => {
      const present = new Set(items.map(({ metadata }) => metadata.uid));
      for (const [uid, { object }] of seen) if (!present.has(uid)) note(object, true);
      for (const item of items) note(item, false);
    },
    onChange: (type, object) => note(object, type === 'DELETED'),
  });
}
