import { randomUUID } from 'node:crypto';
import type { Kind, KubeObject, NewObject, ObjectMeta } from '../../sdk/api/object';
import type { ControlPlane, Listing, ObjectRef, PatchOptions, Preconditions, RemoveOptions, Selection, WatchHandlers, Watching } from '../../sdk/client/control-plane';
import { PlaneError, type PlaneFault } from '../../sdk/client/errors';
import type { Timers } from '../../sdk/client/timers';
import { formatInstant, instant, type Instant } from '../../sdk/rules/instant';
import { mergePatch, selects } from './merge-patch';

interface Follower { readonly plural: string; readonly matches: (object: KubeObject) => boolean; readonly handlers: WatchHandlers<KubeObject> }
interface Alarm { readonly at: number; readonly ring: () => void }

const CODES: Partial<Record<PlaneFault, number>> = { NotFound: 404, Conflict: 409, AlreadyExists: 409, Unavailable: 503 };

function fail(fault: PlaneFault, method: string, path: string): never {
  const code = CODES[fault];
  throw new PlaneError({ fault, method, path, ...(code === undefined ? {} : { code }) }, fault);
}

const keyOf = (kind: Kind, { namespace, name }: ObjectRef): string => `${kind.plural}/${namespace ?? ''}/${name}`;

/**
 * An API server in memory for the unit tests of the operator: optimistic concurrency, status as a subresource, finalizers, watches, and a clock
 * that a test moves, with timers that follow it. No schema, no admission, no rights: those are tested on the development plane.
 */
export class MemoryPlane implements ControlPlane, Timers {
  readonly endpoint = 'memory';
  readonly namespace = 'default';
  /** Every request that reached the server, as `VERB plural name`. */
  readonly requests: string[] = [];
  /** Set to make every request fail. */
  down = false;
  #now: number;
  #version = 0;
  #answered = false;
  readonly #objects = new Map<string, KubeObject>();
  readonly #followers = new Set<Follower>();
  readonly #alarms = new Set<Alarm>();

  constructor(now: Instant) {
    this.#now = now;
  }

