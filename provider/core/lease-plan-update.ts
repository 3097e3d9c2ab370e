import { floorOf } from '../../sdk/rules/duration';
import { isLowered, judgeLeaseChange, judgeMinimumDuration, replacedBy, type LeaseChangeFacts } from '../../sdk/rules/judge-lease-change';
import { floorState, type LeaseFacts } from '../../sdk/rules/lease-facts';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import { both } from '../../sdk/rules/verdict';
import { instant, type Instant } from '../../sdk/rules/instant';
import { Kinds } from '../../sdk/api/kinds';
import type { Core } from './core';
import { keptTwice } from './created-twice';
import { dryRunFindings } from './dry-run';
import { auxiliaryFault } from './fault-findings';
import type { Findings } from './finding';
import { previewNotes } from './preview-notes';
import { factsOf, leaseSubject, storedFacts, type LeaseDeclaration, type StoredLease } from './lease';
import { leaseBody } from './lease-body';
import { capacityFindings } from './new-leases';
import { idOf } from './object-id';
import { findingsOf, strictFindingsOf } from './verdict-findings';

/** What a preview says of a lease that is in the state and in the configuration. */
export interface LeaseUpdatePlan {
  readonly findings: Findings;
  /** Inputs whose change replaces the lease, delete first. */
  readonly replaces: readonly string[];
  /** The control plane's object changes, and with it what it reports. */
  readonly writes: boolean;
}

const PROTECTED = ['namespace', 'name', 'class', 'serial'] as const;

const unknownInputs = (next: LeaseDeclaration): string[] => PROTECTED.filter((field) => !isKnown(next[field] as Maybe<unknown>));

const isRaised = (prior: string, next: Maybe<string>): boolean => !isKnown(next) || floorOf(next) > floorOf(prior);

/** A minimum can only be lowered by a new lease, and only once the old floor has passed; with no lease bound as well. */
function replacements(facts: LeaseChangeFacts, next: LeaseDeclaration): readonly string[] {
  return [...replacedBy(facts), ...unknownInputs(next)];
}

async function current(core: Core, prior: StoredLease): Promise<readonly [LeaseFacts, Findings]> {
  const look = await core.facts.lease(prior);
  if (!look.seen) return [storedFacts(prior), auxiliaryFault(look.error, `leases of namespace ${prior.namespace}`, core.run)];
  return [look.value === null ? storedFacts(prior) : factsOf(look.value), []];
}

async function replaceFindings(core: Core, prior: StoredLease, next: LeaseDeclaration, lease: LeaseFacts, now: Maybe<Instant>): Promise<Findings> {
  const subject = leaseSubject(prior);
  core.run.markReplaced(idOf(prior));
  const facts: LeaseChangeFacts = { lease, prior, next, now };
  const verdict = judgeLeaseChange(facts);
  const judged = strictFindingsOf(verdict, subject);
  if (judged.length > 0) return judged;
  const pinned = await pinFindings(core, prior, next);
  if (pinned.length > 0 || !isKnown(next.class) || floorState(lease, now).kind === 'unbound') return pinned;
  return capacityFindings(core, subject, next.class, 1, idOf(prior));
}

/** Asks for the new pin before the old lease is given up, under a name that is free: that of the old lease would be refused as taken. */
async function pinFindings(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<Findings> {
  const { class: className, serial, minimumDuration, namespace } = next;
  if (typeof serial !== 'string' || serial.toLowerCase() === prior.chassis || !isKnown(className) || !isKnown(minimumDuration) || !isKnown(namespace)) return [];
  const probe = leaseBody({ namespace, name: `check-${prior.uid.slice(0, 8)}`, class: className, serial, minimumDuration, adopt: false });
  return (await dryRunFindings(core, Kinds.MacNodeLease, probe, leaseSubject(prior))).filter(({ reason }) => reason === 'SerialUnavailable');
}

async function isKeptAgain(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<boolean> {
  if (next.adopt !== true || prior.phase !== 'Held') return false;
  const look = await core.facts.lease(prior);
  return look.seen && look.value?.metadata.uid === prior.uid && factsOf(look.value).keepable;
}

/** A floor that begins anew, for as long as it has not passed. */
async function raiseFindings(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<Findings> {
  const [lease, unseen] = await current(core, prior);
  const verdict = judgeLeaseChange({ lease, prior, next, now: await core.facts.now() });
  const notes = { ...judgeMinimumDuration(next.minimumDuration), refusals: [] };
  return [...unseen, ...findingsOf(both(verdict, notes), leaseSubject(prior))];
}

export async function planLeaseUpdate(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<LeaseUpdatePlan> {
  const facts: LeaseChangeFacts = { lease: storedFacts(prior), prior, next, now: instant(0) };
  const replaces = replacements(facts, next);
  const keeps = replaces.length === 0 && await isKeptAgain(core, prior, next);
  core.run.declareLease(idOf(prior), { fate: replaces.length > 0 ? 'delete' : 'keep', class: prior.class, serial: prior.chassis ?? prior.serial, becomesBound: keeps });
  const twice = replaces.length > 0 ? [] : keptTwice(core, 'lease', prior, next.owner);
  const general = await previewNotes(core, prior.namespace);
  if (replaces.length > 0) {
    const [lease, unseen] = await current(core, prior);
    return { findings: [...general, ...unseen, ...await replaceFindings(core, prior, next, lease, await core.facts.now())], replaces, writes: true };
  }
  const raised = isRaised(prior.minimumDuration, next.minimumDuration) && !isLowered(prior.minimumDuration, next.minimumDuration);
  return { findings: [...twice, ...general, ...raised ? await raiseFindings(core, prior, next) : []], replaces, writes: raised || keeps };
}
