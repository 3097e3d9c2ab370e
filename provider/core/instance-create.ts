import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import { beginApply, faultOf, type Applied } from './applied';
import type { WaitLimits } from './await-set';
import { createChecked } from './checked-create';
import type { Call, Core } from './core';
import { withDeadline, type Deadline } from './deadline';
import { refusedCreate } from './dry-run';
import type { Findings } from './finding';
import { instancePhase, instanceSubject, type InstanceTarget } from './instance';
import { awaitRunning } from './instance-await-running';
import { instanceBody } from './instance-body';
import { awaitLease } from './instance-lease-wait';
import { awaitSlot } from './instance-slot-wait';
import { alreadyThere } from './lease-adopt';
import { idOf } from './object-id';

const nothing = (findings: Findings): Applied<MacOSInstance> => ({ object: null, findings });

async function post(core: Core, plane: ControlPlane, target: InstanceTarget, limits: WaitLimits): Promise<MacOSInstance | Findings> {
  const subject = instanceSubject(target, target.lease);
  try {
    return await createChecked(core, plane, Kinds.MacOSInstance, instanceBody(target), limits);
  } catch (error) {
    if (isFault(error, 'Invalid', 'Forbidden', 'NotFound', 'Conflict')) return refusedCreate(error, subject, target.namespace);
    return [faultOf(error, `create instance ${idOf(target)}`)];
  }
}

async function existing(plane: ControlPlane, target: InstanceTarget): Promise<Findings> {
  const found = await plane.tryGet(Kinds.MacOSInstance, target);
  if (found === null || found.metadata.deletionTimestamp !== undefined) return [];
  return [alreadyThere('instance', target, `phase ${instancePhase(found)}, on lease ${found.spec.leaseName}`)];
}

async function obstacles(core: Core, call: Call, plane: ControlPlane, target: InstanceTarget, deadline: Deadline): Promise<Findings> {
  const taken = await existing(plane, target);
  return taken.length > 0 ? taken : awaitLease(core, call, target, deadline);
}

async function makeInSlot(core: Core, call: Call, plane: ControlPlane, target: InstanceTarget, deadline: Deadline): Promise<Applied<MacOSInstance>> {
  const slot = await awaitSlot(core, target, { deadline, signal: call.signal });
  if (!('release' in slot)) return nothing(slot);
  try {
    const made = await post(core, plane, target, { deadline, signal: call.signal });
    core.facts.forget(target.namespace);
    return 'metadata' in made ? await awaitRunning(core, call, plane, target, made, deadline, { isNew: true }) : nothing(made);
  } finally {
    // Not before: until the instance runs, another create's watch may not show it yet.
    slot.release();
  }
}

/**
 * Makes an instance once its lease is Bound and has a free slot, and waits until it runs. An instance that the rules refuse after
 * all is removed again; one that failed otherwise stays, so that its reason can be read.
 */
export async function createInstance(core: Core, call: Call, target: InstanceTarget, milliseconds: number): Promise<Applied<MacOSInstance>> {
  const plane = beginApply(core);
  if (!('create' in plane)) return nothing([plane]);
  return withDeadline(core.timers, milliseconds, async (deadline) => {
    try {
      const refused = await obstacles(core, call, plane, target, deadline);
      return refused.length > 0 ? nothing(refused) : await makeInSlot(core, call, plane, target, deadline);
    } catch (error) {
      return nothing([faultOf(error, `create instance ${idOf(target)}`)]);
    }
  });
}
