import type { Findings } from '../../core/finding';
import { tryParseId, type Named } from '../../core/object-id';
import { sentenceOf } from '../wording';
import { MethodError } from './held-session';

/** The object that an id names. */
export function idIn(id: string): Named {
  const named = tryParseId(id);
  if (named === undefined) throw new MethodError(`InvalidValue: ${JSON.stringify(id)} is no id. An id is "namespace/name". Write it so.`);
  return named;
}

/** A look that told nothing: what is not known to be gone stays in the state, and what cannot be read is not refreshed. */
export function doubtful(findings: Findings): MethodError {
  return new MethodError(findings.map(sentenceOf).join('\n'));
}
