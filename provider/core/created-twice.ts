import type { Core } from './core';
import { failure, type Findings, type ManagedKind } from './finding';
import { idOf, type Named } from './object-id';

/** Refuses the second create of one name in a run: the control plane has one object of a name, and two resources cannot own it. */
export function createdTwice({ run, wording }: Pick<Core, 'run' | 'wording'>, kind: ManagedKind, named: Named): Findings {
  if (run.isFirstCreate(kind, idOf(named))) return [];
  return [failure('AlreadyExists', 'name', `two resources of this configuration have the name ${idOf(named)}`,
    `Two resources of this configuration declare ${kind} ${idOf(named)}. A namespace has one ${kind} of a name, which could be only one of them, for as long as both are written. `
    + `Give one of them another name, or remove it. ${wording.nameInLoop}`)];
}
