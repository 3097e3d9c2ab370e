import { isDeepStrictEqual } from 'node:util';
import type { Kind, KubeObject, NewObject } from '../../../api/object';
import { instant, parseInstant, type Instant } from '../../../rules/instant';
import type { ControlPlane, Listing, ObjectRef, PatchOptions, Preconditions, RemoveOptions, Selection, WatchHandlers, Watching, WriteOptions } from '../../control-plane';
import type { PlaneError, PlaneFault } from '../../errors';
import { collectionPath, objectPath } from '../../resource-path';
import { fault } from './fault';
import { Followers } from './followers';
import { hasNewFinalizer, isFinished, isStale, newObject, patchedObject, terminating } from './object-life';
import { ObjectStore, wired } from './object-store';
import { PlaneClock } from './plane-clock';
import { selects } from './selects';

/** What a request asks for. A dry run of any write is a `dry-run`. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'patch' | 'patch-status' | 'patch-approval' | 'remove' | 'dry-run' | 'time';

/** A request on its way, with its address for messages. */
interface Call {
  readonly verb: Verb;
  readonly plural: string;
  readonly ref: ObjectRef;
  readonly method: string;
  readonly path: string;
}

const wholeSecond = (at: Instant): Instant => instant(Math.floor(at / 1000) * 1000);
const verbOf = (verb: Verb, { dryRun }: WriteOptions): Verb => (dryRun ? 'dry-run' : verb);
const everything = ({ namespace = '' }: Selection): ObjectRef => ({ namespace, name: '' });

/**
 * The Kubernetes API in memory, for unit tests: versions and compare-and-swap, status as a subresource, finalizers, the grace of pods, watches, and a
 * clock that the test moves, with timers that follow it. No schema, no admission, no rights, no controllers: those are tested on the development plane.
 */
export class MemoryPlane extends PlaneClock implements ControlPlane {
  readonly endpoint = 'memory';
  /** Every request that reached the server, in order, as `verb plural namespace/name`. */
  readonly requests: string[] = [];
  /** Asked before each request; what it gives is the answer. A watch that is refused stays silent. */
  refuse: (verb: Verb, plural: string, ref: ObjectRef) => PlaneError | undefined = () => undefined;
  /** Called after each write that is stored, before its answer: here a test plays a controller that is quicker than any. */
  react: (verb: Verb, object: KubeObject) => void = () => undefined;
  readonly #followers = new Followers();
  readonly #store = new ObjectStore((change) => this.#followers.tell(change));
  #down: PlaneFault | undefined;
  #answeredAt: Instant | undefined;

  constructor(now: Instant = parseInstant('2026-11-29T10:00:00Z'), readonly namespace = 'team-a') {
    super(now);
  }

  /** While set, no request reaches the server and each fails with it; watches are interrupted. */
  get down(): PlaneFault | undefined {
    return this.#down;
  }

  set down(name: PlaneFault | undefined) {
    this.#down = name;
    if (name === undefined) this.#followers.resume(this.#store);
    else this.#followers.interrupt(fault(name));
  }

