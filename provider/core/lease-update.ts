import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { floorOf } from '../../sdk/rules/duration';
import { beginApply, faultOf, type Applied } from './applied';
import { awaitObject } from './await-set';
import type { Call, Core } from './core';
import { withDeadline, type Deadline } from './deadline';
import { failure, warning } from './finding';
import { phaseOf, type LeaseTarget } from './lease';
import { keepLease, ofUid } from './lease-keep';
import { idOf, type Named } from './object-id';
import { takeOwnership } from './own';
import { compareAndSwap, preconditionsOf } from './swap';

/** Raises the minimum duration; a lower one is never written. null: the lease of that uid is gone. */
export async function raiseMinimum(plane: ControlPlane, named: Named, uid: string, minimumDuration: string): Promise<MacNodeLease | null> {
  return compareAndSwap(
    async () => ofUid(await plane.tryGet(Kinds.MacNodeLease, named), uid),
    (lease) => (floorOf(minimumDuration) > floorOf(lease.spec.minimumDuration)
      ? plane.patch(Kinds.MacNodeLease, named, { spec: { minimumDuration } }, { preconditions: preconditionsOf(lease) }) : undefined),
  );
}

const isObserved = (lease: MacNodeLease): boolean => (lease.status?.observedGeneration ?? 0) >= (lease.metadata.generation ?? 0);

async function awaitObserved(core: Core, call: Call, named: Named, lease: MacNodeLease, deadline: Deadline): Promise<Applied<MacNodeLease>> {
  const settled = (l: MacNodeLease): MacNodeLease | undefined => (isObserved(l) && !(phaseOf(l) === 'Held' && !l.spec.release && l.metadata.deletionTimestamp === undefined) ? l : undefined);
  const wait = await awaitObject(core, Kinds.MacNodeLease, { ...named, uid: lease.metadata.uid }, { deadline, signal: call.signal }, settled);
  if (wait.kind === 'met' && wait.value !== 'gone') return { object: wait.value, findings: [] };
  if (wait.kind === 'met') return { object: lease, findings: [failure('Conflict', '', `lease ${idOf(named)} was released meanwhile`, 'It changed, and then went away. Refresh the state.')] };
  return { object: lease, findings: [warning('Timeout', '', `lease ${idOf(named)} has changed, and its status not yet`, 'The change is stored; the operator has not shown its effect in time. The next refresh reads it.')] };
}

/** Raises the floor of a lease, or takes a release back (`keep`). Nothing else of a lease can be changed. */
export async function updateLease(core: Core, call: Call, target: LeaseTarget, uid: string, keep: boolean, milliseconds: number): Promise<Applied<MacNodeLease>> {
  const plane = beginApply(core);
  if (!('create' in plane)) return { object: null, findings: [plane] };
  try {
    if (keep) await keepLease(plane, target, uid);
    const owned = await takeOwnership(plane, Kinds.MacNodeLease, target, uid, target.owner);
    const lease = owned === null ? null : await raiseMinimum(plane, target, uid, target.minimumDuration);
    core.facts.forget(target.namespace);
    if (lease === null) return { object: null, findings: [failure('Conflict', '', `lease ${idOf(target)} is not the one in state`, 'It is gone, or another one has its name now. Nothing was changed; plan again.')] };
    return await withDeadline(core.timers, milliseconds, (deadline) => awaitObserved(core, call, target, lease, deadline));
  } catch (error) {
    return { object: null, findings: [faultOf(error, `change lease ${idOf(target)}`)] };
  }
}
