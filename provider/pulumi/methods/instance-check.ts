import { hasFailures, type Findings } from '../../core/finding';
import { instanceSubject } from '../../core/instance';
import { placeInstance } from '../../core/instance-placement';
import { planInstanceCreate } from '../../core/instance-plan-create';
import { planInstanceUpdate } from '../../core/instance-plan-update';
import { tryParseId } from '../../core/object-id';
import { findingsOf } from '../../core/verdict-findings';
import { ALONE } from '../call';
import type { EngineLog } from '../engine-log';
import { instanceInputs, type InstanceInputs } from '../inputs/instance-inputs';
import { type StateInstance, storedInstance } from '../inputs/instance-outputs';
import type { Props } from '../props';
import type { Session } from '../session';
import { refusalsOf, refusedLook, tellHoles, type Checked } from './outcome';

async function judge({ core }: Session, olds: Props, { declaration }: InstanceInputs): Promise<Findings> {
  if (Object.keys(olds).length === 0) return planInstanceCreate(core, ALONE, declaration);
  const prior = storedInstance(olds);
  const { findings, replaces } = await planInstanceUpdate(core, prior, declaration);
  if (hasFailures(findings)) return findings;
  const look = await core.facts.instance(prior);
  const isGone = look.seen && look.value === null && replaces.length === 0;
  return [...findings, ...refusedLook(core, look, `instances of namespace ${prior.namespace}`), ...(isGone ? await placeAgain(core, prior) : [])];
}

const STALE = 'The state still has this instance, which is gone: run `pulumi refresh`, or preview with --refresh.';

/** One that is in the state and gone on the control plane is made again at the next refresh: it needs a lease as a new one does. */
async function placeAgain(core: Session['core'], prior: StateInstance): Promise<Findings> {
  const lease = tryParseId(prior.lease);
  if (lease === undefined) return [];
  const { verdict, findings } = await placeInstance(core, ALONE, prior, lease);
  return [...findings, ...findingsOf(verdict, instanceSubject(prior, prior.lease)).map((found) => ({ ...found, detail: `${found.detail} ${STALE}` }))];
}

/** Judges the inputs of an instance, before anything is made or changed. */
export async function checkInstanceInputs(session: Session, log: EngineLog, olds: Props, news: Props): Promise<Checked> {
  const read = instanceInputs(news, olds);
  if (hasFailures(read.findings)) return { inputs: read.inputs, failures: refusalsOf(read.findings) };
  const judged = await judge(session, olds, read);
  await tellHoles(log, judged, news);
  return { inputs: read.inputs, failures: refusalsOf(judged) };
}
