import type { MacNodeLease } from '../../../sdk/api/kinds';
import { tryParseHours } from '../../../sdk/rules/duration';
import type { OnEarlyRelease } from '../../../sdk/rules/judge-release';
import type { Maybe } from '../../../sdk/rules/unknown';
import { DEFAULT_MINIMUM, phaseOf, type LeaseDeclaration, type LeaseTarget, type StoredLease } from '../../core/lease';
import { maybeId } from '../../core/object-id';
import { UNKNOWN, type Unknown } from '../values/unknown';
import { known, maybe } from './holes';
import type { LeasePlanned, LeaseStored } from './lease-schema';

/** The part of a row that the user writes, with defaults filled in. */
export type LeaseInputRow = Pick<LeasePlanned, 'namespace' | 'name' | 'class' | 'serial' | 'minimum_duration' | 'on_early_release' | 'adopt' | 'timeouts'>;

const toUnknown = <T>(value: Maybe<T>): T | Unknown => (typeof value === 'symbol' ? UNKNOWN : value);

type Text = string | Unknown | null;

/** Texts that mean the same keep the form that is in the state, so that they are no difference. */
function unlessSame(next: Text, prior: string | null | undefined, canonical: (text: string) => unknown): Text {
  const isSame = typeof next === 'string' && typeof prior === 'string' && canonical(next) === canonical(prior);
  return isSame ? prior : next;
}

const lower = (serial: string): string => serial.toLowerCase();

/** The configuration with its defaults. What is left out stays as it is in the state: a floor only grows, and no default moves a lease. */
export function resolveLease(config: LeasePlanned, prior: LeaseStored | null, namespace: Maybe<string>): LeaseInputRow {
  const { name, class: className, serial, on_early_release, adopt, timeouts } = config;
  return {
    name, class: className, adopt, timeouts,
    namespace: config.namespace ?? prior?.namespace ?? toUnknown(namespace),
    serial: unlessSame(serial, prior?.serial, lower),
    minimum_duration: unlessSame(config.minimum_duration ?? prior?.minimum_duration ?? DEFAULT_MINIMUM, prior?.minimum_duration, tryParseHours),
    on_early_release: on_early_release ?? 'refuse',
  };
}

export function declarationOf(row: LeaseInputRow): LeaseDeclaration {
  return {
    namespace: maybe(row.namespace) as Maybe<string>, name: maybe(row.name), class: maybe(row.class), serial: maybe(row.serial),
    minimumDuration: maybe(row.minimum_duration) as Maybe<string>, onEarlyRelease: maybe(row.on_early_release) as Maybe<OnEarlyRelease>,
    adopt: maybe(row.adopt ?? false),
  };
}

/** `namespace/name`, or as much of it as is known. */
export function idOfRow({ namespace, name }: { readonly namespace: Text; readonly name: Text }): string | Unknown {
  return toUnknown(maybeId(maybe(namespace) as Maybe<string>, maybe(name) as Maybe<string>));
}

const NOT_YET = { uid: UNKNOWN, phase: UNKNOWN, chassis: UNKNOWN, node: UNKNOWN, bound_at: UNKNOWN, earliest_release_at: UNKNOWN, held_since: UNKNOWN, slots: UNKNOWN };

/** A planned row: what the control plane will report is known only where nothing is written. */
export function plannedLease(row: LeaseInputRow, prior: LeaseStored | null, writes: boolean): LeasePlanned {
  const id = idOfRow({ namespace: row.namespace, name: row.name });
  if (prior === null) return { ...NOT_YET, ...row, id };
  return writes ? { ...NOT_YET, uid: prior.uid, ...row, id } : { ...prior, ...row, id };
}

export function targetOf(row: LeaseInputRow): LeaseTarget {
  return {
    namespace: known(row.namespace, 'namespace') ?? '', name: known(row.name, 'name'), class: known(row.class, 'class'), serial: known(row.serial, 'serial'),
    minimumDuration: known(row.minimum_duration, 'minimum_duration') ?? DEFAULT_MINIMUM, adopt: known(row.adopt, 'adopt') ?? false,
  };
}

export function storedOf(row: LeaseStored): StoredLease {
  return {
    namespace: row.namespace ?? '', name: row.name, uid: row.uid ?? '', class: row.class, serial: row.serial,
    minimumDuration: row.minimum_duration ?? DEFAULT_MINIMUM, onEarlyRelease: row.on_early_release === 'hold' ? 'hold' : 'refuse',
    phase: row.phase ?? 'Pending', chassis: row.chassis, earliestReleaseAt: row.earliest_release_at,
  };
}

/** What a lease on the server reports, as attributes. */
export function outputsOf(lease: MacNodeLease) {
  const { status, metadata } = lease;
  return {
    uid: metadata.uid,
    phase: phaseOf(lease),
    chassis: status?.chassis ?? null,
    node: status?.node ?? null,
    bound_at: status?.boundAt ?? null,
    earliest_release_at: status?.earliestReleaseAt ?? null,
    held_since: status?.heldSince ?? null,
    slots: status?.slots ?? null,
  };
}

/** The state after a change of settings that only the tool knows. */
export function settingsState(prior: LeaseStored, { serial, minimum_duration, on_early_release, adopt, timeouts }: LeaseInputRow): LeaseStored {
  return { ...prior, ...({ serial, minimum_duration, on_early_release, adopt, timeouts } as Partial<LeaseStored>) };
}

/** The state after an apply: what was planned, and what the server reports. */
export function appliedState(row: LeaseInputRow, lease: MacNodeLease): LeaseStored {
  return { ...(row as Omit<LeaseStored, 'id'>), id: idOfRow(row) as string, ...outputsOf(lease) };
}

/** The state after a refresh. Texts that mean the same keep the form of the state. */
export function refreshedState(state: LeaseStored, lease: MacNodeLease): LeaseStored {
  const { spec } = lease;
  return {
    ...state,
    class: spec.class,
    serial: unlessSame(spec.serial ?? null, state.serial, lower) as string | null,
    minimum_duration: unlessSame(spec.minimumDuration, state.minimum_duration, tryParseHours) as string,
    ...outputsOf(lease),
  };
}

/** The state of a lease that is imported: the server knows nothing of the settings that are the tool's own. */
export function importedState(lease: MacNodeLease): LeaseStored {
  const { namespace = '', name } = lease.metadata;
  const blank = { serial: null, minimum_duration: null, adopt: null, timeouts: null, on_early_release: 'refuse', class: lease.spec.class };
  return refreshedState({ ...blank, id: `${namespace}/${name}`, namespace, name, ...outputsOf(lease) }, lease);
}
