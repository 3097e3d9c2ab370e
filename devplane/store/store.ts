import type { ApiObject } from '../json';
import type { Journal } from './journal';

export interface StoreEvent {
  revision: number;
  key: string;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: ApiObject;
  /** The object before the change: a watch with a selector needs it to see objects enter and leave. */
  old?: ApiObject;
}

const nameKey = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`;

/**
 * All objects, in memory, with one revision counter and a bounded history of changes; a journal keeps the objects, never the history.
 * Invariant: a stored object is never changed in place; every commit replaces it by a new one with a new resourceVersion.
 */
export class Store {
  readonly #objects = new Map<string, Map<string, ApiObject>>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #events: StoreEvent[] = [];
  #revision = 1;
  #compacted = 0;

  constructor(private readonly historyLimit: number, private readonly journal?: Journal) {
    const kept = journal?.load();
    if (!kept) return;
    this.#revision = kept.revision;
    // A watch that began in the life before has to list again.
    this.#compacted = kept.revision;
    for (const { key, object } of kept.objects) this.#of(key).set(nameKey(object.metadata.namespace, object.metadata.name), object);
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: string, namespace: string | undefined, name: string): ApiObject | undefined {
    return this.#objects.get(key)?.get(nameKey(namespace, name));
  }

  /** Sorted by namespace and name, as etcd gives them. */
  list(key: string, namespace?: string): ApiObject[] {
    const all = [...(this.#objects.get(key) ?? [])].filter(([, object]) => namespace === undefined || object.metadata.namespace === namespace);
    return all.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  *everything(): Generator<{ key: string; object: ApiObject }> {
    for (const [key, objects] of this.#objects) for (const object of objects.values()) yield { key, object };
  }

  /**
   * Compare-and-swap: stores `next` (or removes, if undefined) only if the object is still the one that `old` is.
   * @returns the stored object, or for a removal its last state; undefined when another write came between.
   */
  commit(key: string, old: ApiObject | undefined, next: ApiObject | undefined): ApiObject | undefined {
    const subject = next ?? old;
    if (!subject) throw new Error('a commit needs an object');
    const { namespace, name } = subject.metadata;
    if (this.get(key, namespace, name) !== old) return undefined;
    const revision = this.#revision + 1;
    const object = { ...subject, metadata: { ...subject.metadata, resourceVersion: String(revision) } };
    this.journal?.record(revision, key, { name: nameKey(namespace, name), object: next && object });
    this.#revision = revision;
    const objects = this.#of(key);
    if (next) objects.set(nameKey(namespace, name), object);
    else objects.delete(nameKey(namespace, name));
    this.#publish({ revision, key, type: next ? (old ? 'MODIFIED' : 'ADDED') : 'DELETED', object, ...(old && { old }) });
    return object;
  }

  /** Changes after `revision`, or undefined when the history no longer reaches back so far. */
  since(revision: number, key: string): StoreEvent[] | undefined {
    return revision < this.#compacted ? undefined : this.#events.filter((event) => event.revision > revision && event.key === key);
  }

  /** Forgets the history up to now, so that every older watch gets 410. */
  compact(): void {
    this.#events.length = 0;
    this.#compacted = this.#revision;
  }

  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #of(key: string): Map<string, ApiObject> {
    const objects = this.#objects.get(key) ?? new Map<string, ApiObject>();
    this.#objects.set(key, objects);
    return objects;
  }

  #publish(event: StoreEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.historyLimit) this.#compacted = this.#events.shift()?.revision ?? this.#compacted;
    for (const listener of this.#listeners) listener(event);
  }
}
