import type { ControlPlane } from '../../sdk/client/control-plane';
import { PlaneError } from '../../sdk/client/errors';
import type { Core } from './core';
import { essentialFault } from './fault-findings';
import { failure, type Finding, type Findings } from './finding';

/** How an apply ended: what is on the server now (null: nothing of ours), and what there is to say. */
export interface Applied<T> {
  readonly object: T | null;
  readonly findings: Findings;
}

/** Marks the run as one that writes, and gives what it writes to. */
export function beginApply(core: Core): ControlPlane | Finding {
  core.run.markApplying();
  return core.plane ?? failure('NotChecked', '', 'the control plane is not known', 'The provider is configured with values that are still unknown, so nothing can be applied. Apply the resources that they come from first.');
}

/** A refusal of the control plane in words; anything else is a bug and goes on. */
export function faultOf(error: unknown, what: string): Finding {
  if (error instanceof PlaneError) return essentialFault(error, what);
  throw error;
}
