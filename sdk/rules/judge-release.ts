import { formatRemaining } from './duration';
import { formatInstant, type Instant } from './instant';
import { floorState, type LeaseFacts } from './lease-facts';
import { isKnown, type Maybe } from './unknown';
import { ALLOWED, refuse, remark, undetermined, type Verdict } from './verdict';

/** What a tool does when asked to release a lease before its floor. */
export type OnEarlyRelease = 'refuse' | 'hold';

/** What the day floor is judged on when a lease is to go. */
export interface ReleaseFacts {
  readonly lease: LeaseFacts;
  /** Taken from what was applied, never from the configuration of this run. */
  readonly onEarlyRelease: OnEarlyRelease;
  /** Why it goes, as a phrase: `destroyed`, `removed from the configuration`, `replaced because class changes from base to pro`. */
  readonly cause: string;
  /** A replacement is never held: the new lease cannot take the name. */
  readonly replacement: boolean;
  readonly now: Maybe<Instant>;
}

const section = "Apple's licence, section 3A(ii), makes a lease last at least 24 consecutive hours";

const macOf = ({ serial }: LeaseFacts): string => (isKnown(serial) && serial !== null ? ` (Mac ${serial})` : '');

function early(facts: ReleaseFacts, until: Instant | undefined): Verdict {
  const { lease, now } = facts;
  const when = until === undefined ? 'it is being bound now, so its floor ends 24h or more from now'
    : `its floor ends at ${formatInstant(until)}${isKnown(now) ? `, in ${formatRemaining(until - now)}` : ''}`;
  const exit = facts.replacement ? 'Undo the change, or make it after that instant; meanwhile lease another Mac under another name.'
    : 'Keep it until then, or first apply on_early_release = "hold" (it counts from what is applied): the release then leaves the lease Held and billed until that instant. '
      + 'One refused lease refuses the whole destroy.';
  return refuse('EarlyRelease', '', `Lease ${lease.namespace}/${lease.name}${macOf(lease)} would be ${facts.cause}, but ${when}. ${section}. ${exit}`, until);
}

function held({ lease, now }: ReleaseFacts, until: Instant | undefined): Verdict {
  const text = until === undefined ? 'until the end of its floor, which is being stamped now'
    : `until ${formatInstant(until)}${isKnown(now) ? `, billed for ${formatRemaining(until - now)} more` : ''}`;
  return remark({ reason: 'BilledUntil', path: '', message: `Lease ${lease.namespace}/${lease.name}${macOf(lease)} becomes Held ${text}; nobody else gets the Mac before, and it is released by itself then.`, ...(until === undefined ? {} : { until }) });
}

/** Rule 3: a lease goes at or after its floor; earlier only by becoming Held, and never as part of a replacement. */
export function judgeRelease(facts: ReleaseFacts): Verdict {
  const floor = floorState(facts.lease, facts.now);
  switch (floor.kind) {
    case 'unbound':
    case 'past':
      return ALLOWED;
    case 'unknown':
      return undetermined(`whether the floor of lease ${facts.lease.namespace}/${facts.lease.name} has passed`);
    case 'inside':
      return facts.onEarlyRelease === 'hold' && !facts.replacement ? held(facts, floor.until) : early(facts, floor.until);
  }
}
