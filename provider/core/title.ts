import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import type { FindingReason, ManagedKind } from './finding';
import { maybeId } from './object-id';

/** The object that a verdict is about. */
export interface Subject {
  readonly kind: ManagedKind;
  readonly id: string;
  /** The lease of an instance. */
  readonly lease?: string;
}

/** An object whose name or namespace a preview may not know yet; its id then says which. */
export function maybeSubject(kind: ManagedKind, namespace: Maybe<string>, name: Maybe<string>): Subject {
  const id = maybeId(namespace, name);
  if (isKnown(id)) return { kind, id };
  return { kind, id: isKnown(name) ? `${name} of a namespace that is not known yet` : 'of a name that is not known yet' };
}

type Titles = Partial<Record<FindingReason, (subject: Subject, lease: string) => string>>;

const TITLES: Titles = {
  ThirdInstance: (_subject, lease) => `lease ${lease} takes two instances`,
  CrossTenant: ({ id }) => `instance ${id} asks for the Mac of another tenant`,
  EarlyRelease: (_subject, lease) => `lease ${lease} cannot go before its floor`,
  FloorTooShort: (_subject, lease) => `the floor of lease ${lease} would be too short`,
  LeaseImmutable: (_subject, lease) => `lease ${lease} cannot make that change`,
  LeaseNotBound: (_subject, lease) => `lease ${lease} is not Bound`,
  LeaseNotFound: (_subject, lease) => `there is no lease ${lease}`,
  NameHeld: (_subject, lease) => `the name ${lease} belongs to a Held lease`,
  SerialUnavailable: (_subject, lease) => `the Mac that lease ${lease} pins is not available`,
  ShapeTooLarge: (_subject, lease) => `the instances of lease ${lease} do not fit its Mac`,
  NoCapacity: (_subject, lease) => `too few Macs are free for lease ${lease}`,
  BilledUntil: (_subject, lease) => `lease ${lease} becomes Held`,
  FloorGrows: (_subject, lease) => `the floor of lease ${lease} can be raised, never lowered`,
  Adopts: (_subject, lease) => `lease ${lease} is adopted`,
};

/** A few words on what is wrong with `subject`. */
export function titleOf(reason: FindingReason, subject: Subject): string {
  const lease = subject.kind === 'lease' ? subject.id : subject.lease ?? 'of this instance';
  return TITLES[reason]?.(subject, lease) ?? `${subject.kind} ${subject.id}`;
}