  /** The requests that change something. */
  get writes(): string[] {
    return this.requests.filter((request) => /^(create|patch|remove)/.test(request));
  }

  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    return this.#ask<T>('get', kind, ref, 'GET', (call) => this.#current(kind, call));
  }

  tryGet<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null> {
    return this.#ask<T | null>('get', kind, ref, 'GET', () => this.#store.find(kind, ref) ?? null);
  }

  async list<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): Promise<Listing<T>> {
    const call = { verb: 'list', plural: kind.plural, ref: everything(selection), method: 'GET', path: collectionPath(kind, selection.namespace, 'GET') } as const;
    return this.#answer<Listing<T>>(call, () => ({ items: this.#store.select(selects(kind, selection)), resourceVersion: this.#store.version }));
  }

  watch<T extends KubeObject>(kind: Kind<T>, selection: Selection, handlers: WatchHandlers<T>): Watching {
    const refused = (): PlaneError | undefined => (this.#down === undefined ? this.refuse('watch', kind.plural, everything(selection)) : fault(this.#down));
    return this.#followers.follow(kind, selection, handlers as unknown as WatchHandlers<KubeObject>, this.#store, refused);
  }

  create<T extends KubeObject>(kind: Kind<T>, object: NewObject, options: WriteOptions = {}): Promise<T> {
    return this.#ask<T>(verbOf('create', options), kind, object.metadata, 'POST', (call) => {
      if (this.#store.find(kind, call.ref) !== undefined) throw fault('AlreadyExists', `${call.plural} "${call.ref.name}" already exists`, [], call);
      return this.#save(call, newObject(kind, object, this.now));
    });
  }

  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object, options: PatchOptions = {}): Promise<T> {
    const { subresource, preconditions } = options;
    return this.#ask<T>(verbOf(subresource === undefined ? 'patch' : `patch-${subresource}`, options), kind, ref, 'PATCH', (call) => {
      const old = this.#current(kind, call, { ...(patch as { metadata?: Preconditions }).metadata, ...preconditions });
      const next = patchedObject(old, patch, subresource);
      if (hasNewFinalizer(old, next)) throw fault('Invalid', 'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted', [], call);
      return isDeepStrictEqual(next, old) ? old : this.#save(call, next);
    });
  }

  remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options: RemoveOptions = {}): Promise<void> {
    return this.#ask<void>(verbOf('remove', options), kind, ref, 'DELETE', (call) => {
      const old = this.#current(kind, call, options.preconditions);
      const next = terminating(old, this.now, options.gracePeriodSeconds);
      if (!isFinished(next)) return void (next === old || this.#save(call, next));
      if (call.verb !== 'dry-run') this.#store.delete(old);
    });
  }

  serverTime(): Promise<Instant> {
    return this.#answer<Instant>({ verb: 'time', plural: 'time', ref: { name: '' }, method: 'GET', path: '/version' }, () => wholeSecond(this.now));
  }

  lastServerTime(): Instant | undefined {
    return this.#answeredAt;
  }

  close(): void {
    this.#followers.stop();
  }

  /** What is stored, past the requests. */
  all<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): T[] {
    return wired(this.#store.select(selects(kind, selection))) as T[];
  }

  peek<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): T | null {
    return wired(this.#store.find(kind, ref) ?? null) as T | null;
  }

  /** A write past the requests and the rules, as into the store's own files. */
  put<T extends KubeObject>(object: T): T {
    return wired(this.#store.put(object)) as T;
  }

  /** Changes a stored object past the rules, as a controller with every right would. */
  change<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, edit: (object: T) => T): T {
    const found = this.peek(kind, ref);
    if (found === null) throw new Error(`there is no ${kind.kind} ${ref.name} to change`);
    return this.put(edit(found));
  }

  /** Takes an object away past finalizers, as from the store's own files. */
  erase(kind: Kind, ref: ObjectRef): void {
    const found = this.#store.find(kind, ref);
    if (found !== undefined) this.#store.delete(found);
  }

  async #ask<R>(verb: Verb, kind: Kind, ref: ObjectRef, method: string, act: (call: Call) => unknown): Promise<R> {
    return this.#answer<R>({ verb, plural: kind.plural, ref, method, path: objectPath(kind, ref, method) }, act);
  }

  async #answer<R>(call: Call, act: (call: Call) => unknown): Promise<R> {
    // Later than the call, as over a network.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#down !== undefined) throw fault(this.#down, this.#down, [], call);
    this.requests.push(`${call.verb} ${call.plural} ${call.ref.namespace ?? ''}/${call.ref.name}`);
    const refused = this.refuse(call.verb, call.plural, call.ref);
    if (refused !== undefined) throw refused;
    this.#answeredAt = wholeSecond(this.now);
    return wired(act(call)) as R;
  }

  #current(kind: Kind, call: Call, preconditions: Preconditions = {}): KubeObject {
    const found = this.#store.find(kind, call.ref);
    if (found === undefined) throw fault('NotFound', `${call.plural} "${call.ref.name}" not found`, [], call);
    if (isStale(found, preconditions)) throw fault('Conflict', `${call.plural} "${call.ref.name}" has been modified or is another one`, [], call);
    return found;
  }

  #save({ verb }: Call, next: KubeObject): KubeObject {
    if (verb === 'dry-run') return next;
    if (isFinished(next)) return this.#store.delete(next);
    const stored = this.#store.put(next);
    this.react(verb, stored);
    return stored;
  }
}
