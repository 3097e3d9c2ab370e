import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { judgeRelease } from '../../sdk/rules/judge-release';
import { beginApply, faultOf } from './applied';
import { awaitObject } from './await-set';
import type { Call, Core } from './core';
import { withDeadline, type Deadline } from './deadline';
import { failure, hasFailures, warning, type Finding, type Findings } from './finding';
import { factsOf, isReleased, leaseSubject, phaseOf, type StoredLease } from './lease';
import { ownedElsewhere, replacedOutside } from './lease-plan-delete';
import { idOf } from './object-id';
import { compareAndSwap, preconditionsOf } from './swap';
import { strictFindingsOf } from './verdict-findings';

/** What a delete says. It has failed, and the object stays in the state, exactly when there is an error among it. */
export type Deleted = Findings;

function heldNow(lease: MacNodeLease): Finding {
  const id = idOf({ namespace: lease.metadata.namespace ?? '', name: lease.metadata.name });
  const until = lease.status?.earliestReleaseAt ?? 'the end of its floor';
  return warning('BilledUntil', '', `lease ${id} is Held until ${until}`, `Its Mac (${lease.status?.chassis ?? 'unknown'}) stays with this tenant, billed, until ${until} and is released by itself then. Until then the name is taken; adopt = true uses it again.`);
}

/** The floor is judged again, at the moment of the release: the delete of a replacement had no preview of its own. */
async function refusal(core: Core, prior: StoredLease, lease: MacNodeLease): Promise<Findings> {
  const now = core.plane === null ? undefined : await core.plane.serverTime();
  if (now === undefined) return [];
  const verdict = judgeRelease({ lease: factsOf(lease), onEarlyRelease: prior.onEarlyRelease, cause: 'destroyed', replacement: false, now });
  return strictFindingsOf({ ...verdict, notes: [] }, leaseSubject(prior));
}

async function askRelease(plane: ControlPlane, prior: StoredLease): Promise<MacNodeLease | null> {
  return compareAndSwap(
    () => plane.tryGet(Kinds.MacNodeLease, prior),
    (lease) => (lease.spec.release || isReleased(lease) || lease.metadata.uid !== prior.uid ? undefined
      : plane.patch(Kinds.MacNodeLease, prior, { spec: { release: true } }, { preconditions: preconditionsOf(lease) })),
  );
}

async function awaitRelease(core: Core, call: Call, prior: StoredLease, deadline: Deadline): Promise<Deleted> {
  const id = idOf(prior);
  const ended = (lease: MacNodeLease): MacNodeLease | undefined => (['Held', 'Released'].includes(phaseOf(lease)) ? lease : undefined);
  const wait = await awaitObject(core, Kinds.MacNodeLease, prior, { deadline, signal: call.signal }, ended);
  switch (wait.kind) {
    case 'met': return wait.value === 'gone' || isReleased(wait.value) ? [] : [heldNow(wait.value)];
    case 'denied': return [faultOf(wait.error, `watch lease ${id}`)];
    case 'stopped': return [failure('Interrupted', '', `the release of lease ${id} goes on`, 'The release is asked for and goes on without this tool. The lease stays in the state until the next run sees that it is Released.')];
    case 'timeout': return [failure('Timeout', '', `lease ${id} is not released yet`, 'The release is asked for and goes on; billing has stopped with it. A release waits for the wipe of the Mac. Run it again, or raise timeouts.delete.')];
  }
}

/** Asks for the release and waits until the lease is Held or Released, through Releasing. Never deletes the object of a living lease. */
export async function deleteLease(core: Core, call: Call, prior: StoredLease, milliseconds: number): Promise<Deleted> {
  const plane = beginApply(core);
  if (!('create' in plane)) return [plane];
  try {
    const lease = await plane.tryGet(Kinds.MacNodeLease, prior);
    if (lease === null || isReleased(lease)) return [];
    if (lease.metadata.uid !== prior.uid) return [replacedOutside('lease', prior, prior.uid)];
    const elsewhere = ownedElsewhere(prior, lease);
    if (elsewhere !== null) return [elsewhere];
    const refused = await refusal(core, prior, lease);
    if (hasFailures(refused)) return refused;
    await askRelease(plane, prior);
    return await withDeadline(core.timers, milliseconds, (deadline) => awaitRelease(core, call, prior, deadline));
  } catch (error) {
    return [faultOf(error, `release lease ${idOf(prior)}`)];
  } finally {
    core.facts.forget(prior.namespace);
  }
}
