import { floorOf } from '../../sdk/rules/duration';
import { isLowered, judgeLeaseChange, judgeMinimumDuration, replacedBy, type LeaseChangeFacts } from '../../sdk/rules/judge-lease-change';
import { judgeName } from '../../sdk/rules/judge-name';
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
import { ofUid } from './lease-keep';
import { ownedElsewhere } from './lease-plan-delete';
import { capacityFindings } from './new-leases';
import { idOf } from './object-id';
import { isOwnedBy } from './ownership';
import { findingsOf, strictFindingsOf } from './verdict-findings';

/** What a preview says of a lease that is in the state and in the configuration. */
export interface LeaseUpdatePlan {
  readonly findings: Findings;
  /** Inputs whose change replaces the lease, delete first. */
  readonly replaces: readonly string[];
  /** The control plane's object changes, and with it what it reports. */
  readonly writes: boolean;
  /** The lease is Held, and the apply takes it back. */
  readonly keeps: boolean;
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

/**
 * What is said of a Held lease that `adopt` takes back, in the words of one that is adopted at its create; empty where none is taken back.
 * One that another resource has adopted since is that one's: an `adopt` that stays in a configuration does not take it away again.
 */
async function keepFindings(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<Findings> {
  if (next.adopt !== true || prior.phase !== 'Held') return [];
  const look = await core.facts.lease(prior);
  const lease = look.seen ? ofUid(look.value, prior.uid) : null;
  if (lease === null || (ownedElsewhere(prior, lease) !== null && !isOwnedBy(lease, next.owner))) return [];
  const { namespace, name } = prior;
  const verdict = judgeName({ namespace, name, class: prior.class, adopt: true, existing: factsOf(lease), now: await core.facts.now() });
  return verdict.refusals.length === 0 ? findingsOf(verdict, leaseSubject(prior)) : [];
}

/** A floor that begins anew, for as long as it has not passed. */
async function raiseFindings(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<Findings> {
  const [lease, unseen] = await current(core, prior);
  const verdict = judgeLeaseChange({ lease, prior, next, now: await core.facts.now() });
  const notes = { ...judgeMinimumDuration(next.minimumDuration), refusals: [] };
  return [...unseen, ...findingsOf(both(verdict, notes), leaseSubject(prior))];
}

export async function planLeaseUpdate(core: Core, prior: StoredLease, next: LeaseDeclaration): Promise<LeaseUpdatePlan> {
  core.run.markStored('lease', idOf(prior));
  const facts: LeaseChangeFacts = { lease: storedFacts(prior), prior, next, now: instant(0) };
  const replaces = replacements(facts, next);
  const kept = replaces.length === 0 ? await keepFindings(core, prior, next) : [];
  const keeps = kept.length > 0;
  core.run.declareLease(idOf(prior), { fate: replaces.length > 0 ? 'delete' : 'keep', class: prior.class, serial: prior.chassis ?? prior.serial, becomesBound: keeps });
  const twice = replaces.length > 0 ? [] : keptTwice(core, 'lease', prior, next.owner);
  const general = await previewNotes(core, prior.namespace);
  if (replaces.length > 0) {
    const [lease, unseen] = await current(core, prior);
    return { findings: [...general, ...unseen, ...await replaceFindings(core, prior, next, lease, await core.facts.now())], replaces, writes: true, keeps };
  }
  const raised = isRaised(prior.minimumDuration, next.minimumDuration) && !isLowered(prior.minimumDuration, next.minimumDuration);
  return { findings: [...twice, ...general, ...kept, ...raised ? await raiseFindings(core, prior, next) : []], replaces, writes: raised || keeps, keeps };
}
