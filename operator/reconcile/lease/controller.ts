import type { Context } from '../context';
import type { Controller } from '../engine/converge';
import { decideLease } from './decide';
import { gatherLease, type LeaseFacts } from './facts';
import { performLease } from './perform';
import type { LeaseStep } from './steps';

/** Reconciles a lease, by `namespace/name`. */
export function leaseController(context: Context): Controller<LeaseFacts, LeaseStep> {
  return {
    gather: (view, key) => gatherLease(context, view, key),
    decide: decideLease,
    perform: (step, facts) => performLease(context, step, facts),
    isReversible: (step) => step.do === 'WriteStatus' && step.reversible,
  };
}
