import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { isFault } from '../../sdk/client/errors';
import { faultOf, type Applied } from './applied';
import { awaitObject, type Waited } from './await-set';
import type { Call, Core } from './core';
import { withDeadline, type Deadline } from './deadline';
import { failure, warning, type Finding } from './finding';
import { isReleased, phaseOf } from './lease';
import { keepLease, ofUid } from './lease-keep';
import { idOf, type Named } from './object-id';
import { compareAndSwap, preconditionsOf } from './swap';

/** Milliseconds for what must end after the create timeout: a bind under way, and a withdrawal. */
const AFTERMATH_MS = 60_000;

type Outcome = Waited<MacNodeLease | 'gone'>;

/** Also after an interrupt: what was begun is ended. */
function awaitEnd(core: Core, lease: Named & { uid: string }): Promise<Outcome> {
  const ends = ['Released', 'Bound', 'Held'];
  return withDeadline(core.timers, AFTERMATH_MS, (deadline) =>
    awaitObject(core, Kinds.MacNodeLease, lease, { deadline, signal: new AbortController().signal }, (l) => (ends.includes(phaseOf(l)) ? l : undefined)));
}

type GivenUp = 'timeout' | 'stopped';

function withdrawn(id: string, object: MacNodeLease, why: GivenUp): Finding {
  if (why === 'stopped') return failure('Interrupted', '', `lease ${id} was not made`, 'The run was interrupted while the lease waited for a Mac. It was withdrawn before it bound, so nothing is billed. Run it again.');
  return failure('NoCapacity', 'class', `no Mac came free for lease ${id}`, `No Mac of class ${object.spec.class} was free within the create timeout. The lease was withdrawn before it bound, so nothing is billed. Apply again later, raise timeouts.create, or ask for another class.`);
}

function late(id: string, object: MacNodeLease, why: GivenUp): Applied<MacNodeLease> {
  const when = why === 'stopped' ? 'when the run was interrupted' : 'when the create timeout had passed already';
  return { object, findings: [warning(why === 'stopped' ? 'Interrupted' : 'Timeout', '', `lease ${id} bound late`, `The lease bound ${when}${object.status?.earliestReleaseAt === undefined ? '' : `; its floor ends at ${object.status.earliestReleaseAt}`}. It is yours, it is billed, and it is in the state.`)] };
}

/** The lease exists, and how it stands is not known: it stays in the state as an error. */
function unclear(id: string, object: MacNodeLease, why: string): Applied<MacNodeLease> {
  return { object, findings: [failure('Timeout', '', `lease ${id} is not known to be Bound`, `${why}. The lease exists and may bind, and from then on it is billed for at least 24h. It is kept in the state.`)] };
}

/** Withdraws a lease that is still Pending; the precondition makes a bind that came first win. */
async function withdraw(core: Core, named: Named, uid: string): Promise<MacNodeLease | null> {
  const { plane } = core;
  if (plane === null) return null;
  return compareAndSwap(
    async () => ofUid(await plane.tryGet(Kinds.MacNodeLease, named), uid),
    (lease) => (phaseOf(lease) === 'Pending' && !lease.spec.release ? plane.patch(Kinds.MacNodeLease, named, { spec: { release: true } }, { preconditions: preconditionsOf(lease) }) : undefined),
  );
}

/** After the timeout, or an interrupt: a Pending lease is withdrawn, one that binds meanwhile is kept. */
async function giveUp(core: Core, named: Named, made: MacNodeLease, why: GivenUp): Promise<Applied<MacNodeLease>> {
  const [id, uid] = [idOf(named), made.metadata.uid];
  const patched = await withdraw(core, named, uid);
  if (patched === null || isReleased(patched)) return { object: null, findings: [withdrawn(id, made, why)] };
  const end = await awaitEnd(core, { ...named, uid });
  if (end.kind !== 'met') return unclear(id, patched, `The operator did not answer to its withdrawal within ${AFTERMATH_MS / 1000} s`);
  if (end.value === 'gone' || isReleased(end.value)) return { object: null, findings: [withdrawn(id, made, why)] };
  return late(id, core.plane === null ? end.value : await keepLease(core.plane, named, uid) ?? end.value, why);
}

async function afterWait(core: Core, named: Named, made: MacNodeLease, outcome: Exclude<Outcome, { kind: 'met' }>, mayWithdraw: boolean): Promise<Applied<MacNodeLease>> {
  const id = idOf(named);
  if (outcome.kind === 'denied') return unclear(id, made, outcome.error.message);
  if (!mayWithdraw) return unclear(id, made, 'It was adopted and did not become Bound in time');
  try {
    return await giveUp(core, named, made, outcome.kind);
  } catch (error) {
    if (isFault(error, 'Unreachable', 'Timeout', 'Unavailable')) return unclear(id, made, `It could not be withdrawn: ${error.message}`);
    return { object: made, findings: [faultOf(error, `withdraw lease ${id}`)] };
  }
}

// A lease whose release was just taken back is Held until the operator has seen it.
const isSettled = (lease: MacNodeLease): boolean => {
  const phase = phaseOf(lease);
  return phase === 'Held' ? lease.spec.release || lease.metadata.deletionTimestamp !== undefined : ['Bound', 'Releasing', 'Released'].includes(phase);
};

/**
 * Waits until a lease is Bound. Nobody is billed for one that is not: when the time is over, or the tool is interrupted, it is
 * withdrawn, unless `withdraw` is false because somebody else made it.
 */
export async function awaitBound(core: Core, call: Call, named: Named, made: MacNodeLease, deadline: Deadline, options: { readonly withdraw: boolean }): Promise<Applied<MacNodeLease>> {
  const limits = { deadline, signal: call.signal };
  const outcome = await awaitObject(core, Kinds.MacNodeLease, { ...named, uid: made.metadata.uid }, limits, (lease) => (isSettled(lease) ? lease : undefined));
  if (outcome.kind !== 'met') return afterWait(core, named, made, outcome, options.withdraw);
  if (outcome.value === 'gone' || isReleased(outcome.value)) {
    return { object: null, findings: [failure('Conflict', '', `lease ${idOf(named)} was released by somebody else`, 'It went away while this create waited for it. Apply again to make a new one.')] };
  }
  const phase = phaseOf(outcome.value);
  const findings = phase === 'Bound' ? [] : [warning('Held', '', `lease ${idOf(named)} is ${phase}`, 'Somebody asked for its release while it was made. It is in the state as it stands.')];
  return { object: outcome.value, findings };
}
