import { formatInstant, type Instant } from './instant';
import { isKnown, type Maybe } from './unknown';
import { ALLOWED, refuse, remark, undetermined, type Verdict } from './verdict';

/** What capacity is judged on, for all new leases of one class together. */
export interface CapacityFacts {
  readonly class: string;
  /** New leases of the class that this run wants. */
  readonly wanted: number;
  /** Unleased Macs of the class, as the server says. */
  readonly free: Maybe<number>;
  /** When the next Mac of the class may come free, as the server says; null when it does not know of one. Default null. */
  readonly nextRelease?: Instant | null;
  /** The lease that would be given up first, when this is a replacement. */
  readonly replaces?: string;
}

/** A shortage is a warning, since Macs come free; for a replacement it is a refusal, since the old lease would be lost. */
export function judgeCapacity({ class: name, wanted, free, nextRelease = null, replaces }: CapacityFacts): Verdict {
  if (!isKnown(free)) return undetermined(`how many Macs of class ${name} are free`);
  if (wanted <= free) return ALLOWED;
  const shortage = `${wanted} of class ${name} wanted, ${free} free now${nextRelease === null ? '' : `, and the next may come free at ${formatInstant(nextRelease)}`}`;
  if (replaces !== undefined) {
    return refuse('NoCapacity', 'class', `Lease ${replaces} cannot be replaced: ${shortage}, so the old lease would be lost before a new one is had. Lease the new one under another name first.`);
  }
  return remark({ reason: 'NoCapacity', path: 'class', message: `No Mac may be free for this lease: ${shortage}. Apply waits up to the create timeout, then fails, and nothing is billed.` });
}

/** What a pin is judged on. */
export interface SerialFacts {
  readonly serial: string;
  /** False for a serial that is absent or leased by anybody; which of them it is must not reach a tenant. */
  readonly available: Maybe<boolean>;
  /** The lease of the same configuration that has the Mac or pins it: its author's own, so it may be named. */
  readonly alsoOf?: { readonly id: string; readonly isNew: boolean };
}

const ONE_AT_A_TIME = 'A Mac serves one lease at a time (licence, section 3A(iii)), for as long as that lasts.';

/** One text for every unavailable serial: a tenant learns nothing about others from it. Of two leases of one configuration it says so. */
export function judgeSerial({ serial, available, alsoOf }: SerialFacts): Verdict {
  const mac = `Mac ${serial.toLowerCase()}`;
  if (alsoOf !== undefined) {
    return refuse('SerialUnavailable', 'serial', `${mac} is not available to lease: another lease of this configuration, ${alsoOf.id}, ${alsoOf.isNew ? 'pins the same serial' : 'has that Mac or pins it'}. ${ONE_AT_A_TIME} `
      + 'Pin another serial in one of the two, or leave serial unset and let the operator choose.');
  }
  if (!isKnown(available)) return undetermined(`whether ${mac} is available`);
  return available ? ALLOWED : refuse('SerialUnavailable', 'serial', `${mac} is not available to lease. ${ONE_AT_A_TIME} Pin another serial, or leave serial unset and let the operator choose.`);
}
