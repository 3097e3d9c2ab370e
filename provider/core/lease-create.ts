import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import { judgeName } from '../../sdk/rules/judge-name';
import { beginApply, faultOf, type Applied } from './applied';
import { awaitObject } from './await-set';
import { createChecked } from './checked-create';
import type { Call, Core } from './core';
import { withDeadline, type Deadline } from './deadline';
import { refusedCreate } from './dry-run';
import { failure, type Findings } from './finding';
import { factsOf, isReleased, leaseSubject, phaseOf, type LeaseTarget } from './lease';
import { adoptionMismatch, alreadyThere } from './lease-adopt';
import { awaitBound } from './lease-await-bound';
import { leaseBody } from './lease-body';
import { keepLease } from './lease-keep';
import { raiseMinimum } from './lease-update';
import { idOf } from './object-id';
import { takeOwnership } from './own';
import { isOwnedBy } from './ownership';
import { findingsOf } from './verdict-findings';

/** Names taken and given up while we look. */
const ATTEMPTS = 4;

const nothing = (findings: Findings): Applied<MacNodeLease> => ({ object: null, findings });

interface Attempt {
  readonly core: Core;
  readonly call: Call;
  readonly plane: ControlPlane;
  readonly target: LeaseTarget;
  readonly deadline: Deadline;
}

/** Waits for a lease that is going, and takes a Released one out of the way. True once the name is free. */
async function isNameFreed({ core, call, plane, target, deadline }: Attempt, lease: MacNodeLease): Promise<boolean> {
  const { uid } = lease.metadata;
  const wait = { deadline, signal: call.signal };
  const released = await awaitObject(core, Kinds.MacNodeLease, { ...target, uid }, wait, (l) => (isReleased(l) ? 'released' as const : undefined));
  if (released.kind !== 'met') return false;
  if (released.value === 'gone') return true;
  try {
    await plane.remove(Kinds.MacNodeLease, target, { preconditions: { uid } });
  } catch (error) {
    if (!isFault(error, 'NotFound', 'Conflict')) throw error;
  }
  const gone = await awaitObject<MacNodeLease, never>(core, Kinds.MacNodeLease, { ...target, uid }, wait, () => undefined);
  return gone.kind === 'met';
}

async function adopt(attempt: Attempt, lease: MacNodeLease): Promise<Applied<MacNodeLease>> {
  const { core, call, plane, target, deadline } = attempt;
  const mismatch = adoptionMismatch(target, lease);
  if (mismatch.length > 0) return nothing(mismatch);
  const { uid } = lease.metadata;
  const kept = phaseOf(lease) === 'Held' ? await keepLease(plane, target, uid) : lease;
  const owned = kept === null ? null : await takeOwnership(plane, Kinds.MacNodeLease, target, uid, target.owner);
  const raised = owned === null ? null : await raiseMinimum(plane, target, uid, target.minimumDuration);
  if (raised === null) return nothing([failure('Conflict', '', `lease ${idOf(target)} was released meanwhile`, 'The lease that was to be adopted is gone. Run it again; it then makes a new one.')]);
  return awaitBound(core, call, target, raised, deadline, { withdraw: false });
}

async function takeOver(attempt: Attempt, lease: MacNodeLease): Promise<Applied<MacNodeLease> | 'again'> {
  const { core, target } = attempt;
  const phase = phaseOf(lease);
  if (phase === 'Released' || phase === 'Releasing') {
    return await isNameFreed(attempt, lease) ? 'again' : nothing([failure('Timeout', 'name', `the name ${idOf(target)} is not free yet`, `The lease that has the name is still ${phase}. Nothing was made. Apply again when it is Released, or raise the create timeout.`)]);
  }
  if (phase === 'Held') {
    const verdict = judgeName({ ...target, existing: factsOf(lease), now: await core.facts.now() });
    const refused = findingsOf({ ...verdict, notes: [] }, leaseSubject(target));
    if (refused.length > 0) return nothing(refused);
  }
  return target.adopt || isOwnedBy(lease, target.owner) ? adopt(attempt, lease) : nothing([alreadyThere(core.wording, 'lease', target, `phase ${phase}`)]);
}

async function post({ core, call, plane, target, deadline }: Attempt): Promise<Applied<MacNodeLease> | 'again'> {
  let made: MacNodeLease;
  try {
    made = await createChecked(core, plane, Kinds.MacNodeLease, leaseBody(target), { deadline, signal: call.signal });
  } catch (error) {
    if (isFault(error, 'AlreadyExists')) return 'again';
    if (isFault(error, 'Invalid', 'Forbidden', 'NotFound', 'Conflict')) return nothing(refusedCreate(error, leaseSubject(target), target.namespace));
    throw error;
  }
  return awaitBound(core, call, target, made, deadline, { withdraw: true });
}

async function attemptOnce(attempt: Attempt): Promise<Applied<MacNodeLease> | 'again'> {
  try {
    const existing = await attempt.plane.tryGet(Kinds.MacNodeLease, attempt.target);
    return existing === null ? await post(attempt) : await takeOver(attempt, existing);
  } catch (error) {
    return nothing([faultOf(error, `create lease ${idOf(attempt.target)}`)]);
  }
}

/**
 * Makes a lease and waits until it is Bound. A Released object of the name is taken out of the way, a living one is taken over only
 * with `adopt`, or when it has the mark of this very resource. Safe to run again after it was killed anywhere: the object is found by its name.
 */
export async function createLease(core: Core, call: Call, target: LeaseTarget, milliseconds: number): Promise<Applied<MacNodeLease>> {
  const plane = beginApply(core);
  if (!('create' in plane)) return nothing([plane]);
  return withDeadline(core.timers, milliseconds, (deadline) => attempts({ core, call, plane, target, deadline }));
}

async function attempts(attempt: Attempt): Promise<Applied<MacNodeLease>> {
  const { core, target } = attempt;
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    const outcome = await attemptOnce(attempt);
    core.facts.forget(target.namespace);
    if (outcome !== 'again') return outcome;
  }
  return nothing([failure('Conflict', 'name', `the name ${idOf(target)} keeps changing hands`, 'Somebody else makes and deletes leases of this name. Nothing was made. Choose another name, or run it again.')]);
}
