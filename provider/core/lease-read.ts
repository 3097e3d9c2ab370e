import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import type { Core } from './core';
import { lookOf, type Look } from './facts';
import { readFault } from './fault-findings';
import type { Findings } from './finding';
import { previewNotes } from './preview-notes';
import { leakWarnings } from './leaked-slots';
import { isReleased } from './lease';
import { replacedOutside } from './lease-plan-delete';
import { idOf, type Named } from './object-id';

/** What a refresh found. `unread`: nothing is known, so the state stays as it is. */
export type ReadResult<T> = { readonly findings: Findings } & ({ readonly kind: 'found'; readonly object: T } | { readonly kind: 'gone' } | { readonly kind: 'unread' });

// Without the right to list, one object may still be readable; a 403 on it too is an error, never "gone".
export async function look(core: Core, named: Named): Promise<Look<MacNodeLease | null>> {
  const listed = await core.facts.lease(named);
  if (listed.seen || listed.error === 'unconfigured' || listed.error.fault !== 'Forbidden') return listed;
  return lookOf(core.plane, (plane) => plane.tryGet(Kinds.MacNodeLease, named));
}

/** Refreshes a lease from the list of its namespace. A Released one is gone; a Held one stays in state. */
export async function readLease(core: Core, stored: Named & { readonly uid: string }): Promise<ReadResult<MacNodeLease>> {
  const seen = await look(core, stored);
  core.run.markRead('lease', idOf(stored), seen.seen ? seen.value?.metadata.uid ?? stored.uid : stored.uid);
  if (!seen.seen) return { kind: 'unread', findings: readFault(seen.error, `read lease ${idOf(stored)}`, core.run) };
  const general = await previewNotes(core, stored.namespace);
  if (seen.value === null || isReleased(seen.value)) return { kind: 'gone', findings: general };
  const findings = [...general, ...leakWarnings(core, seen.value)];
  const other = seen.value.metadata.uid !== stored.uid;
  return { kind: 'found', object: seen.value, findings: other ? [...findings, replacedOutside('lease', stored, stored.uid)] : findings };
}
