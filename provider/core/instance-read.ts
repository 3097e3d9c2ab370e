import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import type { Core } from './core';
import { lookOf, type Look } from './facts';
import { readFault } from './fault-findings';
import { previewNotes } from './preview-notes';
import { replacedOutside } from './lease-plan-delete';
import type { ReadResult } from './lease-read';
import { idOf, type Named } from './object-id';

async function look(core: Core, named: Named): Promise<Look<MacOSInstance | null>> {
  const listed = await core.facts.instance(named);
  if (listed.seen || listed.error === 'unconfigured' || listed.error.fault !== 'Forbidden') return listed;
  return lookOf(core.plane, (plane) => plane.tryGet(Kinds.MacOSInstance, named));
}

/** Refreshes an instance from the list of its namespace. Only an object that does not exist is gone. */
export async function readInstance(core: Core, stored: Named & { readonly uid: string }): Promise<ReadResult<MacOSInstance>> {
  const seen = await look(core, stored);
  core.run.markRead('instance', idOf(stored), seen.seen ? seen.value?.metadata.uid ?? stored.uid : stored.uid);
  if (!seen.seen) return { kind: 'unread', findings: readFault(seen.error, `read instance ${idOf(stored)}`, core.run) };
  const general = await previewNotes(core, stored.namespace);
  if (seen.value === null) return { kind: 'gone', findings: general };
  const other = seen.value.metadata.uid !== stored.uid;
  return { kind: 'found', object: seen.value, findings: other ? [...general, replacedOutside('instance', stored, stored.uid)] : general };
}
