import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import { judgeStart } from '../../sdk/rules/judge-start';
import { INSTANCES_PER_CHASSIS } from '../../sdk/rules/limits';
import { awaitSet, type WaitLimits } from './await-set';
import type { Core } from './core';
import { essentialFault } from './fault-findings';
import { failure, type Finding, type Findings } from './finding';
import { holderOf, instanceIdOf, instancePhase, instanceSubject, leaseIdOf, type InstanceTarget } from './instance';
import { lookOf } from './facts';
import { idOf, tryParseId } from './object-id';
import { findingsOf } from './verdict-findings';

/** A slot that this process keeps for one create until its object is made. */
export interface ReservedSlot {
  release(): void;
}

// Unlike in a preview, an instance that is going still holds its slot: its machine runs until it is gone.
const takesSlot = (instance: MacOSInstance): boolean => instancePhase(instance) !== 'Failed';

function isFree(core: Core, target: InstanceTarget, instances: readonly MacOSInstance[]): boolean {
  const id = idOf(target);
  const taken = new Set([...instances.filter((i) => leaseIdOf(i) === target.lease && takesSlot(i)).map(instanceIdOf), ...core.run.ledger(target.lease).reserved]);
  taken.delete(id);
  const isNameFree = !instances.some((i) => instanceIdOf(i) === id && i.metadata.deletionTimestamp !== undefined);
  return isNameFree && taken.size < INSTANCES_PER_CHASSIS;
}

async function noSlot(core: Core, target: InstanceTarget): Promise<Findings> {
  const lease = tryParseId(target.lease) ?? target;
  const look = await lookOf(core.plane, (plane) => plane.list(Kinds.MacOSInstance, { namespace: target.namespace }));
  if (!look.seen) return [essentialFault(look.error, `list instances of namespace ${target.namespace}`)];
  const holders = look.value.items.filter((i) => leaseIdOf(i) === target.lease && takesSlot(i)).map(holderOf);
  const verdict = judgeStart({ lease, serial: null, holders, starting: [{ namespace: target.namespace, name: target.name, state: 'declared' }], now: await core.facts.now() });
  const waited = 'No slot became free within the create timeout, and nothing was made. If this run also removes instances of the lease, apply again.';
  const refused = findingsOf(verdict, instanceSubject(target, target.lease)).map((f): Finding => ({ ...f, detail: `${f.detail} ${waited}` }));
  return refused.length > 0 ? refused : [failure('Timeout', '', `the name ${idOf(target)} is not free yet`, `The instance that has the name is still being deleted. ${waited}`)];
}

/**
 * Waits until the lease has a slot for the instance, and reserves it. It asks before the object is made, so that waiting writes no
 * rejected attempts into the audit log; admission and the agent still decide.
 */
export async function awaitSlot(core: Core, target: InstanceTarget, limits: WaitLimits): Promise<ReservedSlot | Findings> {
  const ledger = core.run.ledger(target.lease);
  const wait = await awaitSet(core, Kinds.MacOSInstance, { namespace: target.namespace }, { ...limits, recheck: ledger.whenReleased }, (items) => (isFree(core, target, items) ? { release: ledger.reserve(idOf(target)) } : undefined));
  switch (wait.kind) {
    case 'met': return wait.value;
    case 'denied': return [essentialFault(wait.error, `watch instances of namespace ${target.namespace}`)];
    case 'stopped': return [failure('Interrupted', '', `instance ${idOf(target)} was not made`, 'The run was interrupted while it waited for a slot. Run it again.')];
    case 'timeout': return noSlot(core, target);
  }
}
