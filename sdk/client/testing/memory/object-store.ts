import type { Kind, KubeObject } from '../../../api/object';
import type { ObjectRef } from '../../control-plane';

/** A change of one object, from nothing or to nothing at its ends. */
export interface Change {
  readonly from?: KubeObject | undefined;
  readonly to?: KubeObject;
}

/** What travels between client and server: no undefined members, and nothing shared. */
export function wired<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

const keyOf = (kind: string, namespace: string | undefined, name: string): string => `${kind} ${namespace ?? ''}/${name}`;
const keyOfObject = ({ kind, metadata: { namespace, name } }: KubeObject): string => keyOf(kind, namespace, name);

/** The objects, each with the version of its last change. It hands out what it holds: callers copy. */
export class ObjectStore {
  #version = 0;
  readonly #objects = new Map<string, KubeObject>();

  constructor(private readonly onChange: (change: Change) => void) {}

  get version(): string {
    return String(this.#version);
  }

  find(kind: Kind, { namespace, name }: ObjectRef): KubeObject | undefined {
    return this.#objects.get(keyOf(kind.kind, kind.namespaced ? namespace : undefined, name));
  }

  /** In the order of their names, as a server lists them. */
  select(matches: (object: KubeObject) => boolean): KubeObject[] {
    return [...this.#objects].filter(([, object]) => matches(object)).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  put(object: KubeObject): KubeObject {
    const to = this.#next(object);
    const from = this.#objects.get(keyOfObject(to));
    this.#objects.set(keyOfObject(to), to);
    this.onChange({ from, to });
    return to;
  }

  /** @param last what the object was when it went */
  delete(last: KubeObject): KubeObject {
    const from = this.#next(last);
    this.#objects.delete(keyOfObject(last));
    this.onChange({ from });
    return from;
  }

  #next(object: KubeObject): KubeObject {
    this.#version += 1;
    return wired({ ...object, metadata: { ...object.metadata, resourceVersion: this.version } });
  }
}
