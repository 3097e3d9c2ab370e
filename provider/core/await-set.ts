import type { Kind, KubeObject } from '../../sdk/api/object';
import type { Selection } from '../../sdk/client/control-plane';
import { isFault, type PlaneError } from '../../sdk/client/errors';
import type { Core } from './core';
import type { Deadline } from './deadline';
import type { Named } from './object-id';

/** How a wait ended. */
export type Waited<R> =
  | { readonly kind: 'met'; readonly value: R }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'stopped' }
  /** The control plane does not let us look, or not with these credentials: waiting longer would not help. */
  | { readonly kind: 'denied'; readonly error: PlaneError };

export interface WaitLimits {
  readonly deadline: Deadline;
  /** Aborted when the tool is interrupted. */
  readonly signal: AbortSignal;
  /** Calls back when the answer may have changed although no object did; gives a way to let go. */
  readonly recheck?: (look: () => void) => () => void;
}

type Decide<T, R> = (items: readonly T[]) => R | undefined;

function follow<T extends KubeObject>(seen: Map<string, T>, type: string, object: T): void {
  if (type === 'DELETED') seen.delete(object.metadata.uid);
  else seen.set(object.metadata.uid, object);
}

/** Watches a set of objects until `decide` answers. Faults of the connection are waited out. */
export function awaitSet<T extends KubeObject, R>(core: Core, kind: Kind<T>, selection: Selection, limits: WaitLimits, decide: Decide<T, R>): Promise<Waited<R>> {
  const { plane } = core;
  if (plane === null) throw new Error('waiting needs a control plane');
  if (limits.signal.aborted) return Promise.resolve({ kind: 'stopped' });
  return new Promise((resolve) => {
    const seen = new Map<string, T>();
    let ended = false;
    let release: () => void = () => undefined;
    const end = (outcome: Waited<R>): void => {
      if (ended) return;
      ended = true;
      release();
      resolve(outcome);
    };
    const look = (): void => {
      const answer = ended ? undefined : decide([...seen.values()]);
      if (answer !== undefined) end({ kind: 'met', value: answer });
    };
    const stopped = (): void => end({ kind: 'stopped' });
    const expired = (): void => end({ kind: 'timeout' });
    const watching = plane.watch(kind, selection, {
      onSync: (items) => { seen.clear(); for (const item of items) seen.set(item.metadata.uid, item); look(); },
      onChange: (type, object) => { follow(seen, type, object); look(); },
      onFault: (error) => { if (isFault(error, 'Forbidden', 'Unauthorized')) end({ kind: 'denied', error }); },
    });
    const { signal, deadline: { over } } = limits;
    signal.addEventListener('abort', stopped);
    over.addEventListener('abort', expired);
    const forget = limits.recheck?.(look);
    release = () => { watching.stop(); forget?.(); signal.removeEventListener('abort', stopped); over.removeEventListener('abort', expired); };
    if (ended) release();
    else if (over.aborted) expired();
  });
}

/** Watches one object, known by its uid, until `decide` answers; `gone` when it exists no more. */
export function awaitObject<T extends KubeObject, R>(core: Core, kind: Kind<T>, object: Named & { readonly uid: string }, limits: WaitLimits, decide: (object: T) => R | undefined): Promise<Waited<R | 'gone'>> {
  const selection = { namespace: object.namespace, fieldSelector: `metadata.name=${object.name}` };
  return awaitSet(core, kind, selection, limits, (items) => {
    const found = items.find((item) => item.metadata.uid === object.uid);
    return found === undefined ? 'gone' : decide(found);
  });
}
