import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { beginApply, faultOf, type Applied } from './applied';
import type { Call, Core } from './core';
import { withDeadline } from './deadline';
import { failure } from './finding';
import type { InstanceTarget } from './instance';
import { awaitRunning } from './instance-await-running';
import { ofUid } from './lease-keep';
import { idOf } from './object-id';
import { takeOwnership } from './own';
import { compareAndSwap, preconditionsOf } from './swap';

/** Asks the instance of this uid to run or to stop, unless it was asked already. null: it is gone. */
export async function switchTo(plane: ControlPlane, target: InstanceTarget, uid: string): Promise<MacOSInstance | null> {
  const { running } = target;
  return compareAndSwap(
    async () => ofUid(await plane.tryGet(Kinds.MacOSInstance, target), uid),
    (instance) => (instance.spec.running === running ? undefined : plane.patch(Kinds.MacOSInstance, target, { spec: { running } }, { preconditions: preconditionsOf(instance) })),
  );
}

/** Starts or stops an instance; everything else about it is replaced, not changed. null with an error: the state stays as it is. */
export async function updateInstance(core: Core, call: Call, target: InstanceTarget, uid: string, milliseconds: number): Promise<Applied<MacOSInstance>> {
  const plane = beginApply(core);
  if (!('create' in plane)) return { object: null, findings: [plane] };
  try {
    const owned = await takeOwnership(plane, Kinds.MacOSInstance, target, uid, target.owner);
    const changed = owned === null ? null : await switchTo(plane, target, uid);
    core.facts.forget(target.namespace);
    if (changed === null) return { object: null, findings: [failure('Conflict', '', `instance ${idOf(target)} is not the one in state`, 'It is gone, or another one has its name now. Nothing was changed; plan again.')] };
    return await withDeadline(core.timers, milliseconds, (deadline) => awaitRunning(core, call, plane, { ...target, awaitIp: false }, changed, deadline, { isNew: false }));
  } catch (error) {
    return { object: null, findings: [faultOf(error, `change instance ${idOf(target)}`)] };
  }
}
