import type { MacNodeLease } from '../../sdk/api/kinds';
import type { OnEarlyRelease } from '../../sdk/rules/judge-release';
import type { LeaseInputs } from '../../sdk/rules/judge-lease-change';
import type { NamedLease } from '../../sdk/rules/judge-name';
import type { LeaseFacts } from '../../sdk/rules/lease-facts';
import { tryParseInstant } from '../../sdk/rules/instant';
import type { Maybe } from '../../sdk/rules/unknown';
import { idOf, type Named } from './object-id';
import type { Owner } from './ownership';
import type { Subject } from './title';

/** A lease as a configuration declares it; defaults are filled in already. */
export interface LeaseDeclaration extends LeaseInputs {
  readonly onEarlyRelease: Maybe<OnEarlyRelease>;
  readonly adopt: Maybe<boolean>;
  readonly owner?: Owner;
}

/** The same without holes, as it is applied. */
export interface LeaseTarget extends Named {
  readonly class: string;
  readonly serial: string | null;
  readonly minimumDuration: string;
  readonly adopt: boolean;
  readonly owner?: Owner;
}

/** A lease as the state of a tool holds it. */
export interface StoredLease extends Named {
  readonly uid: string;
  readonly class: string;
  readonly serial: string | null;
  readonly minimumDuration: string;
  readonly onEarlyRelease: OnEarlyRelease;
  /** Unknown to a tool whose state does not say it, while the control plane cannot be asked. */
  readonly phase: Maybe<string>;
  readonly chassis: string | null;
  /** RFC 3339; null while nothing is bound. */
  readonly earliestReleaseAt: string | null;
  /** The resource whose state it is. */
  readonly owner?: Owner;
}

export const DEFAULT_MINIMUM = '24h';

export function leaseSubject(lease: Named): Subject {
  return { kind: 'lease', id: idOf(lease) };
}

/** A lease that the operator has not looked at yet is Pending. */
export function phaseOf(lease: MacNodeLease): string {
  return lease.status?.phase ?? 'Pending';
}

/** Released for good: its name is free again. */
export function isReleased(lease: MacNodeLease): boolean {
  return phaseOf(lease) === 'Released';
}

const nameOf = ({ metadata }: MacNodeLease): Named => ({ namespace: metadata.namespace ?? '', name: metadata.name });

/** What the rules want to know of a lease on the server. */
export function factsOf(lease: MacNodeLease): NamedLease {
  const { status, spec, metadata } = lease;
  return {
    ...nameOf(lease),
    class: spec.class,
    serial: status?.chassis ?? null,
    phase: phaseOf(lease),
    earliestReleaseAt: status?.earliestReleaseAt === undefined ? null : tryParseInstant(status.earliestReleaseAt) ?? null,
    keepable: metadata.deletionTimestamp === undefined,
  };
}

/** The same from the state, when the server cannot be asked. */
export function storedFacts(lease: StoredLease): LeaseFacts {
  const { namespace, name, chassis, phase, earliestReleaseAt } = lease;
  return { namespace, name, serial: chassis, phase, earliestReleaseAt: earliestReleaseAt === null ? null : tryParseInstant(earliestReleaseAt) ?? null };
}
