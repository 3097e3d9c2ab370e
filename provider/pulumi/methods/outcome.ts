import type { Core } from '../../core/core';
import type { Look } from '../../core/facts';
import { auxiliaryFault } from '../../core/fault-findings';
import type { Findings } from '../../core/finding';
import type { EngineLog } from '../engine-log';
import { isHole } from '../holes';
import { tryParseOwner } from '../inputs/owner';
import type { Props } from '../props';
import { sentenceOf } from '../wording';
import { MethodError } from './held-session';

/** What `check` answers: inputs with defaults, and why they are refused. */
export interface Checked {
  readonly inputs: Props;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** Refusals of a check, each at the input that it is about. The engine shows the value of that input, which is never secret. */
export function refusalsOf(findings: Findings): Checked['failures'] {
  return findings.filter(({ severity }) => severity === 'error').map((finding) => ({ property: finding.path.split('.')[0] ?? '', reason: sentenceOf(finding) }));
}

/** A look that the control plane answers with a refusal of the credentials ends the run, also where nothing else depends on it: an update would get no further. */
export function refusedLook({ run }: Core, look: Look<unknown>, what: string): Findings {
  return look.seen ? [] : auxiliaryFault(look.error, what, run);
}

const errorsOf = (findings: Findings): string[] => findings.filter(({ severity }) => severity === 'error').map(sentenceOf);

/** Shows the warnings at their resource. */
export async function tellWarnings(log: EngineLog, findings: Findings, { owner }: Props): Promise<void> {
  const urn = tryParseOwner(typeof owner === 'string' ? owner : undefined)?.urn ?? '';
  for (const finding of findings.filter(({ severity }) => severity === 'warning')) await log.say('warning', sentenceOf(finding), urn);
}

/** What a check could not judge, in the preview that cannot know it. Other warnings are said by the program, once for a run. */
export function tellHoles(log: EngineLog, findings: Findings, props: Props): Promise<void> {
  return tellWarnings(log, findings.filter(isHole), props);
}

/** What a refresh says of one resource. Held leases and what is true of the whole control plane are told of by the program. */
export function tellDrift(log: EngineLog, findings: Findings, props: Props): Promise<void> {
  return tellWarnings(log, findings.filter(({ reason }) => reason !== 'Held' && reason !== 'NotTamperProof'), props);
}

/** Fails for the errors among the findings, if there are any. */
export function failFor(findings: Findings): void {
  const errors = errorsOf(findings);
  if (errors.length > 0) throw new MethodError(errors.join('\n'));
}

/** Something exists and is not as it was asked for. The engine keeps it in the state, and tries again with an update. */
class PartialError extends MethodError {
  constructor(message: string, readonly id: string, readonly properties: Props, readonly reasons: readonly string[]) {
    super(message);
  }
}

/** Fails for the errors, if there are any, and keeps in the state what is there. */
export function failKeeping(findings: Findings, id: string, properties: Props): void {
  const errors = errorsOf(findings);
  if (errors.length > 0) throw new PartialError(errors.join('\n'), id, properties, errors);
}
