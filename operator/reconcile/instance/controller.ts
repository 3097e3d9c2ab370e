import type { Context } from '../context';
import type { Controller } from '../engine/converge';
import { decideGroup } from './decide';
import { gatherGroup, type GroupFacts } from './facts';
import { performGroup } from './perform';
import type { InstanceStep } from './steps';

/** Reconciles the instances of one lease, by `namespace/lease`. */
export function instanceController(context: Context): Controller<GroupFacts, InstanceStep> {
  return {
    gather: (view, key) => gatherGroup(context, view, key),
    decide: decideGroup,
    perform: (step, facts) => performGroup(context, step, facts),
    isReversible: (step) => step.do === 'WriteStatus' && step.reversible,
  };
}
