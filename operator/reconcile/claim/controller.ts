import type { Context } from '../context';
import type { Controller } from '../engine/converge';
import { decideClaim, isReadyToEnd, type ClaimStep } from './decide';
import { gatherClaim, type ClaimFacts } from './facts';
import { performClaim } from './perform';

/** Reconciles the end of a claim, by serial. */
export function claimController(context: Context): Controller<ClaimFacts, ClaimStep> {
  return {
    gather: (view, key) => gatherClaim(context, view, key, isReadyToEnd),
    decide: decideClaim,
    perform: (step, facts) => performClaim(context, step, facts),
    isReversible: () => false,
  };
}
