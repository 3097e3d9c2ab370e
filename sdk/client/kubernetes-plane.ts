import type { Kind, KubeObject, NewObject } from '../api/object';
import type { Instant } from '../rules/instant';
import type { WatchTiming } from './connect-options';
import type { ConnectedPlane, Listing, ObjectRef, PatchOptions, Preconditions, RemoveOptions, Selection, WatchHandlers, Watching, WriteOptions } from './control-plane';
import { isFault, PlaneError } from './errors';
import type { Requester } from './requester';
import { apiVersionOf, collectionPath, objectPath, placedPath } from './resource-path';
import { SupervisedWatch } from './supervised-watch';

const MERGE_PATCH = 'application/merge-patch+json';

const writeQuery = (options: WriteOptions | undefined): Record<string, string> => (options?.dryRun ? { dryRun: 'All' } : {});

/** Query of a list or a watch. */
export function selectionQuery(selection: Selection): Record<string, string> {
  const { labelSelector, fieldSelector } = selection;
  return { ...(labelSelector !== undefined && { labelSelector }), ...(fieldSelector !== undefined && { fieldSelector }) };
}

function withPreconditions(patch: object, preconditions: Preconditions | undefined): object {
  if (preconditions === undefined) return patch;
  const { metadata } = patch as { metadata?: object };
  return { ...patch, metadata: { ...metadata, ...preconditions } };
}

// A server says that `metadata.uid` is immutable when the name belongs to another object by now.
function asConflict(error: unknown): unknown {
  const isOtherObject = isFault(error, 'Invalid') && error.detail.causes?.some((cause) => cause.field === 'metadata.uid');
  return isOtherObject ? new PlaneError({ ...error.detail, fault: 'Conflict' }, error.said, { cause: error }) : error;
}

/** The port on the Kubernetes API over HTTP. */
export class KubernetesPlane implements ConnectedPlane {
  readonly #requester: Requester;
  readonly #timing: WatchTiming;
  readonly #watches = new Set<Watching>();

  constructor(requester: Requester, readonly namespace: string, timing: WatchTiming) {
    this.#requester = requester;
    this.#timing = timing;
    this.endpoint = requester.transport.endpoint;
  }

  readonly endpoint: string;

  async get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T> {
    const { body } = await this.#requester.request({ method: 'GET', path: objectPath(kind, ref, 'GET') });
    return body as T;
  }

  async tryGet<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null> {
    try {
      return await this.get(kind, ref);
    } catch (error) {
      if (isFault(error, 'NotFound')) return null;
      throw error;
    }
  }

  async list<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}): Promise<Listing<T>> {
    const { body } = await this.#requester.request({ method: 'GET', path: collectionPath(kind, selection.namespace, 'GET'), query: selectionQuery(selection) });
    const { items, metadata } = body as { items: readonly T[] | null; metadata: { resourceVersion: string } };
    // Items of the built-in kinds come without these two.
    const types = { apiVersion: apiVersionOf(kind), kind: kind.kind };
    return { items: (items ?? []).map((item) => ({ ...types, ...item })), resourceVersion: metadata.resourceVersion };
  }

  watch<T extends KubeObject>(kind: Kind<T>, selection: Selection, handlers: WatchHandlers<T>): Watching {
    const call = { method: 'GET' as const, path: collectionPath(kind, selection.namespace, 'WATCH'), query: selectionQuery(selection) };
    const watch = new SupervisedWatch<T>({ list: () => this.list(kind, selection), open: (query, signal) => this.#requester.open({ ...call, query: { ...call.query, ...query } }, signal), path: call.path, endpoint: this.endpoint }, handlers, this.#timing);
    const watching: Watching = {
      isSynced: () => watch.isSynced(),
      stop: () => {
        this.#watches.delete(watching);
        watch.stop();
      },
    };
    this.#watches.add(watching);
    return watching;
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: NewObject, options?: WriteOptions): Promise<T> {
    const path = placedPath(kind, object.metadata.namespace, 'POST');
    const body = JSON.stringify({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...object });
    return (await this.#requester.request({ method: 'POST', path, query: writeQuery(options), body }, options?.onWarning)).body as T;
  }

  async patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object, options?: PatchOptions): Promise<T> {
    const path = objectPath(kind, ref, 'PATCH', options?.subresource);
    const body = JSON.stringify(withPreconditions(patch, options?.preconditions));
    try {
      return (await this.#requester.request({ method: 'PATCH', path, query: writeQuery(options), body, contentType: MERGE_PATCH }, options?.onWarning)).body as T;
    } catch (error) {
      throw asConflict(error);
    }
  }

  async remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: RemoveOptions): Promise<void> {
    const { preconditions, gracePeriodSeconds } = options ?? {};
    // A server that gets options in the body does not look at the query: `dryRun` there would be a deletion.
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions, gracePeriodSeconds, ...(options?.dryRun && { dryRun: ['All'] }) });
    await this.#requester.request({ method: 'DELETE', path: objectPath(kind, ref, 'DELETE'), body }, options?.onWarning);
  }

  async serverTime(): Promise<Instant> {
    const call = { method: 'GET' as const, path: '/version' };
    const { at } = await this.#requester.request(call);
    if (at === undefined) throw new PlaneError({ fault: 'Unexpected', ...call }, 'the answer has no Date header, so the time of the server is unknown');
    return at;
  }

  async serverVersion(): Promise<string> {
    const call = { method: 'GET' as const, path: '/version' };
    const { gitVersion } = (await this.#requester.request(call)).body as { gitVersion?: unknown };
    if (typeof gitVersion !== 'string') throw new PlaneError({ fault: 'Unexpected', ...call }, 'the answer names no gitVersion: is this the address of a Kubernetes API server?');
    return gitVersion;
  }

  lastServerTime(): Instant | undefined {
    return this.#requester.newestAnswerAt;
  }

  close(): void {
    for (const watching of [...this.#watches]) watching.stop();
    void this.#requester.transport.close();
  }
}
