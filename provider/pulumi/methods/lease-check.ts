import { hasFailures, type Findings } from '../../core/finding';
import type { LeaseDeclaration, StoredLease } from '../../core/lease';
import { planLeaseCreate } from '../../core/lease-plan-create';
import { planLeaseUpdate } from '../../core/lease-plan-update';
import { ALONE } from '../call';
import type { EngineLog } from '../engine-log';
import { leaseInputs } from '../inputs/lease-inputs';
import { observedOf, storedLease, storedOnServer } from '../inputs/lease-outputs';
import type { Props } from '../props';
import type { Session } from '../session';
import { refusalsOf, refusedLook, tellHoles, type Checked } from './outcome';

/** The lease of the state as the server has it now; the engine passes only the inputs of the state. */
async function priorOf({ core }: Session, olds: Props): Promise<StoredLease> {
  const inState = storedLease(olds);
  const look = await core.facts.lease(inState);
  if (!look.seen) return inState;
  if (look.value === null) return { ...inState, phase: 'Released' };
  const { uid, phase, chassis, earliestReleaseAt } = storedOnServer(look.value);
  return { ...inState, uid, phase, chassis, earliestReleaseAt };
}

/** With `statusInDiff` the status is an input from the second run on, so that the engine shows how it has changed. */
async function observed({ core }: Session, olds: Props, wanted: boolean): Promise<Props> {
  if (!wanted || Object.keys(olds).length === 0) return {};
  const look = await core.facts.lease(storedLease(olds));
  if (look.seen) return look.value === null ? {} : { observed: observedOf(look.value) };
  return olds.observed === undefined ? {} : { observed: olds.observed };
}

/**
 * The Held time that `adopt` ends: an input, so that the engine shows the update. It stays as the last one that was ended, also while
 * nobody can be asked: only another one is a difference, in a refresh as well, which compares the other way round.
 */
async function keptAgain({ core }: Session, olds: Props, keeps: boolean): Promise<Props> {
  const look = keeps ? await core.facts.lease(storedLease(olds)) : undefined;
  if (look?.seen !== true || look.value === null) return olds.keptAgain === undefined ? {} : { keptAgain: olds.keptAgain };
  const { status, metadata } = look.value;
  return { keptAgain: status?.heldSince === undefined ? `Held in generation ${metadata.generation ?? 0}` : `Held since ${status.heldSince}` };
}

interface Judged {
  readonly findings: Findings;
  /** A Held lease that the update takes back. */
  readonly keeps: boolean;
}

async function judge(session: Session, olds: Props, declaration: LeaseDeclaration): Promise<Judged> {
  const { core } = session;
  if (Object.keys(olds).length === 0) return { findings: await planLeaseCreate(core, ALONE, declaration), keeps: false };
  const { findings, keeps } = await planLeaseUpdate(core, await priorOf(session, olds), declaration);
  if (hasFailures(findings)) return { findings, keeps };
  return { findings: [...findings, ...refusedLook(core, await core.facts.lease(storedLease(olds)), `leases of namespace ${storedLease(olds).namespace}`)], keeps };
}

/** Judges the inputs of a lease, before anything is made or changed. `olds` are the inputs in the state, empty for a create and for the second half of a replacement. */
export async function checkLeaseInputs(session: Session, log: EngineLog, olds: Props, news: Props): Promise<Checked> {
  const { declaration, inputs, findings, statusInDiff } = leaseInputs(news, olds, session.namespace);
  if (hasFailures(findings)) return { inputs, failures: refusalsOf(findings) };
  const judged = await judge(session, olds, declaration);
  await tellHoles(log, judged.findings, news);
  const seen = { ...await observed(session, olds, statusInDiff), ...await keptAgain(session, olds, judged.keeps) };
  return { inputs: { ...inputs, ...seen }, failures: refusalsOf(judged.findings) };
}
