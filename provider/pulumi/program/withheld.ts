import { hasFailures, type Finding, type Findings } from '../../core/finding';
import { sentenceOf } from '../wording';
import type { Declared } from './declaration';

/** A resource that was judged with others. */
interface Member {
  readonly declared: Declared;
  readonly findings: Findings;
  /** "namespace/name" of a lease that the control plane does not have yet; undefined for everything else. */
  readonly newLease: string | undefined;
}

const reasons = new WeakMap<Declared, string>();
const refusals = new WeakMap<object, Finding>();

/**
 * Notes the new leases that a run must not make because something that is declared with them, or before them, is refused. Without a preview
 * the engine asks about a third machine only when its lease exists, and a lease cannot be undone for a day.
 * @param run whatever is the same for all groups of one run
 */
export function withholdNewLeases(run: object, members: readonly Member[]): void {
  const refusal = refusals.get(run) ?? members.flatMap(({ findings }) => findings).find(({ severity }) => severity === 'error');
  if (refusal === undefined) return;
  refusals.set(run, refusal);
  for (const { declared, findings, newLease } of members) {
    if (newLease !== undefined && !hasFailures(findings)) reasons.set(declared, sentenceOf(because(refusal, newLease)));
  }
}

function because({ title, detail, ...refusal }: Finding, lease: string): Finding {
  return { ...refusal, title: `lease ${lease} is not made, since something else of the program is refused`, detail: `${title}. ${detail}` };
}

/** Why a lease is not made, in one paragraph; undefined for one that is. */
export function whyWithheld(declared: Declared): string | undefined {
  return reasons.get(declared);
}
