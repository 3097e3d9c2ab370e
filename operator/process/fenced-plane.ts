import type { Kind } from '../../sdk/api/object';
import { Kinds } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { PlaneError } from '../../sdk/client/errors';
import type { Instant } from '../../sdk/rules/instant';

/** Asked before each write and each reading of the time; an answer is why not. */
export interface Fence {
  /** Why nothing may be written. */
  write(): string | undefined;
  /** Why no claim may begin or end. */
  claim(): string | undefined;
  /** The time to go by. Throws Error when it is in doubt. */
  time(read: () => Promise<Instant>): Promise<Instant>;
}

function forbid(method: string, path: string, why: string | undefined): void {
  if (why !== undefined) throw new PlaneError({ fault: 'Unavailable', method, path }, why);
}

const isClaim = (kind: Kind): boolean => kind.kind === Kinds.MacNodeBinding.kind;

/**
 * The port as the reconcilers have it. The fence is asked at the last moment before a write leaves this process, so one that was decided before a
 * pause, before leadership went or before a fault was found is not made.
 */
export function fencedPlane(inner: ControlPlane, fence: Fence): ControlPlane {
  const check = (method: string, kind: Kind): void => {
    forbid(method, kind.plural, fence.write());
    if (isClaim(kind)) forbid(method, kind.plural, fence.claim());
  };
  return {
    endpoint: inner.endpoint, namespace: inner.namespace,
    get: (kind, ref) => inner.get(kind, ref),
    tryGet: (kind, ref) => inner.tryGet(kind, ref),
    list: (kind, selection) => inner.list(kind, selection),
    watch: (kind, selection, handlers) => inner.watch(kind, selection, handlers),
    create: async (kind, object, options) => {
      check('POST', kind);
      return inner.create(kind, object, options);
    },
    patch: async (kind, ref, patch, options) => {
      check('PATCH', kind);
      return inner.patch(kind, ref, patch, options);
    },
    remove: async (kind, ref, options) => {
      check('DELETE', kind);
      return inner.remove(kind, ref, options);
    },
    serverTime: () => fence.time(() => inner.serverTime()).catch((error: unknown) => {
      throw error instanceof PlaneError ? error : new PlaneError({ fault: 'Unavailable', method: 'GET', path: '/version' }, (error as Error).message, { cause: error });
    }),
    lastServerTime: () => inner.lastServerTime(),
    close: () => inner.close(),
  };
}
