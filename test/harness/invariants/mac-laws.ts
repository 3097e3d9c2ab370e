import { nodeName } from '../../../sdk/api/names';
import type { MacNodeBinding, MacNodeLease } from '../../../sdk/api/kinds';
import type { Breach, Evidence } from './evidence';
import { floorEnd, isCutShort } from './lease-laws';

// A claim whose lease was taken away by force ends at its floor, a margin later, not before.
const PATIENCE_MS = 10 * 60_000;

const breach = (what: string): Breach => ({ law: 'NoMacStuck', what });

/** Every Mac is with a lease that lives, or ready for the next one. A claim that was cut short by force is the one that stays, and it is recorded. */
export function noMacStuck(evidence: Evidence): Breach[] {
  const claims = new Map(evidence.claims.filter(({ isGone }) => !isGone).map(({ object }) => [object.metadata.name, object]));
  const leases = new Map(evidence.leases.filter(({ isGone }) => !isGone).map(({ object }) => [object.metadata.uid, object]));
  const recorded = new Set(evidence.rows.filter(({ type }) => type === 'Claim stuck').map(({ serial }) => serial));
  return [
    ...evidence.macs.flatMap((mac) => {
      const claim = claims.get(mac.macNode.metadata.name);
      return claim === undefined ? leftBehind(mac) : claimed(claim, leases.get(claim.spec.leaseUID), mac, { recorded, at: evidence.at });
    }),
    ...[...leases.values()].filter(({ status }) => status?.phase === 'Binding' || status?.phase === 'Releasing').map(({ metadata, status }) => breach(`lease ${metadata.namespace}/${metadata.name} stays ${status?.phase}`)),
  ];
}

const taints = ({ node }: Evidence['macs'][number]): string[] => (node?.spec.taints ?? []).filter(({ key }) => key.startsWith('macrack.io/')).map(({ key, value }) => (value === undefined ? key : `${key}=${value}`));

/** Nobody has the Mac. */
function leftBehind(mac: Evidence['macs'][number]): Breach[] {
  const { macNode: { metadata: { name } }, now } = mac;
  const found: string[] = [];
  if (taints(mac).join() !== 'macrack.io/unleased') found.push(`is tainted ${taints(mac).join() || 'nothing'}`);
  if (now.running.length > 0) found.push(`runs ${now.running.join(', ')}`);
  if (now.disks.length > 0) found.push(`keeps the disks of ${now.disks.join(', ')}`);
  return found.map((what) => breach(`Mac ${name} has no claim and ${what}`));
}

function claimed(claim: MacNodeBinding, lease: MacNodeLease | undefined, mac: Evidence['macs'][number], { recorded, at }: { readonly recorded: ReadonlySet<string | undefined>; readonly at: number }): Breach[] {
  const { name, deletionTimestamp } = claim.metadata;
  if (isCutShort(claim)) return recorded.has(name) ? [] : [breach(`the claim of Mac ${name} was cut short, and that is not recorded`)];
  if (deletionTimestamp !== undefined) return [breach(`the claim of Mac ${name} is deleted since ${deletionTimestamp} and stays`)];
  if (lease === undefined) return at > floorEnd(claim) + PATIENCE_MS ? [breach(`Mac ${name} is claimed for a lease that is gone`)] : [];
  if (lease.status?.node !== nodeName(name)) return [breach(`Mac ${name} is claimed for lease ${lease.metadata.namespace}/${lease.metadata.name}, which has ${lease.status?.node ?? 'none'}`)];
  const wanted = `macrack.io/tenant=${claim.spec.tenant}`;
  return taints(mac).join() === wanted ? [] : [breach(`Mac ${name} is leased to ${claim.spec.tenant} and tainted ${taints(mac).join() || 'nothing'}`)];
}

