import type { Core } from './core';
import { essentialFault } from './fault-findings';
import type { Findings } from './finding';
import { previewNotes } from './preview-notes';
import { sizesOf, type StoredInstance } from './instance';
import { replacedOutside } from './lease-plan-delete';
import { idOf } from './object-id';

/** An instance may go at any time; a destroy that cannot be checked is refused. */
export async function planInstanceDelete(core: Core, prior: StoredInstance): Promise<Findings> {
  core.run.markPreview();
  core.run.declareInstance(prior.lease, idOf(prior), { fate: 'delete', shape: sizesOf(prior.shape), failed: prior.phase === 'Failed' });
  const look = await core.facts.instance(prior);
  if (!look.seen) return [essentialFault(look.error, `delete instance ${idOf(prior)}`)];
  const general = await previewNotes(core, prior.namespace);
  const isOther = look.value !== null && look.value.metadata.uid !== prior.uid;
  return isOther ? [...general, replacedOutside('instance', prior, prior.uid)] : general;
}
