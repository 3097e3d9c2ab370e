import type { Verdict } from '../../sdk/rules/verdict';
import { failure, warning, type Finding, type Findings } from './finding';
import { titleOf, type Subject } from './title';

/** What could not be known, as one warning; nothing is said when everything was. */
export function unknownFindings(sentences: readonly string[], subject: Subject, path = ''): Findings {
  if (sentences.length === 0) return [];
  return [warning('NotChecked', path, `${subject.kind} ${subject.id}`, `Not known yet: ${sentences.join('; ')}. Nothing is claimed about it: the apply and the control plane check it again.`)];
}

function refusals(verdict: Verdict, subject: Subject): Finding[] {
  return verdict.refusals.map((r) => failure(r.reason, r.path, titleOf(r.reason, subject), r.message));
}

function notes(verdict: Verdict, subject: Subject): Finding[] {
  return verdict.notes.map((n) => warning(n.reason, n.path, titleOf(n.reason, subject), n.message));
}

/** A verdict in words for a change that may go on while something is unknown. */
export function findingsOf(verdict: Verdict, subject: Subject): Findings {
  return [...refusals(verdict, subject), ...notes(verdict, subject), ...unknownFindings(verdict.undetermined, subject)];
}

/** A verdict in words for something that cannot be undone: what is unknown refuses it. */
export function strictFindingsOf(verdict: Verdict, subject: Subject): Findings {
  const unknown = verdict.undetermined.map((sentence) =>
    failure('NotChecked', '', `${subject.kind} ${subject.id} stays`, `It is not known ${sentence}, and what cannot be undone is not done on a guess. Run it again when the control plane can be asked.`));
  return [...refusals(verdict, subject), ...notes(verdict, subject), ...unknown];
}
