import { judgePlacement, type PlacementFacts, type PlacementLease } from '../../sdk/rules/judge-placement';
import { isKnown, UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import type { Verdict } from '../../sdk/rules/verdict';
import type { Call, Core } from './core';
import { auxiliaryFault } from './fault-findings';
import type { Findings } from './finding';
import { isReleased, phaseOf } from './lease';
import { idOf, type Named } from './object-id';

/** Where an instance may run, and what could not be seen of it. */
export interface Placement {
  readonly verdict: Verdict;
  readonly findings: Findings;
}

/** A tenant cannot read the claim, where the namespace's uid stands: admission and the operator compare it. */
const CLAIM_NOT_READABLE = null;

function declared(core: Core, lease: Named): boolean {
  const own = core.run.lease(idOf(lease));
  return own !== undefined && (own.fate === 'create' || own.becomesBound);
}

interface Found {
  readonly lease: Maybe<PlacementLease | null>;
  readonly findings: Findings;
}

async function find(core: Core, ref: Named): Promise<Found> {
  if (declared(core, ref)) return { lease: { phase: 'declared', namespaceUID: CLAIM_NOT_READABLE }, findings: [] };
  const look = await core.facts.lease(ref);
  if (!look.seen) return { lease: UNKNOWN, findings: auxiliaryFault(look.error, `leases of namespace ${ref.namespace}`, core.run) };
  if (look.value === null || isReleased(look.value)) return { lease: null, findings: [] };
  return { lease: { phase: phaseOf(look.value), namespaceUID: CLAIM_NOT_READABLE }, findings: [] };
}

const isUsable = (lease: Maybe<PlacementLease | null>): boolean => !isKnown(lease) || (lease !== null && (lease.phase === 'Bound' || lease.phase === 'declared'));

/** Judges where a new instance may run. A lease that is named by a literal may be declared by a call that is still to come. */
export async function placeInstance(core: Core, call: Call, instance: Named, ref: Named): Promise<Placement> {
  const facts: Omit<PlacementFacts, 'lease'> = { instance: { ...instance, namespaceUID: UNKNOWN }, leaseRef: ref };
  if (instance.namespace !== ref.namespace) return { verdict: judgePlacement({ ...facts, lease: UNKNOWN }), findings: [] };
  for (;;) {
    const changed = core.run.changed();
    const { lease, findings } = await find(core, ref);
    // An apply makes leases as it goes; the create itself waits for its lease.
    if (!isUsable(lease) && core.run.walk === 'apply') return { verdict: judgePlacement({ ...facts, lease: { phase: 'declared', namespaceUID: CLAIM_NOT_READABLE } }), findings };
    const verdict = (): Verdict => judgePlacement({ ...facts, lease });
    if (isUsable(lease)) return { verdict: isKnown(lease) ? verdict() : { ...verdict(), undetermined: [] }, findings };
    if (await call.quiet(changed) === 'woken') continue;
    // Another configuration of the provider may make the lease in this run: it is looked for again in the apply.
    return { verdict: lease === null && !core.run.isAlone() ? judgePlacement({ ...facts, lease: UNKNOWN }) : verdict(), findings };
  }
}
