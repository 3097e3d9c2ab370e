import type { Core } from './core';
import { failure, type Findings, type ManagedKind } from './finding';
import { idOf, type Named } from './object-id';
import type { Wish } from './run';

/** Refuses a run in which one address keeps, makes or imports the object that another address destroys: both are one object, and it would be gone. */
export function tornApart({ run }: Pick<Core, 'run'>, kind: ManagedKind, named: Named, wish: Wish): Findings {
  if (run.walk === 'apply' || !run.isTorn(kind, idOf(named), wish)) return [];
  return [failure('AlreadyExists', wish === 'have' ? 'name' : '', `${kind} ${idOf(named)} has two addresses`, `One address of this configuration has ${kind} ${idOf(named)}, and another one, which is in the state, destroys it: they are one and the same, and it would be gone. `
    + `If the resource was renamed, or its key changed, say so with a block \`moved { from = … to = … }\`; do not import it. To make it anew under its name, let this run destroy it and write it again in the next.`)];
}