  get now(): Instant {
    return instant(this.#now);
  }

  after(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, ring: callback };
    this.#alarms.add(alarm);
    // Short waits are the back-off of the code under test; they pass by themselves, so that a test need not know of them.
    const real = milliseconds <= 1_000 ? setTimeout(() => this.#ring(alarm), milliseconds) : undefined;
    return () => {
      this.#alarms.delete(alarm);
      clearTimeout(real);
    };
  }

  /** Moves the clock and rings what has come due, the earliest first. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    [...this.#alarms].filter((a) => a.at <= this.#now).sort((a, b) => a.at - b.at).forEach((a) => this.#ring(a));
  }

  async get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    return (await this.tryGet(kind, ref)) ?? fail('NotFound', 'GET', keyOf(kind, ref));
  }

  async tryGet<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null> {
    await this.#request('GET', kind, ref);
    return structuredClone((this.#objects.get(keyOf(kind, ref)) as T | undefined) ?? null);
  }

  async list<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): Promise<Listing<T>> {
    await this.#request('LIST', kind, { name: '' });
    return { items: this.all(kind, selection), resourceVersion: String(this.#version) };
  }

  watch<T extends KubeObject>(kind: Kind<T>, selection: Selection, handlers: WatchHandlers<T>): Watching {
    const follower = { plural: kind.plural, matches: selects(selection), handlers: handlers as unknown as WatchHandlers<KubeObject> };
    let synced = false;
    setImmediate(() => {
      synced = true;
      this.#answered = true;
      this.#followers.add(follower);
      handlers.onSync(this.all(kind, selection));
    });
    return { isSynced: () => synced, stop: () => void this.#followers.delete(follower) };
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: NewObject): Promise<T> {
    await this.#request('CREATE', kind, object.metadata);
    const key = keyOf(kind, object.metadata);
    if (this.#objects.has(key)) fail('AlreadyExists', 'POST', key);
    const metadata = { ...object.metadata, uid: randomUUID(), resourceVersion: '', generation: 1, creationTimestamp: formatInstant(this.now) };
    return this.#store(kind, { spec: {}, ...object, apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata }, 'ADDED') as T;
  }

  async patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object, options: PatchOptions = {}): Promise<T> {
    await this.#request(options.subresource === undefined ? 'PATCH' : `PATCH-${options.subresource.toUpperCase()}`, kind, ref);
    const old = this.#current(kind, ref, options.preconditions, 'PATCH');
    const merged = mergePatch(old, patch) as KubeObject;
    const next = options.subresource !== undefined ? { ...old, status: merged.status } : { ...merged, status: old.status, metadata: this.#metadata(old, merged) };
    if (next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0) {
      this.#drop(kind, next);
      return structuredClone(next) as T;
    }
    return this.#store(kind, next, 'MODIFIED') as T;
  }

  async remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options: RemoveOptions = {}): Promise<void> {
    await this.#request('DELETE', kind, ref);
    const old = this.#current(kind, ref, options.preconditions, 'DELETE');
    const graceful = kind.plural === 'pods' && options.gracePeriodSeconds !== 0 && (old.spec as { nodeName?: string }).nodeName !== undefined && !['Failed', 'Succeeded'].includes((old.status as { phase?: string } | undefined)?.phase ?? '');
    if (!graceful && (old.metadata.finalizers ?? []).length === 0) return this.#drop(kind, old);
    if (old.metadata.deletionTimestamp === undefined) this.#store(kind, { ...old, metadata: { ...old.metadata, deletionTimestamp: formatInstant(this.now) } }, 'MODIFIED');
  }

  async serverTime(): Promise<Instant> {
    await this.#request('TIME', { group: '', version: '', kind: '', plural: '', namespaced: false }, { name: '' });
    return this.lastServerTime() ?? this.now;
  }

  lastServerTime(): Instant | undefined {
    return this.#answered ? instant(Math.floor(this.#now / 1000) * 1000) : undefined;
  }

  close(): void {
    this.#followers.clear();
  }

  /** What is stored, past the requests. */
  all<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): T[] {
    const matches = selects(selection);
    return [...this.#objects].filter(([key, o]) => key.startsWith(`${kind.plural}/`) && matches(o)).map(([, o]) => structuredClone(o) as T);
  }

  peek<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): T | null {
    return structuredClone((this.#objects.get(keyOf(kind, ref)) as T | undefined) ?? null);
  }

  /** A write past the requests and the rules, as into the store's own files. */
  overwrite<T extends KubeObject>(kind: Kind<T>, object: T): void {
    this.#store(kind, structuredClone(object), 'MODIFIED');
  }

  /** Takes an object away past finalizers, as from the store's own files. */
  erase(kind: Kind, ref: ObjectRef): void {
    const old = this.#objects.get(keyOf(kind, ref));
    if (old !== undefined) this.#drop(kind, old);
  }

  async #request(verb: string, kind: Kind, ref: ObjectRef): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.down) fail('Unreachable', verb, keyOf(kind, ref));
    this.#answered = true;
    this.requests.push(`${verb} ${kind.plural} ${ref.name}`);
  }

  #ring(alarm: Alarm): void {
    if (this.#alarms.delete(alarm)) alarm.ring();
  }

  #current(kind: Kind, ref: ObjectRef, preconditions: Preconditions | undefined, method: string): KubeObject {
    const old = this.#objects.get(keyOf(kind, ref)) ?? fail('NotFound', method, keyOf(kind, ref));
    const { uid, resourceVersion } = old.metadata;
    if ((preconditions?.uid ?? uid) !== uid || (preconditions?.resourceVersion ?? resourceVersion) !== resourceVersion) fail('Conflict', method, keyOf(kind, ref));
    return old;
  }

  #metadata(old: KubeObject, merged: KubeObject): ObjectMeta {
    const changed = JSON.stringify(old.spec) !== JSON.stringify(merged.spec);
    const { uid, creationTimestamp, deletionTimestamp, generation = 1 } = old.metadata;
    return { ...merged.metadata, uid, creationTimestamp, generation: changed ? generation + 1 : generation, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
  }

  #store(kind: Kind, object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject {
    const stored = structuredClone({ ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } });
    this.#objects.set(keyOf(kind, stored.metadata), stored);
    this.#tell(kind, type, stored);
    return structuredClone(stored);
  }

  #drop(kind: Kind, object: KubeObject): void {
    this.#version += 1;
    this.#objects.delete(keyOf(kind, object.metadata));
    this.#tell(kind, 'DELETED', object);
  }

  #tell(kind: Kind, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void {
    const told = structuredClone(object);
    for (const follower of this.#followers) if (follower.plural === kind.plural && follower.matches(told)) setImmediate(() => this.#followers.has(follower) && follower.handlers.onChange(type, structuredClone(told)));
  }
}
