import type { MacNodeLease } from '../../sdk/api/kinds';
import { judgeRelease, type ReleaseFacts } from '../../sdk/rules/judge-release';
import type { Core } from './core';
import { essentialFault } from './fault-findings';
import { ownerOf } from './own';
import { warning, type Finding, type Findings } from './finding';
import { previewNotes } from './preview-notes';
import { factsOf, isReleased, leaseSubject, type StoredLease } from './lease';
import { idOf, type Named } from './object-id';
import { strictFindingsOf } from './verdict-findings';

/** Somebody deleted the object in state and made another of its name. */
export function replacedOutside(kind: 'lease' | 'instance', named: Named, uid: string): Finding {
  return warning('ReplacedOutside', '', `${kind} ${idOf(named)} is another one now`, `The ${kind} in this state (uid ${uid}) is gone, and somebody made another one of its name. What the state says of it is out of date; the new one is shown and was not changed.`);
}

/**
 * A lease that another resource has taken over, of this program or of another one, is that one's to release: two states must not both do.
 * null: it is this resource's still, or nobody says whose.
 */
export function ownedElsewhere(prior: StoredLease, lease: MacNodeLease): Finding | null {
  const owner = ownerOf(lease);
  if (prior.owner === undefined || owner === undefined || owner === prior.owner) return null;
  return warning('OwnedElsewhere', '', `lease ${idOf(prior)} is kept by another resource now`, `It was adopted by ${owner}. It only leaves this state: it is not released, and stays billed until that resource releases it.`);
}

/** Why a lease goes, as a phrase, and whether another one of its name is to follow. */
export type Going = Pick<ReleaseFacts, 'cause' | 'replacement'>;

const DESTROYED: Going = { cause: 'destroyed or removed from the configuration', replacement: false };

/** What a preview says of a lease that is to go: refused before its floor, unless `on_early_release = "hold"` has been applied and nothing replaces it. */
export async function planLeaseDelete(core: Core, prior: StoredLease, going: Going = DESTROYED): Promise<Findings> {
  core.run.markPreview();
  core.run.declareLease(idOf(prior), { fate: 'delete', class: prior.class, serial: prior.chassis ?? prior.serial, becomesBound: false });
  const look = await core.facts.lease(prior);
  if (!look.seen) return [essentialFault(look.error, `release lease ${idOf(prior)}`)];
  const general = await previewNotes(core, prior.namespace);
  if (look.value === null || isReleased(look.value)) return general;
  if (look.value.metadata.uid !== prior.uid) return [...general, replacedOutside('lease', prior, prior.uid)];
  const elsewhere = ownedElsewhere(prior, look.value);
  if (elsewhere !== null) return [...general, elsewhere];
  const verdict = judgeRelease({ lease: factsOf(look.value), onEarlyRelease: prior.onEarlyRelease, ...going, now: await core.facts.now() });
  return [...general, ...strictFindingsOf(verdict, leaseSubject(prior))];
}
