import { CLASSES } from '../../sdk/api/phases';
import { SERIAL_PATTERN } from '../../sdk/api/names';
import { tryParseHours } from '../../sdk/rules/duration';
import { judgeMinimumDuration } from '../../sdk/rules/judge-lease-change';
import { LONGEST_FLOOR_MS } from '../../sdk/rules/limits';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import { failure, type Findings } from './finding';
import { checkName, checkNamespace } from './name-check';
import { titleOf } from './title';

/** What can be said of a lease's inputs without asking anybody. null: not set. */
export interface LeaseText {
  readonly namespace: Maybe<string | null>;
  readonly name: Maybe<string>;
  readonly class: Maybe<string>;
  readonly serial: Maybe<string | null>;
  readonly minimumDuration: Maybe<string | null>;
  readonly onEarlyRelease: Maybe<string | null>;
}

function checkClass(value: Maybe<string>): Findings {
  if (!isKnown(value) || (CLASSES as readonly string[]).includes(value)) return [];
  return [failure('InvalidValue', 'class', `there is no class ${JSON.stringify(value)}`, `Classes of Macs are ${CLASSES.join(', ')}. Use one of them.`)];
}

function checkSerial(value: Maybe<string | null>): Findings {
  if (!isKnown(value) || value === null || SERIAL_PATTERN.test(value)) return [];
  return [failure('InvalidValue', 'serial', `${JSON.stringify(value)} is no serial number`, 'A serial number has 1 to 32 letters and digits, in either case. Copy it from the Mac, or leave serial unset and let the operator choose a Mac.')];
}

const HOURS = 'It is written in whole hours with an h, from "24h" to "8760h" (one year), for example "48h".';

function checkMinimum(value: Maybe<string | null>, name: Maybe<string>): Findings {
  if (!isKnown(value) || value === null) return [];
  const asked = tryParseHours(value);
  if (asked === undefined) return [failure('InvalidValue', 'minimumDuration', `${JSON.stringify(value)} is no minimum duration`, HOURS)];
  if (asked > LONGEST_FLOOR_MS) return [failure('InvalidValue', 'minimumDuration', `a minimum duration of ${value} is too long`, `${HOURS} A floor only grows, so a longer one could never be taken back.`)];
  const subject = { kind: 'lease', id: isKnown(name) ? name : 'with a name that is not known yet' } as const;
  return judgeMinimumDuration(value).refusals.map((r) => failure(r.reason, r.path, titleOf(r.reason, subject), r.message));
}

function checkOnEarlyRelease(value: Maybe<string | null>): Findings {
  if (!isKnown(value) || value === null || value === 'refuse' || value === 'hold') return [];
  return [failure('InvalidValue', 'onEarlyRelease', `${JSON.stringify(value)} says nothing about an early release`, 'It is "refuse" (the default: a destroy before the floor is refused at plan) or "hold" (the lease becomes Held, and billed, until its floor).')];
}

/** Every fault of the inputs, each with what is allowed and what to do. */
export function checkLease(lease: LeaseText): Findings {
  return [
    ...checkNamespace(lease.namespace), ...checkName(lease.name, 'lease'), ...checkClass(lease.class),
    ...checkSerial(lease.serial), ...checkMinimum(lease.minimumDuration, lease.name), ...checkOnEarlyRelease(lease.onEarlyRelease),
  ];
}
