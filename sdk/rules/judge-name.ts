import { formatInstant, type Instant } from './instant';
import { floorState, type LeaseFacts } from './lease-facts';
import { isKnown, type Maybe } from './unknown';
import { ALLOWED, refuse, remark, undetermined, type Verdict } from './verdict';

/** A lease that already has the name. */
export interface NamedLease extends LeaseFacts {
  readonly class: string;
  /** False after a raw DELETE: such a lease ends at its floor whatever anybody does. */
  readonly keepable: boolean;
}

/** What a new lease's name is judged on. */
export interface NameFacts {
  readonly namespace: string;
  readonly name: string;
  readonly class: Maybe<string>;
  readonly adopt: boolean;
  /** The lease on the server that has the name; null when it is free. */
  readonly existing: Maybe<NamedLease | null>;
  readonly now: Maybe<Instant>;
}

function ending(existing: NamedLease): string {
  return isKnown(existing.earliestReleaseAt) && existing.earliestReleaseAt !== null ? `until ${formatInstant(existing.earliestReleaseAt)}, and billed until then` : 'until the end of its floor';
}

function nameHeld(facts: NameFacts, existing: NamedLease, exit: string): Verdict {
  const end = existing.earliestReleaseAt;
  return refuse('NameHeld', 'name', `A new lease cannot be called ${facts.namespace}/${facts.name}: the lease of that name is Held ${ending(existing)}. `
    + `A Held lease keeps its name and its Mac until its floor (licence, section 3A(ii)). ${exit}`, isKnown(end) && end !== null ? end : undefined);
}

function judgeAdoption(facts: NameFacts, existing: NamedLease): Verdict {
  if (!existing.keepable) return nameHeld(facts, existing, 'It was deleted on the server, so it cannot be kept. Choose another name, or wait.');
  if (!isKnown(facts.class)) return undetermined(`whether lease ${facts.namespace}/${facts.name} may be adopted: its class`);
  if (facts.class !== existing.class) return nameHeld(facts, existing, `It is of class ${existing.class}, not ${facts.class}, so it cannot be adopted. Choose another name, or set class = "${existing.class}".`);
  return remark({ reason: 'Adopts', path: 'name', message: `Adopts the Held lease ${facts.namespace}/${facts.name}: it becomes Bound again, and its floor does not change.` });
}

/** A name that belongs to a Held lease is not free, unless the lease may be kept and the user says so. */
export function judgeName(facts: NameFacts): Verdict {
  if (!isKnown(facts.existing)) return undetermined(`whether the name ${facts.namespace}/${facts.name} is free`);
  if (facts.existing === null || facts.existing.phase !== 'Held') return ALLOWED;
  if (facts.adopt) return judgeAdoption(facts, facts.existing);
  const exit = facts.existing.keepable ? 'Set adopt = true to keep it (floor unchanged), choose another name, or wait.' : 'Choose another name, or wait.';
  // Past the floor it is about to be Released; until then the name is still taken.
  return floorState(facts.existing, facts.now).kind === 'unbound' ? ALLOWED : nameHeld(facts, facts.existing, exit);
}
