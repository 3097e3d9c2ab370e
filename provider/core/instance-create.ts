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
import { isSameShape } from './instance-plan-update';
import { switchTo } from './instance-update';
import { idOf, tryParseId } from './object-id';
import { isOwnedBy } from './ownership';

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

function isAsAsked(found: MacOSInstance, target: InstanceTarget): boolean {
  const { spec } = found;
  return isOwnedBy(found, target.owner) && spec.leaseName === tryParseId(target.lease)?.name && spec.image === target.image && isSameShape(spec.shape, target.shape);
}

/** What has the name already: nothing, this very instance, left by an interrupted create, or another one. */
async function existing(core: Core, plane: ControlPlane, target: InstanceTarget): Promise<Findings | MacOSInstance> {
  const found = await plane.tryGet(Kinds.MacOSInstance, target);
  if (found === null || found.metadata.deletionTimestamp !== undefined) return [];
  return isAsAsked(found, target) ? found : [alreadyThere(core.wording, 'instance', target, `phase ${instancePhase(found)}, on lease ${found.spec.leaseName}`)];
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

/** An interrupted create goes on where it was: its instance starts or stops as it is asked for now. */
async function goOn(core: Core, call: Call, plane: ControlPlane, target: InstanceTarget, found: MacOSInstance, deadline: Deadline): Promise<Applied<MacOSInstance>> {
  const switched = await switchTo(plane, target, found.metadata.uid);
  return awaitRunning(core, call, plane, target, switched ?? found, deadline, { isNew: true });
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
      const taken = await existing(core, plane, target);
      if ('metadata' in taken) return await goOn(core, call, plane, target, taken, deadline);
      const refused = taken.length > 0 ? taken : await awaitLease(core, call, target, deadline);
      return refused.length > 0 ? nothing(refused) : await makeInSlot(core, call, plane, target, deadline);
    } catch (error) {
      return nothing([faultOf(error, `create instance ${idOf(target)}`)]);
    }
  });
}
