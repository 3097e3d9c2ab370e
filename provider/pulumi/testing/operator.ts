import { Kinds, type MacNodeLease, type MacOSInstance } from '../../../sdk/api/kinds';
import type { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { leaseObject } from '../../core/testing/scene';

const BOUND = leaseObject('any').status ?? {};

function nextLease({ spec, status }: MacNodeLease): MacNodeLease['status'] {
  const phase = status?.phase ?? 'Pending';
  if (phase === 'Pending') return spec.release ? { phase: 'Released' } : BOUND;
  if (phase === 'Bound' && spec.release) return { ...status, phase: 'Held' };
  if (phase === 'Held' && !spec.release) return { ...status, phase: 'Bound' };
  return status;
}

/** The operator on a plane in memory: it binds what is new, follows releases before the floor, and starts and stops machines. */
export function operate(plane: MemoryPlane): void {
  plane.react = (_verb, object) => {
    const { namespace = '', name } = object.metadata;
    if (object.kind === 'MacNodeLease') plane.change(Kinds.MacNodeLease, { namespace, name }, (lease): MacNodeLease => ({ ...lease, status: { ...nextLease(lease), observedGeneration: lease.metadata.generation ?? 0 } }));
    else plane.change(Kinds.MacOSInstance, { namespace, name }, (instance): MacOSInstance => ({ ...instance, status: { ...instance.status, phase: instance.spec.running ? 'Running' : 'Stopped' } }));
  };
}
