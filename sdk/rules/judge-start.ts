import { formatRemaining } from './duration';
import type { Instant } from './instant';
import { INSTANCES_PER_CHASSIS } from './limits';
import { isKnown, type Maybe } from './unknown';
import { ALLOWED, refuse, undetermined, type Verdict } from './verdict';

/** An instance that takes one of the two slots of a lease: it exists on the server, or this run declares it. */
export interface Holder {
  readonly namespace: string;
  readonly name: string;
  /** Its phase on the server (Running, Stopped, ...), or `declared` for one that this run is about to make. */
  readonly state: string;
  /** Who asked for it, where that is known. */
  readonly owner?: string;
  /** When it was created. */
  readonly since?: Instant;
}

/** What the two-machine rule is judged on. */
export interface StartFacts {
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly serial: Maybe<string | null>;
  /** Instances that stay. Failed ones hold no slot and are ignored; stopped ones count. Unknown when the server cannot be asked. */
  readonly holders: Maybe<readonly Holder[]>;
  /** Instances that are asked for; one that is also among the holders counts once. */
  readonly starting: readonly Holder[];
  readonly now: Maybe<Instant>;
}

const key = (h: Holder): string => `${h.namespace}/${h.name}`;

function distinct(holders: readonly Holder[]): Holder[] {
  const live = holders.filter((h) => h.state !== 'Failed');
  return [...new Map(live.map((h) => [key(h), h])).values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function describe(holder: Holder, now: Maybe<Instant>): string {
  const age = holder.since === undefined || !isKnown(now) ? '' : `, ${formatRemaining(now - holder.since)} old`;
  const owner = holder.owner === undefined ? '' : `, of ${holder.owner}`;
  return `${key(holder)} (${holder.state}${age}${owner})`;
}

function message(facts: StartFacts, staying: readonly Holder[], asked: readonly Holder[]): string {
  const lease = `${facts.lease.namespace}/${facts.lease.name}`;
  const mac = isKnown(facts.serial) && facts.serial !== null ? ` (Mac ${facts.serial})` : '';
  const held = staying.length === 0 ? 'Nothing holds a slot yet' : `Its slots are held by ${staying.map((h) => describe(h, facts.now)).join(' and ')}`;
  const free = staying[0] ?? asked[0];
  const exit = free === undefined ? '' : staying.length === 0
    ? `Remove one of them from the configuration, or lease another Mac.`
    : `Free a slot with \`kubectl delete macosinstance ${free.name} -n ${free.namespace}\` or by removing it from the configuration, or lease another Mac.`;
  return `Lease ${lease}${mac} takes ${INSTANCES_PER_CHASSIS} instances, and ${staying.length + asked.length} are asked for. ${held}; refused: ${asked.map(key).join(', ')}. `
    + `Apple's licence, section 2B(iii), permits ${INSTANCES_PER_CHASSIS} macOS virtual machines on a Mac; this does not end with time, and a stopped instance counts. ${exit}`;
}

/** Rule 1: at most two instances on a lease, those on the server and those asked for together. */
export function judgeStart(facts: StartFacts): Verdict {
  const staying = isKnown(facts.holders) ? distinct(facts.holders) : [];
  const taken = new Set(staying.map(key));
  const asked = distinct(facts.starting).filter((h) => !taken.has(key(h)));
  if (asked.length > 0 && staying.length + asked.length > INSTANCES_PER_CHASSIS) {
    return refuse('ThirdInstance', 'lease', message(facts, staying, asked));
  }
  if (!isKnown(facts.holders) && asked.length > 0) {
    return undetermined(`which instances already run on lease ${facts.lease.namespace}/${facts.lease.name}`);
  }
  return ALLOWED;
}
