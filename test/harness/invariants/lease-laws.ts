import type { MacNodeBinding } from '../../../sdk/api/kinds';
import { floorOf } from '../../../sdk/rules/duration';
import type { Breach, Evidence } from './evidence';

const at = (stamp: string | undefined): number => Date.parse(stamp ?? '');

/** When a claim may end at the earliest, in milliseconds. */
export function floorEnd({ metadata, spec }: MacNodeBinding, leaseMinimum?: string): number {
  return at(metadata.creationTimestamp) + Math.max(floorOf(spec.minimumDuration), floorOf(leaseMinimum));
}

/** A claim whose deletion was stamped before its floor. While it stands, nobody else gets the Mac. */
export function isCutShort(claim: MacNodeBinding): boolean {
  return claim.metadata.deletionTimestamp !== undefined && at(claim.metadata.deletionTimestamp) < floorEnd(claim);
}

/** Never handed over before the floor: a claim that is gone was deleted after it. Where its deletion was not seen, it counts when it was missed. */
export function floor({ claims, leases }: Evidence): Breach[] {
  const minimum = new Map(leases.map(({ object }) => [object.metadata.uid, object.spec.minimumDuration]));
  return claims.flatMap(({ object, isGone, goneBy = Infinity }): Breach[] => {
    const { name, creationTimestamp, deletionTimestamp } = object.metadata;
    const ended = deletionTimestamp === undefined ? goneBy : at(deletionTimestamp);
    if (!isGone || ended >= floorEnd(object, minimum.get(object.spec.leaseUID))) return [];
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
