import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import { beginApply, faultOf } from './applied';
import { awaitObject, type WaitLimits } from './await-set';
import type { Call, Core } from './core';
import { withDeadline } from './deadline';
import { failure, type Findings } from './finding';
import type { StoredInstance } from './instance';
import { replacedOutside } from './lease-plan-delete';
import { idOf, type Named } from './object-id';

type Target = Named & { readonly uid: string };

async function awaitGone(core: Core, target: Target, limits: WaitLimits): Promise<Findings> {
  const id = idOf(target);
  const wait = await awaitObject<MacOSInstance, never>(core, Kinds.MacOSInstance, target, limits, () => undefined);
  switch (wait.kind) {
    case 'met': return [];
    case 'denied': return [faultOf(wait.error, `watch instance ${id}`)];
    case 'stopped': return [failure('Interrupted', '', `the deletion of instance ${id} goes on`, 'It is asked for and goes on without this tool. The instance stays in the state until the next run sees that it is gone.')];
    case 'timeout': return [failure('Timeout', '', `instance ${id} is not gone yet`, 'Its deletion is asked for; its machine has not stopped or its disk is not wiped yet. It holds its slot until then. Run it again, or raise timeouts.delete.')];
  }
}

/** Deletes the instance of this uid, and no other, and waits until its machine and its disk are gone. Empty when that is so. */
export async function removeInstance(core: Core, plane: ControlPlane, target: Target, limits: WaitLimits): Promise<Findings> {
  try {
    await plane.remove(Kinds.MacOSInstance, target, { preconditions: { uid: target.uid } });
  } catch (error) {
    if (!isFault(error, 'NotFound', 'Conflict')) return [faultOf(error, `delete instance ${idOf(target)}`)];
  } finally {
    core.facts.forget(target.namespace);
  }
  return awaitGone(core, target, limits);
}

/** What a delete says; the instance stays in the state exactly when there is an error among it. */
export async function deleteInstance(core: Core, call: Call, prior: StoredInstance, milliseconds: number): Promise<Findings> {
  const plane = beginApply(core);
  if (!('create' in plane)) return [plane];
  try {
    const found = await plane.tryGet(Kinds.MacOSInstance, prior);
    if (found === null) return [];
    if (found.metadata.uid !== prior.uid) return [replacedOutside('instance', prior, prior.uid)];
    return await withDeadline(core.timers, milliseconds, (deadline) => removeInstance(core, plane, prior, { deadline, signal: call.signal }));
  } catch (error) {
    return [faultOf(error, `delete instance ${idOf(prior)}`)];
  }
}
