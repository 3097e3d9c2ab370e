import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import type { Applied } from './applied';
import { awaitObject } from './await-set';
import type { Call, Core } from './core';
import type { Deadline } from './deadline';
import { essentialFault } from './fault-findings';
import { failure, type Finding, type FindingReason } from './finding';
import { instancePhase, instanceSubject, type InstanceTarget } from './instance';
import { removeInstance } from './instance-delete';
import { idOf } from './object-id';
import { titleOf } from './title';

/** Reasons of the rules: the object holds nothing that anybody could use. */
const REFUSED: ReadonlySet<string> = new Set(['ThirdInstance', 'CrossTenant']);
const RUN_TIME: ReadonlySet<string> = new Set(['ThirdInstance', 'CrossTenant', 'IdentityCollision', 'KernelLimit']);

function failed(target: InstanceTarget, { status }: MacOSInstance, removed: boolean): Finding {
  const reason = status?.reason ?? 'Failed';
  const subject = instanceSubject(target, target.lease);
  const known = RUN_TIME.has(reason);
  const title = known && titleOf(reason as FindingReason, subject) !== `instance ${subject.id}` ? titleOf(reason as FindingReason, subject) : `instance ${idOf(target)} failed (${reason})`;
  const rest = removed ? 'The failed object was removed; nothing is left of it.' : 'The failed object is kept in the state so that its reason can be read; the next apply replaces it.';
  return failure(known ? reason as FindingReason : 'InstanceFailed', '', title, `Instance ${idOf(target)} was accepted and then failed with ${reason}: ${status?.message ?? 'no message was given'}. ${rest}`);
}

async function afterFailure(core: Core, call: Call, plane: ControlPlane, target: InstanceTarget, object: MacOSInstance, deadline: Deadline): Promise<Applied<MacOSInstance>> {
  if (!REFUSED.has(object.status?.reason ?? '')) return { object, findings: [failed(target, object, false)] };
  const left = await removeInstance(core, plane, { ...target, uid: object.metadata.uid }, { deadline, signal: call.signal });
  return left.length === 0 ? { object: null, findings: [failed(target, object, true)] } : { object, findings: [failed(target, object, false), ...left] };
}

/** The phase that was asked for, with an address where that was asked for too; or a failure. */
function isSettled(target: InstanceTarget, instance: MacOSInstance): boolean {
  const phase = instancePhase(instance);
  if (phase === 'Failed') return true;
  if (!target.running) return phase === 'Stopped';
  return phase === 'Running' && (!target.awaitIp || instance.status?.ip !== undefined);
}

function unfinished(target: InstanceTarget, object: MacOSInstance, why: 'timeout' | 'stopped'): Applied<MacOSInstance> {
  const phase = instancePhase(object);
  const waited = phase === 'Running' && target.awaitIp ? 'has no IP address yet' : `is ${phase}`;
  const [reason, when] = why === 'timeout' ? ['Timeout', 'when the create timeout ended'] as const : ['Interrupted', 'when the run was interrupted'] as const;
  const exit = phase === 'Running' ? 'Set await_ip = false to do without, or raise timeouts.create.' : 'Raise timeouts.create if the Mac needs longer.';
  return { object, findings: [failure(reason, phase === 'Running' ? 'awaitIp' : '', `instance ${idOf(target)} ${waited}`, `The instance exists and ${waited} ${when}. It is kept in the state. ${exit}`)] };
}

/** Waits until an instance is as it was asked for. A refused one is removed again only if it `isNew`: an older one has a disk. */
export async function awaitRunning(core: Core, call: Call, plane: ControlPlane, target: InstanceTarget, made: MacOSInstance, deadline: Deadline, options: { readonly isNew: boolean }): Promise<Applied<MacOSInstance>> {
  let last = made;
  const wait = await awaitObject(core, Kinds.MacOSInstance, { ...target, uid: made.metadata.uid }, { deadline, signal: call.signal }, (instance) => {
    last = instance;
    return isSettled(target, instance) ? instance : undefined;
  });
  if (wait.kind === 'denied') return { object: last, findings: [essentialFault(wait.error, `watch instance ${idOf(target)}`)] };
  if (wait.kind !== 'met') return unfinished(target, last, wait.kind);
  if (wait.value === 'gone') return { object: null, findings: [failure('Conflict', '', `instance ${idOf(target)} was deleted by somebody else`, 'It went away while this create waited for it. Apply again.')] };
  if (instancePhase(wait.value) !== 'Failed') return { object: wait.value, findings: [] };
  if (!options.isNew) return { object: wait.value, findings: [failed(target, wait.value, false)] };
  return afterFailure(core, call, plane, target, wait.value, deadline).catch((error: unknown) => {
    if (isFault(error, 'Unreachable', 'Timeout', 'Unavailable', 'Forbidden', 'Unauthorized')) return { object: last, findings: [failed(target, last, false)] };
    throw error;
  });
}
