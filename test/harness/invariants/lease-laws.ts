import type { MacNodeBinding } from '../../../sdk/api/kinds';
import { floorOf } from '../../../sdk/rules/duration';
import type { Breach, Evidence } from './evidence';

const NEVER = '1970-01-01T00:00:00Z';

const at = (stamp: string | undefined): number => Date.parse(stamp ?? '');

/** When a claim may end at the earliest by its own word, in milliseconds. */
export function floorEnd({ metadata, spec }: MacNodeBinding): number {
  return at(metadata.creationTimestamp) + floorOf(spec.minimumDuration);
}

/** A claim whose deletion was stamped before its floor. While it stands, nobody else gets the Mac. */
export function isCutShort(claim: MacNodeBinding): boolean {
  return claim.metadata.deletionTimestamp !== undefined && at(claim.metadata.deletionTimestamp) < floorEnd(claim);
}

/**
 * Never handed over before the floor, which a tenant may have raised while the lease lasted: a claim that is gone was deleted after it. Where its
 * deletion was not seen, it counts when it was missed.
 */
export function floor({ claims, leases, aged }: Evidence): Breach[] {
  const raised = new Map((aged ? [] : leases).map(({ object: { status } }) => [status?.bindingUID, at(status?.earliestReleaseAt ?? NEVER)]));
  return claims.flatMap(({ object, isGone, goneBy = Infinity }): Breach[] => {
    const { name, creationTimestamp, deletionTimestamp } = object.metadata;
    const ended = deletionTimestamp === undefined ? goneBy : at(deletionTimestamp);
    if (!isGone || ended >= Math.max(floorEnd(object), raised.get(object.metadata.uid) ?? 0)) return [];
    return [{ law: 'Floor', what: `the claim of ${object.spec.tenant} on Mac ${name}, made ${creationTimestamp}, ended at ${new Date(ended).toISOString()}` }];
  });
}

/** A lease that nobody wanted to end is there; one that holds a Mac has its claim. */
export function noLeaseLost({ leases, claims, asked }: Evidence): Breach[] {
  const standing = new Set(claims.filter(({ isGone }) => !isGone).map(({ object }) => object.metadata.uid));
  return leases.flatMap(({ object: { metadata, status }, isGone }): Breach[] => {
    const name = `lease ${metadata.namespace}/${metadata.name}`;
    const ended = isGone || status?.phase === 'Released';
    if (ended && !asked.has(metadata.uid)) return [{ law: 'NoLeaseLost', what: `${name} is ${isGone ? 'gone' : 'Released'}, and nobody asked for that` }];
    const holds = status?.phase === 'Bound' || status?.phase === 'Held';
    if (!isGone && holds && !standing.has(status?.bindingUID ?? '')) return [{ law: 'NoLeaseLost', what: `${name} is ${status?.phase} without its claim on Mac ${status?.chassis}` }];
    return [];
  });
}
