import type { Kind } from '../api/object';
import type { ControlPlane, ObjectRef, PatchOptions, Watching, WriteOptions } from './control-plane';

/** One write that passes the port. Dry runs are none. */
export interface Write {
  /** Counts from 1 over the life of the decorated port. */
  readonly number: number;
  readonly verb: 'create' | 'patch' | 'remove';
  /** Name of the kind, for example `MacNodeLease`. */
  readonly kind: string;
  readonly ref: ObjectRef;
  readonly subresource?: 'status' | 'approval';
}

/** What throws here is the end of the process: `before` prevents the write, after `after` it has happened and nobody heard. */
export interface WriteHooks {
  before?(write: Write): void;
  after?(write: Write): void;
}

export interface RecordingControlPlane extends ControlPlane {
  readonly writes: readonly Write[];
}

class Lifeline {
  readonly writes: Write[] = [];
  readonly watches = new Set<Watching>();
  #death: { readonly error: unknown } | undefined;

  constructor(readonly hooks: WriteHooks) {}

  check(): void {
    if (this.#death !== undefined) throw this.#death.error;
  }

  // A call that was under way when the process died does not come back either.
  async live<T>(call: () => Promise<T>): Promise<T> {
    this.check();
    try {
      return await call();
    } finally {
      this.check();
    }
  }

  async write<T>(options: WriteOptions | undefined, facts: Omit<Write, 'number'>, call: () => Promise<T>): Promise<T> {
    if (options?.dryRun) return this.live(call);
    this.check();
    const write: Write = { number: this.writes.length + 1, ...facts };
    this.writes.push(write);
    this.#run(() => this.hooks.before?.(write));
    const result = await this.live(call);
    this.#run(() => this.hooks.after?.(write));
    return result;
  }

  #run(hook: () => void): void {
    try {
      hook();
    } catch (error) {
      this.#death ??= { error };
      for (const watching of this.watches) watching.stop();
      throw error;
    }
  }
}

/**
 * The port, with every write counted and a way to die at exactly one of them: once a hook has thrown,
 * every call rejects with the same error and watches are silent, as after a kill -9.
 */
export function recordingControlPlane(inner: ControlPlane, hooks: WriteHooks = {}): RecordingControlPlane {
  const line = new Lifeline(hooks);
  const facts = (verb: Write['verb'], kind: Kind, ref: ObjectRef, options?: PatchOptions): Omit<Write, 'number'> => ({ verb, kind: kind.kind, ref, ...(options?.subresource && { subresource: options.subresource }) });
  return {
    endpoint: inner.endpoint,
    namespace: inner.namespace,
    writes: line.writes,
    get: (kind, ref) => line.live(() => inner.get(kind, ref)),
    tryGet: (kind, ref) => line.live(() => inner.tryGet(kind, ref)),
    list: (kind, selection) => line.live(() => inner.list(kind, selection)),
    serverTime: () => line.live(() => inner.serverTime()),
    lastServerTime: () => inner.lastServerTime(),
    create: (kind, object, options) => line.write(options, facts('create', kind, refOf(object.metadata)), () => inner.create(kind, object, options)),
    patch: (kind, ref, patch, options) => line.write(options, facts('patch', kind, ref, options), () => inner.patch(kind, ref, patch, options)),
    remove: (kind, ref, options) => line.write(options, facts('remove', kind, ref), () => inner.remove(kind, ref, options)),
    watch: (kind, selection, handlers) => {
      line.check();
      const watching = inner.watch(kind, selection, handlers);
      line.watches.add(watching);
      return watching;
    },
    close: () => inner.close(),
  };
}

function refOf({ name, namespace }: ObjectRef): ObjectRef {
  return { name, ...(namespace !== undefined && { namespace }) };
}
