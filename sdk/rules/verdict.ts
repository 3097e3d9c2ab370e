import type { Instant } from './instant';
import { ruleOf, type Reason, type Rule } from './reasons';

/** A refusal as data: an edge only dresses it for its protocol. */
export interface Refusal {
  readonly reason: Reason;
  readonly rule?: Rule;
  /** The input at fault, as a dotted path in camelCase (`minimumDuration`, `shape.memory`); empty for the whole object. */
  readonly path: string;
  /** What was asked, of which object, which rule, until when, what to do now. */
  readonly message: string;
  /** When the refusal ends by itself. */
  readonly until?: Instant;
}

/** What a preview should say without refusing. */
export interface Note {
  readonly reason: Reason | 'BilledUntil' | 'FloorGrows' | 'NewLeases' | 'Adopts';
  readonly path: string;
  readonly message: string;
  readonly until?: Instant;
}

/** The answer of a rule. Allowed only if nothing is refused and nothing that matters is undetermined. */
export interface Verdict {
  /** Every refusal, not the first. */
  readonly refusals: readonly Refusal[];
  /** What could not be known yet, as sentences. */
  readonly undetermined: readonly string[];
  readonly notes: readonly Note[];
}

/** Nothing to say against it. */
export const ALLOWED: Verdict = { refusals: [], undetermined: [], notes: [] };

/** A verdict of one refusal; the rule follows from the reason. */
export function refuse(reason: Reason, path: string, message: string, until?: Instant): Verdict {
  const rule = ruleOf(reason);
  const refusal: Refusal = { reason, path, message, ...(rule === undefined ? {} : { rule }), ...(until === undefined ? {} : { until }) };
  return { ...ALLOWED, refusals: [refusal] };
}

/** A verdict of one unknown. */
export function undetermined(sentence: string): Verdict {
  return { ...ALLOWED, undetermined: [sentence] };
}

/** A verdict that allows, with a remark. */
export function remark(note: Note): Verdict {
  return { ...ALLOWED, notes: [note] };
}

/** All that several rules say, in order. */
export function both(...verdicts: readonly Verdict[]): Verdict {
  return {
    refusals: verdicts.flatMap((v) => v.refusals),
    undetermined: verdicts.flatMap((v) => v.undetermined),
    notes: verdicts.flatMap((v) => v.notes),
  };
}

/** True if nothing is refused and nothing is unknown. */
export function isAllowed(verdict: Verdict): boolean {
  return verdict.refusals.length === 0 && verdict.undetermined.length === 0;
}
