import type { KubeObject } from '../../../sdk/api/object';

/** `namespace/name`, or the name of a cluster-scoped object. */
export function keyOf({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}

type Index<T> = (object: T) => string | undefined;

/** The last synced objects of one kind, with named groupings. */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #groups = new Map<string, Map<string, Map<string, T>>>();

  constructor(private readonly indexes: Readonly<Record<string, Index<T>>> = {}) {
    for (const name of Object.keys(indexes)) this.#groups.set(name, new Map());
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): T[] {
    return [...this.#objects.values()];
  }

  /** Objects whose index has the value. */
  by(index: string, value: string): T[] {
    return [...(this.#groups.get(index)?.get(value)?.values() ?? [])];
  }

  put(object: T): void {
    const key = keyOf(object);
    this.delete(key);
    this.#objects.set(key, object);
    for (const [name, indexed] of Object.entries(this.indexes)) {
      const value = indexed(object);
      if (value !== undefined) this.#group(name, value).set(key, object);
    }
  }

  delete(key: string): void {
    const old = this.#objects.get(key);
    if (old === undefined) return;
    this.#objects.delete(key);
    for (const [name, indexed] of Object.entries(this.indexes)) this.#ungroup(name, indexed(old), key);
  }

  #ungroup(name: string, value: string | undefined, key: string): void {
    if (value === undefined) return;
    const group = this.#groups.get(name)?.get(value);
    group?.delete(key);
    if (group?.size === 0) this.#groups.get(name)?.delete(value);
  }

  #group(name: string, value: string): Map<string, T> {
    const groups = this.#groups.get(name) ?? new Map<string, Map<string, T>>();
    const group = groups.get(value) ?? new Map<string, T>();
    groups.set(value, group);
    this.#groups.set(name, groups);
    return group;
  }
}
