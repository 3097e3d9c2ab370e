import { floorOf, formatRemaining, tryParseHours } from './duration';
import { formatInstant, type Instant } from './instant';
import { floorState, type FloorState, type LeaseFacts } from './lease-facts';
import { FLOOR_MS } from './limits';
import { isKnown, type Maybe } from './unknown';
import { ALLOWED, both, refuse, remark, undetermined, type Verdict } from './verdict';

/** The inputs of a lease that its floor protects. */
export interface LeaseInputs {
  readonly namespace: Maybe<string>;
  readonly name: Maybe<string>;
  readonly class: Maybe<string>;
  /** A pin, compared in lower case; null when the operator may choose. */
  readonly serial: Maybe<string | null>;
  readonly minimumDuration: Maybe<string>;
}

/** What a change of a lease's inputs is judged on. */
export interface LeaseChangeFacts {
  readonly lease: LeaseFacts;
  readonly prior: LeaseInputs;
  readonly next: LeaseInputs;
  readonly now: Maybe<Instant>;
}

const REPLACING = ['namespace', 'name', 'class', 'serial'] as const;
type Replacing = (typeof REPLACING)[number];

const canonical = (field: Replacing, value: string | null): string | null => (field === 'serial' ? value?.toLowerCase() ?? null : value);

/** How one protected input changes: not at all, for sure, or unknown. */
function changeOf(field: Replacing, { prior, next }: LeaseChangeFacts): 'same' | 'changed' | 'unknown' {
  const was: Maybe<string | null> = prior[field];
  const is: Maybe<string | null> = next[field];
  if (!isKnown(was) || !isKnown(is)) return 'unknown';
  return canonical(field, was) === canonical(field, is) ? 'same' : 'changed';
}

/** A minimum duration that goes down; one that cannot be read counts as the shortest. */
export function isLowered(prior: Maybe<string>, next: Maybe<string>): boolean {
  return isKnown(prior) && isKnown(next) && floorOf(next) < floorOf(prior);
}

/** The inputs whose change replaces the lease (allowed only past the floor): class, serial, namespace, name, and a lower minimum. */
export function replacedBy(facts: LeaseChangeFacts): readonly (Replacing | 'minimumDuration')[] {
  const fields = REPLACING.filter((f) => changeOf(f, facts) === 'changed');
  return isLowered(facts.prior.minimumDuration, facts.next.minimumDuration) ? [...fields, 'minimumDuration'] : fields;
}

const show = (value: Maybe<string | null>): string => (typeof value === 'string' ? value : 'unset');

function until(floor: FloorState, now: Maybe<Instant>): string {
  if (floor.kind !== 'inside' || floor.until === undefined) return 'its floor has just begun and ends 24h or more from now';
  return `its floor ends at ${formatInstant(floor.until)}${isKnown(now) ? `, in ${formatRemaining(floor.until - now)}` : ''}`;
}

function immutable(field: Replacing, facts: LeaseChangeFacts, floor: FloorState): Verdict {
  const { lease, prior, next } = facts;
  return refuse('LeaseImmutable', field, `Lease ${lease.namespace}/${lease.name} cannot change ${field} from ${show(prior[field])} to ${show(next[field])}: that replaces the lease, and ${until(floor, facts.now)}. `
    + `Apple's licence, section 3A(ii), makes a lease last at least 24 consecutive hours; on_early_release = "hold" does not permit a replacement. `
    + `Undo the change, or make it after that instant, or lease another Mac under another name.`, floor.kind === 'inside' ? floor.until : undefined);
}

function lowered(facts: LeaseChangeFacts, floor: FloorState): Verdict {
  const { lease, prior, next } = facts;
  return refuse('FloorTooShort', 'minimumDuration', `Lease ${lease.namespace}/${lease.name} cannot lower its minimum duration from ${show(prior.minimumDuration)} to ${show(next.minimumDuration)}: a floor only grows (licence, section 3A(ii)), `
    + `and ${until(floor, facts.now)}. Set it back; after that instant a lower one replaces the lease.`, floor.kind === 'inside' ? floor.until : undefined);
}

function judgeField(field: Replacing, facts: LeaseChangeFacts, floor: FloorState): Verdict {
  const change = changeOf(field, facts);
  if (change === 'same' || floor.kind === 'unbound' || floor.kind === 'past') return ALLOWED;
  if (change === 'unknown' || floor.kind === 'unknown') return undetermined(`whether ${field} of lease ${facts.lease.namespace}/${facts.lease.name} may change`);
  return immutable(field, facts, floor);
}

const ENDING: ReadonlySet<unknown> = new Set(['Releasing', 'Released']);

/** The wipe has begun once the floor passed: a floor that is raised then would end after the Mac is given back. A replacement makes a floor of its own. */
function judgeRaise(facts: LeaseChangeFacts): Verdict {
  const { lease, prior, next } = facts;
  if (!isLowered(next.minimumDuration, prior.minimumDuration) || replacedBy(facts).length > 0) return ALLOWED;
  if (!isKnown(lease.phase)) return undetermined(`whether lease ${lease.namespace}/${lease.name} is ending`);
  if (!ENDING.has(lease.phase)) return ALLOWED;
  return refuse('LeaseImmutable', 'minimumDuration', `Lease ${lease.namespace}/${lease.name} is ${lease.phase} and cannot raise its minimum duration from ${show(prior.minimumDuration)} to ${show(next.minimumDuration)}: its floor has passed, and its Mac is being given back. `
    + `Set it back, or lease another Mac under another name, or under this one once the lease is gone.`);
}

function judgeMinimum(facts: LeaseChangeFacts, floor: FloorState): Verdict {
  if (!isLowered(facts.prior.minimumDuration, facts.next.minimumDuration)) return ALLOWED;
  if (floor.kind === 'unbound' || floor.kind === 'past') return ALLOWED;
  return floor.kind === 'unknown' ? undetermined(`whether the floor of lease ${facts.lease.namespace}/${facts.lease.name} has passed`) : lowered(facts, floor);
}

/** Rule 3 for changes: inside the floor the identity of a lease is fixed and its floor only grows; once the lease is ending it does not grow either. */
export function judgeLeaseChange(facts: LeaseChangeFacts): Verdict {
  const floor = floorState(facts.lease, facts.now);
  return both(...REPLACING.map((f) => judgeField(f, facts, floor)), judgeMinimum(facts, floor), judgeRaise(facts));
}

/** Rule 3 for a new floor: whole hours, at least 24. Longer ones are remarked on, since a floor only grows. */
export function judgeMinimumDuration(minimumDuration: Maybe<string>): Verdict {
  if (!isKnown(minimumDuration)) return undetermined('minimumDuration');
  const asked = tryParseHours(minimumDuration);
  if (asked === undefined || asked === FLOOR_MS) return ALLOWED;
  if (asked < FLOOR_MS) {
    return refuse('FloorTooShort', 'minimumDuration', `A lease cannot have a minimum duration of ${minimumDuration}: Apple's licence, section 3A(ii), makes a lease last at least 24 consecutive hours, for as long as it runs. Use 24h or more, up to 8760h.`);
  }
  return remark({ reason: 'FloorGrows', path: 'minimumDuration', message: `A minimum duration of ${minimumDuration} bills the Mac for at least that long; once applied it can be raised, not lowered.` });
}
