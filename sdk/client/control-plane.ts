import type { Kind, KubeObject, NewObject } from '../api/object';
import type { Instant } from '../rules/instant';

/** Names one object. `namespace` is left out for cluster-scoped kinds. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

/** What a list or a watch selects; no namespace means all of them. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Options of a write. A dry run passes the whole admission and stores nothing. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Called with each `Warning` header of the answer. */
  readonly onWarning?: (text: string) => void;
}

/** Compare-and-swap: the write is refused with `Conflict` if the object is another one or has moved on. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface PatchOptions extends WriteOptions {
  /** `approval` is of certificate signing requests. */
  readonly subresource?: 'status' | 'approval';
  readonly preconditions?: Preconditions;
}

export interface RemoveOptions extends WriteOptions {
  readonly preconditions?: Preconditions;
  /** Seconds; 0 removes at once. Only pods use it. */
  readonly gracePeriodSeconds?: number;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** What a supervised watch tells. Handlers must be quick and must not throw: enqueue a key and return. */
export interface WatchHandlers<T> {
  /** The whole set, at the start and after every re-list. */
  readonly onSync: (items: readonly T[]) => void;
  readonly onChange: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T) => void;
  /** A fault that the watch recovers from by itself; for logs and metrics. */
  readonly onFault?: (error: unknown) => void;
}

export interface Watching {
  /** True once the first list has arrived and no fault is being recovered from. */
  isSynced(): boolean;
  stop(): void;
}

/**
 * The Kubernetes API as this project uses it. Every method rejects with `PlaneError`; anything else is a bug.
 * Writes are create-by-name or merge patches with preconditions, so that two writers at once are safe.
 */
export interface ControlPlane {
  /** Server URL, for messages. */
  readonly endpoint: string;
  /** Namespace of the kubeconfig context; `default` where it names none. */
  readonly namespace: string;

  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T>;
  /** Like `get`, with null for an object that does not exist (404), and only for that. */
  tryGet<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null>;
  list<T extends KubeObject>(kind: Kind<T>, selection?: Selection): Promise<Listing<T>>;
  watch<T extends KubeObject>(kind: Kind<T>, selection: Selection, handlers: WatchHandlers<T>): Watching;
  create<T extends KubeObject>(kind: Kind<T>, object: NewObject, options?: WriteOptions): Promise<T>;
  /** JSON merge patch (RFC 7386). */
  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object, options?: PatchOptions): Promise<T>;
  /** Deletes; an object that is already gone rejects with `NotFound`. */
  remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: RemoveOptions): Promise<void>;
  /** The API server's time, from the `Date` header of a fresh answer; 1 s resolution, rounded down. */
  serverTime(): Promise<Instant>;
  /** The API server's time as of the newest answer, if there was one; costs no request. */
  lastServerTime(): Instant | undefined;
  /** Closes connections; watches end. */
  close(): void;
}

/** The port on a real connection, which knows what it is connected to. */
export interface ConnectedPlane extends ControlPlane {
  /** Release of the API server as it says it, for example `v1.37.2`. */
  serverVersion(): Promise<string>;
}
