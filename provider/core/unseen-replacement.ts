import type { Core } from './core';
import { failure, type Findings, type ManagedKind } from './finding';
import { idOf, type Named } from './object-id';

/**
 * Refuses to make what the state has already, while the control plane cannot be asked about it. Tools that replace by force (-replace, a tainted
 * state, a trigger) tell a provider of the create alone, and the object would be destroyed before anybody looked at its floor.
 */
export function unseenReplacement({ run }: Pick<Core, 'run'>, kind: ManagedKind, named: Named): Findings {
  if (run.walk === 'apply' || !run.isStored(kind, idOf(named)) || (kind === 'lease' && run.isReplaced(idOf(named)))) return [];
  return [failure('NotChecked', '', `${kind} ${idOf(named)} stays`, `It is in the state, and making it anew would destroy it first (by -replace, because its state is tainted, or by a trigger). The control plane cannot be asked whether it may go, `
    + `and what cannot be undone is not done on a guess. Run it again when the control plane can be asked; where its address comes from another resource of this run, apply that one first.`)];
}
