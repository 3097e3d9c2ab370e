import { Kinds } from '../../sdk/api/kinds';
import { onFleet, print, type AccessOptions } from './access';
import { findOrphans, type Orphan } from './find-orphans';

const paragraph = ({ kind, serial, since, what, todo }: Orphan): string => `${kind} on Mac ${serial} since ${since}\n  ${what}\n  to do: ${todo}`;

/** Prints what has lost its other half. Resolves to the exit status: 0 for nothing, 2 for something. */
export async function orphans(options: AccessOptions): Promise<number> {
  return onFleet(options, async (plane) => {
    // Claims before leases: a lease is never younger than its claim, so that one that is being bound now is no orphan.
    const claims = await plane.list(Kinds.MacNodeBinding);
    const [leases, instances, macNodes, now] = await Promise.all([plane.list(Kinds.MacNodeLease), plane.list(Kinds.MacOSInstance), plane.list(Kinds.MacNode), plane.serverTime()]);
    const found = findOrphans({ now, claims: claims.items, leases: leases.items, instances: instances.items, macNodes: macNodes.items });
    if (options.output === 'json') print(JSON.stringify(found));
    else print(found.length === 0 ? 'No claim without a lease, no machine without a claim, no Mac without an agent, no idle lease past its floor.' : found.map(paragraph).join('\n'));
    return found.length === 0 ? 0 : 2;
  });
}
