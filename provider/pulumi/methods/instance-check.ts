import { hasFailures, type Findings } from '../../core/finding';
import { planInstanceCreate } from '../../core/instance-plan-create';
import { planInstanceUpdate } from '../../core/instance-plan-update';
import { ALONE } from '../call';
import type { EngineLog } from '../engine-log';
import { instanceInputs, type InstanceInputs } from '../inputs/instance-inputs';
import { storedInstance } from '../inputs/instance-outputs';
import type { Props } from '../props';
import type { Session } from '../session';
import { refusalsOf, refusedLook, tellHoles, type Checked } from './outcome';

async function judge({ core }: Session, olds: Props, { declaration }: InstanceInputs): Promise<Findings> {
  if (Object.keys(olds).length === 0) return planInstanceCreate(core, ALONE, declaration);
  const prior = storedInstance(olds);
  const { findings } = await planInstanceUpdate(core, prior, declaration);
  return hasFailures(findings) ? findings : [...findings, ...refusedLook(core, await core.facts.instance(prior), `instances of namespace ${prior.namespace}`)];
}

/** Judges the inputs of an instance, before anything is made or changed. */
export async function checkInstanceInputs(session: Session, log: EngineLog, olds: Props, news: Props): Promise<Checked> {
  const read = instanceInputs(news, olds);
  if (hasFailures(read.findings)) return { inputs: read.inputs, failures: refusalsOf(read.findings) };
  const judged = await judge(session, olds, read);
  await tellHoles(log, judged, news);
  return { inputs: read.inputs, failures: refusalsOf(judged) };
}
