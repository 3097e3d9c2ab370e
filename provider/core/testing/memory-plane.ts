import type { Kind, KubeObject, NewObject } from '../../../sdk/api/object';
import type { ControlPlane, Listing, ObjectRef, PatchOptions, RemoveOptions, Selection, WatchHandlers, Watching, WriteOptions } from '../../../sdk/client/control-plane';
import { PlaneError, type PlaneFault } from '../../../sdk/client/errors';
import { formatInstant, instant, type Instant } from '../../../sdk/rules/instant';

type Verb = 'get' | 'list' | 'watch' | 'create' | 'dry-run' | 'patch' | 'remove' | 'time';
type Json = Record<string, unknown>;

interface Watcher {
  readonly plural: string;
  readonly selection: Selection;
  readonly handlers: WatchHandlers<KubeObject>;
}

/** An answer that is not a success. */
export function fault(name: PlaneFault, said: string = name, causes: readonly { reason: string; message: string }[] = []): PlaneError {
  return new PlaneError({ fault: name, method: 'TEST', path: '/test', causes }, said);
}

function merged(target: Json, patch: Json): Json {
  const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.entries(patch).reduce<Json>((result, [key, value]) =>
    ({ ...result, [key]: isObject(value) ? merged(isObject(target[key]) ? target[key] : {}, value) : value }), target);
}

const keyOf = (plural: string, { namespace = '', name }: ObjectRef): string => `${plural} ${namespace}/${name}`;

/** The part of the API that the core uses, in memory. A test plays the operator in `react`, and may refuse any request. */
export class MemoryPlane implements ControlPlane {
  readonly endpoint = 'memory';
  readonly namespace = 'team-a';
  now: Instant = instant(1_795_946_400_000);
  /** Every request, as `verb plural namespace/name`. */
  readonly requests: string[] = [];
  refuse: (verb: Verb, plural: string, ref: ObjectRef) => PlaneError | undefined = () => undefined;
  /** Called after each write that is stored. */
  react: (verb: Verb, object: KubeObject) => void = () => undefined;
  private readonly objects = new Map<string, KubeObject>();
  private readonly watchers = new Set<Watcher>();
  private version = 0;
  private answered: Instant | undefined;

  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    return this.answer('get', kind, ref, () => this.stored(kind, ref));
  }

  tryGet<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null> {
    return this.answer('get', kind, ref, () => (this.objects.get(keyOf(kind.plural, ref)) ?? null) as T | null);
  }

  list<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): Promise<Listing<T>> {
    return this.answer('list', kind, { namespace: selection.namespace ?? '', name: '' }, () => ({ items: this.selected(kind.plural, selection) as T[], resourceVersion: String(this.version) }));
  }

  watch<T extends KubeObject>(kind: Kind<T>, selection: Selection, handlers: WatchHandlers<T>): Watching {
    const watcher = { plural: kind.plural, selection, handlers: handlers as unknown as WatchHandlers<KubeObject> };
    const refused = this.refuse('watch', kind.plural, { namespace: selection.namespace ?? '', name: '' });
    queueMicrotask(() => {
      if (refused !== undefined) return handlers.onFault?.(refused);
      this.watchers.add(watcher);
      handlers.onSync(this.selected(kind.plural, selection) as T[]);
    });
    return { isSynced: () => this.watchers.has(watcher), stop: () => void this.watchers.delete(watcher) };
  }

  create<T extends KubeObject>(kind: Kind<T>, object: NewObject, options: WriteOptions = {}): Promise<T> {
    return this.answer(options.dryRun ? 'dry-run' : 'create', kind, object.metadata, () => {
      if (this.objects.has(keyOf(kind.plural, object.metadata))) throw fault('AlreadyExists');
      const made = { apiVersion: 'macrack.io/v1', kind: kind.kind, ...object, metadata: { ...object.metadata, uid: `uid-${this.version + 1}`, resourceVersion: '', creationTimestamp: formatInstant(this.now), generation: 1 } };
      return (options.dryRun ? made : this.store('create', kind.plural, made as KubeObject)) as T;
    });
  }

  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object, options: PatchOptions = {}): Promise<T> {
    return this.answer('patch', kind, ref, () => {
      const object = this.stored(kind, ref);
      const { uid = object.metadata.uid, resourceVersion = object.metadata.resourceVersion } = options.preconditions ?? {};
      if (uid !== object.metadata.uid || resourceVersion !== object.metadata.resourceVersion) throw fault('Conflict');
      return this.store('patch', kind.plural, merged(object as unknown as Json, patch as Json) as unknown as KubeObject) as T;
    });
  }

  remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options: RemoveOptions = {}): Promise<void> {
    return this.answer('remove', kind, ref, () => {
      const object = this.stored(kind, ref);
      if (options.preconditions?.uid !== undefined && options.preconditions.uid !== object.metadata.uid) throw fault('Conflict');
      this.drop(kind.plural, ref);
    });
  }

  serverTime(): Promise<Instant> {
    return this.answer('time', { plural: 'time' } as Kind, { name: '' }, () => this.now);
  }

  lastServerTime(): Instant | undefined {
    return this.answered;
  }

  close(): void {
    this.watchers.clear();
  }

  /** Stores an object, past `refuse` and `react`. */
  put<T extends KubeObject>(plural: string, object: T): T {
    return this.store('patch', plural, object, false) as T;
  }

  /** Changes a stored object as the operator would. */
  change<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, edit: (object: T) => T): T {
    return this.put(kind.plural, edit(this.stored(kind, ref)));
  }

  peek<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): T | undefined {
    return this.objects.get(keyOf(kind.plural, ref)) as T | undefined;
  }

  drop(plural: string, ref: ObjectRef): void {
    const object = this.objects.get(keyOf(plural, ref));
    this.objects.delete(keyOf(plural, ref));
    if (object !== undefined) this.tell(plural, 'DELETED', object);
  }

  private async answer<R>(verb: Verb, kind: Kind, ref: ObjectRef, act: () => R): Promise<R> {
    this.requests.push(`${verb} ${kind.plural} ${ref.namespace ?? ''}/${ref.name}`);
    await Promise.resolve();
    const refused = this.refuse(verb, kind.plural, ref);
    if (refused !== undefined) throw refused;
    this.answered = this.now;
    return act();
  }

  private stored<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): T {
    const object = this.objects.get(keyOf(kind.plural, ref));
    if (object === undefined) throw fault('NotFound');
    return object as T;
  }

  private store(verb: Verb, plural: string, object: KubeObject, reacts = true): KubeObject {
    this.version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } };
    const key = keyOf(plural, stored.metadata);
    const type = this.objects.has(key) ? 'MODIFIED' : 'ADDED';
    this.objects.set(key, stored);
    this.tell(plural, type, stored);
    if (reacts) this.react(verb, stored);
    return stored;
  }

  private selected(plural: string, { namespace, fieldSelector }: Selection): KubeObject[] {
    const name = fieldSelector?.replace('metadata.name=', '');
    return [...this.objects].filter(([key, { metadata }]) => key.startsWith(`${plural} `)
      && (namespace === undefined || metadata.namespace === namespace) && (name === undefined || metadata.name === name)).map(([, object]) => object);
  }

  private tell(plural: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void {
    for (const { plural: of, selection, handlers } of [...this.watchers]) {
      const name = selection.fieldSelector?.replace('metadata.name=', '');
      const isSelected = of === plural && (selection.namespace === undefined || selection.namespace === object.metadata.namespace) && (name === undefined || name === object.metadata.name);
      if (isSelected) handlers.onChange(type, object);
    }
  }
}
