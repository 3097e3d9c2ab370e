import type { Core } from './core';
import { failure, type Findings, type ManagedKind } from './finding';
import { idOf, type Named } from './object-id';
import type { Owner } from './ownership';

/** Refuses the second create of one name in a run: the control plane has one object of a name, and two resources cannot own it. */
export function createdTwice(core: Pick<Core, 'run' | 'wording'>, kind: ManagedKind, named: Named): Findings {
  return core.run.isFirstCreate(kind, idOf(named)) ? [] : twoOf(core, kind, named);
}

/** Refuses a resource whose object another one of the run keeps already: with `adopt` it would be taken from that one. */
export function keptTwice(core: Pick<Core, 'run' | 'wording'>, kind: ManagedKind, named: Named, owner: Owner): Findings {
  return core.run.isKeeper(kind, idOf(named), owner) ? [] : twoOf(core, kind, named);
}

function twoOf({ wording }: Pick<Core, 'wording'>, kind: ManagedKind, named: Named): Findings {
  return [failure('AlreadyExists', 'name', `two resources of this configuration have the name ${idOf(named)}`,
    `Two resources of this configuration declare ${kind} ${idOf(named)}. A namespace has one ${kind} of a name, which could be only one of them, for as long as both are written. `
    + `Give one of them another name, or remove it. ${wording.nameInLoop}`)];
}
