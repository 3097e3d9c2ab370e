import { tryParseHours } from '../../../sdk/rules/duration';
import type { OnEarlyRelease } from '../../../sdk/rules/judge-release';
import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import type { Finding } from '../../core/finding';
import { DEFAULT_MINIMUM, type LeaseDeclaration } from '../../core/lease';
import { checkLease, type LeaseText } from '../../core/lease-check';
import { maybeId } from '../../core/object-id';
import { checkTimeouts } from '../../core/timeouts';
import { isSet, toProp, type Props } from '../props';
import { Fields } from './fields';
import { ownerFor } from './owner';
import { readTimeouts } from './timeouts-input';

/** What a program may write. */
export const LEASE_FIELDS = ['class', 'name', 'namespace', 'serial', 'minimumDuration', 'onEarlyRelease', 'adopt', 'timeouts', 'statusInDiff'] as const;

/** What the package and `check` add to the inputs. */
export const LEASE_HIDDEN = ['owner', 'leaseId', 'observed', 'keptAgain', '__provider'] as const;

/** Inputs of a lease, read and completed. */
export interface LeaseInputs {
  readonly declaration: LeaseDeclaration;
  /** The inputs as they go into the state, with defaults filled in. */
  readonly inputs: Props;
  readonly statusInDiff: boolean;
  /** What can be said without asking anybody. */
  readonly findings: readonly Finding[];
}

const CLASS = 'base, pro or studio';

/** A text that means the same as the one in the state keeps that form, so that it is no difference. */
function unlessSame<T extends string | null>(next: Maybe<T>, prior: unknown, canonical: (text: string) => unknown): Maybe<T> {
  const isSame = typeof next === 'string' && typeof prior === 'string' && canonical(next) === canonical(prior);
  return isSame ? prior as T : next;
}

const orElse = (value: Maybe<string | null>, fallback: Maybe<string>): Maybe<string> => (value === null ? fallback : value);

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Reads the inputs of a lease. What is left out stays as `olds`, the inputs of the state, have it: a floor only grows, and no default
 * moves a lease to another namespace. `namespace` is the default of a new one.
 */
export function leaseInputs(news: Props, olds: Props, namespace: Maybe<string>): LeaseInputs {
  const fields = new Fields('MacNodeLease', news, LEASE_FIELDS, LEASE_HIDDEN);
  const written: LeaseText = {
    namespace: fields.text('namespace'), name: fields.required('name', fields.text('name'), 'a DNS label'), class: fields.required('class', fields.text('class'), CLASS),
    serial: fields.text('serial'), minimumDuration: fields.text('minimumDuration'), onEarlyRelease: fields.text('onEarlyRelease'),
  };
  const adopt: Maybe<boolean | null> = fields.flag('adopt');
  const statusInDiff = fields.flag('statusInDiff');
  const timeouts = readTimeouts(fields, 'MacNodeLease');
  const declaration: LeaseDeclaration = {
    name: written.name, class: written.class,
    namespace: orElse(written.namespace, text(olds.namespace) ?? namespace),
    serial: unlessSame(written.serial, olds.serial, (serial) => serial.toLowerCase()),
    minimumDuration: unlessSame<string>(orElse(written.minimumDuration, text(olds.minimumDuration) ?? DEFAULT_MINIMUM), olds.minimumDuration, tryParseHours),
    onEarlyRelease: orElse(written.onEarlyRelease, 'refuse') as Maybe<OnEarlyRelease>,
    adopt: adopt === null ? false : adopt,
    owner: ownerFor(news.owner),
  };
  const leaseId = maybeId(declaration.namespace, declaration.name);
  const findings = [...fields.findings, ...checkLease(written), ...checkTimeouts(timeouts)];
  return { declaration, findings, statusInDiff: statusInDiff === true, inputs: completed(news, declaration, leaseId) };
}

function completed(news: Props, { namespace, name, serial, minimumDuration, onEarlyRelease }: LeaseDeclaration, leaseId: Maybe<string>): Props {
  const { observed: _observed, keptAgain: _keptAgain, ...written } = news;
  const filled = { namespace: toProp(namespace), name: toProp(name), serial: isKnown(serial) ? serial : toProp(UNKNOWN), minimumDuration: toProp(minimumDuration), onEarlyRelease: toProp(onEarlyRelease), leaseId: toProp(leaseId) };
  return Object.fromEntries(Object.entries({ ...written, ...filled }).filter(([, value]) => isSet(value)));
}
