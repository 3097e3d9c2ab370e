import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { judgePlacement } from '../../sdk/rules/judge-placement';
import { UNKNOWN } from '../../sdk/rules/unknown';
import { awaitSet } from './await-set';
import type { Call, Core } from './core';
import { withDeadline, type Deadline } from './deadline';
import { essentialFault } from './fault-findings';
import { failure, type Findings } from './finding';
import { lookOf } from './facts';
import { instanceSubject, type InstanceTarget } from './instance';
import { isReleased, phaseOf } from './lease';
import { idOf, tryParseId, type Named } from './object-id';
import { findingsOf } from './verdict-findings';

/** Milliseconds for a lease that this run does not make and that does not exist: it will hardly come. */
const ABSENT_MS = 30_000;

const isFinal = (lease: MacNodeLease): boolean => lease.metadata.deletionTimestamp !== undefined || lease.spec.release;

async function notBound(core: Core, target: InstanceTarget, ref: Named): Promise<Findings> {
  const look = await lookOf(core.plane, (plane) => plane.tryGet(Kinds.MacNodeLease, ref));
  if (!look.seen) return [essentialFault(look.error, `read lease ${idOf(ref)}`)];
  const lease = look.value === null || isReleased(look.value) ? null : { phase: phaseOf(look.value), namespaceUID: null };
  const verdict = judgePlacement({ instance: { ...target, namespaceUID: UNKNOWN }, leaseRef: ref, lease });
  return findingsOf(verdict, instanceSubject(target, target.lease));
}

/** Waits until the instance's lease is Bound; an answer means that it will not be. Terraform orders the two only where one refers to the other. */
export async function awaitLease(core: Core, call: Call, target: InstanceTarget, deadline: Deadline): Promise<Findings> {
  const ref = tryParseId(target.lease) ?? target;
  if (ref.namespace !== target.namespace) return findingsOf(judgePlacement({ instance: { ...target, namespaceUID: UNKNOWN }, leaseRef: ref, lease: UNKNOWN }), instanceSubject(target, target.lease));
  const selection = { namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}` };
  const wait = (until: Deadline) => awaitSet(core, Kinds.MacNodeLease, selection, { deadline: until, signal: call.signal }, (items) => {
    const lease = items.find((l) => l.metadata.name === ref.name);
    if (lease === undefined || (!isFinal(lease) && phaseOf(lease) !== 'Bound')) return undefined;
    return phaseOf(lease) === 'Bound' ? 'bound' as const : 'final' as const;
  });
  const isDeclared = (): boolean => core.run.lease(target.lease)?.fate === 'create';
  const first = isDeclared() ? await wait(deadline) : await withDeadline(core.timers, ABSENT_MS, wait);
  const outcome = first.kind === 'timeout' && isDeclared() ? await wait(deadline) : first;
  if (outcome.kind === 'met' && outcome.value === 'bound') return [];
  if (outcome.kind === 'denied') return [essentialFault(outcome.error, `watch lease ${target.lease}`)];
  if (outcome.kind === 'stopped') return [failure('Interrupted', '', `instance ${idOf(target)} was not made`, 'The run was interrupted while it waited for its lease. Run it again.')];
  return notBound(core, target, ref);
}
