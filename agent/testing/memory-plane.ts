import { randomUUID } from 'node:crypto';
import type { Kind, KubeObject, NewObject } from '../../sdk/api/object';
import type { ControlPlane, Listing, ObjectRef, PatchOptions, RemoveOptions, Selection, WatchHandlers, Watching } from '../../sdk/client/control-plane';
import { PlaneError, type PlaneFault } from '../../sdk/client/errors';

type Anything = Record<string, unknown>;
type Instant = NonNullable<ReturnType<ControlPlane['lastServerTime']>>;
const instant = (at: number): Instant => at as Instant;
interface Watcher { readonly kind: string; readonly matches: (object: KubeObject) => boolean; readonly handlers: WatchHandlers<KubeObject> }

const CODES: Partial<Record<PlaneFault, number>> = { NotFound: 404, Conflict: 409, AlreadyExists: 409 };

function fail(fault: PlaneFault, method: string, path: string): never {
  const code = CODES[fault];
  throw new PlaneError({ fault, method, path, ...(code === undefined ? {} : { code }) }, fault);
}

/** JSON merge patch, RFC 7386. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Anything = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...(target as Anything) } : {};
  for (const [key, value] of Object.entries(patch as Anything)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = merge(result[key], value);
  }
  return result;
}

function selects(selection: Selection): (object: KubeObject) => boolean {
  const [path = '', value] = (selection.fieldSelector ?? '').split('=');
  const at = (object: unknown): unknown => path.split('.').reduce((part, key) => (part as Anything | undefined)?.[key], object);
  return (object) => (selection.namespace === undefined || object.metadata.namespace === selection.namespace) && (path === '' || at(object) === value);
}

/** The API for the unit tests of the agent: objects, merge patches, preconditions, watches, and a clock that the test moves. No admission. */
export class MemoryPlane implements ControlPlane {
  readonly endpoint = 'memory';
  readonly namespace = 'default';
  /** Milliseconds since the epoch. */
  time = Date.UTC(2026, 0, 1);
  /** While set, every request fails with it. */
  down: PlaneFault | undefined;
  /** Every write that was stored, in order: `VERB kind name[/status]`. */
  readonly writes: string[] = [];
  readonly #objects = new Map<string, KubeObject>();
  readonly #watchers = new Set<Watcher>();
  #version = 0;
  #answered = false;

  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    return this.#answer(() => this.#read(kind, ref, 'GET'));
  }

  async tryGet<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null> {
    return this.#answer(() => (this.#objects.get(keyOf(kind, ref)) as T | undefined) ?? null);
  }

  list<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): Promise<Listing<T>> {
    return this.#answer(() => ({ items: this.#all(kind, selection), resourceVersion: String(this.#version) }));
  }

  watch<T extends KubeObject>(kind: Kind<T>, selection: Selection, handlers: WatchHandlers<T>): Watching {
    let isSynced = false;
    const watcher: Watcher = { kind: kind.kind, matches: selects(selection), handlers: handlers as unknown as WatchHandlers<KubeObject> };
    queueMicrotask(() => {
      isSynced = true;
      this.#watchers.add(watcher);
      handlers.onSync(this.#all(kind, selection));
    });
    return { isSynced: () => isSynced && this.down === undefined, stop: () => void this.#watchers.delete(watcher) };
  }

  create<T extends KubeObject>(kind: Kind<T>, object: NewObject): Promise<T> {
    return this.#answer(() => {
      const key = keyOf(kind, object.metadata);
      if (this.#objects.has(key)) fail('AlreadyExists', 'POST', key);
      const metadata = { ...object.metadata, uid: randomUUID(), resourceVersion: '0', creationTimestamp: new Date(this.time).toISOString() };
      return this.#store('POST', key, { spec: {}, ...object, apiVersion: kind.version, kind: kind.kind, metadata }, 'ADDED') as T;
    });
  }

  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object, options: PatchOptions = {}): Promise<T> {
    return this.#answer(() => {
      const old = this.#read(kind, ref, 'PATCH');
      this.#check(old, options.preconditions, 'PATCH');
      const allowed = options.subresource === 'status' ? { status: (patch as Anything).status } : { ...patch, status: undefined };
      const verb = options.subresource === 'status' ? 'STATUS' : 'PATCH';
      return this.#store(verb, keyOf(kind, ref), merge(old, allowed) as KubeObject, 'MODIFIED') as T;
    });
  }

  /** A pod that is bound gets a deletionTimestamp first, as on the server; grace 0 removes it. */
  remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options: RemoveOptions = {}): Promise<void> {
    return this.#answer(() => {
      const key = keyOf(kind, ref);
      const old = this.#read(kind, ref, 'DELETE');
      this.#check(old, options.preconditions, 'DELETE');
      if (kind.kind === 'Pod' && options.gracePeriodSeconds !== 0) {
        this.#store('DELETE', key, { ...old, metadata: { ...old.metadata, deletionTimestamp: new Date(this.time).toISOString() } }, 'MODIFIED');
        return;
      }
      this.#objects.delete(key);
      this.writes.push(`DELETE ${key}`);
      this.#tell('DELETED', old);
    });
  }

  serverTime(): Promise<Instant> {
    return this.#answer(() => instant(this.time));
  }

  lastServerTime(): Instant | undefined {
    return this.#answered ? instant(this.time) : undefined;
  }

  close(): void {
    this.#watchers.clear();
  }

  // Answers come later than the call, as over a network.
  async #answer<R>(work: () => R): Promise<R> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.down !== undefined) fail(this.down, 'ANY', this.endpoint);
    this.#answered = true;
    return structuredClone(work());
  }

  #read<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, method: string): T {
    const key = keyOf(kind, ref);
    return (this.#objects.get(key) as T | undefined) ?? fail('NotFound', method, key);
  }

  #check(old: KubeObject, wanted: PatchOptions['preconditions'], method: string): void {
    const { uid, resourceVersion } = old.metadata;
    if ((wanted?.uid ?? uid) !== uid || (wanted?.resourceVersion ?? resourceVersion) !== resourceVersion) fail('Conflict', method, old.metadata.name);
  }

  #all<T extends KubeObject>(kind: Kind<T>, selection: Selection): T[] {
    const matches = selects(selection);
    return [...this.#objects.values()].filter((object) => object.kind === kind.kind && matches(object)).map((object) => structuredClone(object) as T);
  }

  #store(verb: string, key: string, object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.set(key, stored);
    this.writes.push(`${verb} ${key}`);
    this.#tell(type, stored);
    return stored;
  }

  #tell(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void {
    for (const watcher of [...this.#watchers]) {
      if (watcher.kind === object.kind && watcher.matches(object)) watcher.handlers.onChange(type, structuredClone(object));
    }
  }
}

function keyOf(kind: Kind, ref: ObjectRef): string {
  return [kind.kind, ...(ref.namespace === undefined ? [] : [ref.namespace]), ref.name].join(' ');
}
