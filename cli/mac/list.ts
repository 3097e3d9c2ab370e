import { isFresh } from '../../operator/reconcile/node/report';
import { Kinds, type MacNode, type MacNodeBinding } from '../../sdk/api/kinds';
import { Condition } from '../../sdk/api/phases';
import type { Instant } from '../../sdk/rules/instant';
import { onFleet, print, type AccessOptions } from './access';
import { table } from './table';

interface Row {
  readonly serial: string;
  readonly class: string;
  /** In service, or why it takes no lease or starts nothing. */
  readonly state: string;
  readonly lease: string;
  readonly tenant: string;
  readonly vms: number;
  readonly lastSeen: string;
}

function stateOf(macNode: MacNode, now: Instant): string {
  const ready = macNode.status?.conditions?.find(({ type }) => type === Condition.Ready);
  if (macNode.spec.retired) return 'Retired';
  const state = isFresh(macNode, now) ? (ready?.status === 'True' ? 'Ready' : `NotReady (${ready?.reason ?? 'no report'})`) : ready === undefined ? 'Enrolled' : ready.status === 'False' ? `NotReady (${ready.reason})` : 'Silent';
  return macNode.spec.cordoned ? `${state}, Cordoned` : state;
}

/** What the administrator sees of one Mac. */
export function rowOf(macNode: MacNode, claim: MacNodeBinding | undefined, now: Instant): Row {
  return {
    serial: macNode.metadata.name, class: macNode.spec.class, state: stateOf(macNode, now),
    lease: claim === undefined ? '' : `${claim.spec.leaseNamespace}/${claim.spec.leaseName}`, tenant: claim?.spec.tenant ?? '',
    vms: macNode.status?.vmCount ?? 0, lastSeen: macNode.status?.lastSeen ?? '',
  };
}

/** Every enrolled Mac, with its state and its lease. */
export async function list(options: AccessOptions): Promise<void> {
  await onFleet(options, async (plane) => {
    const [macNodes, claims, now] = await Promise.all([plane.list(Kinds.MacNode), plane.list(Kinds.MacNodeBinding), plane.serverTime()]);
    const claimOf = new Map(claims.items.map((claim) => [claim.metadata.name, claim]));
    const rows = macNodes.items.map((macNode) => rowOf(macNode, claimOf.get(macNode.metadata.name), now));
    if (options.output === 'json') return print(JSON.stringify(rows));
    print(table(['SERIAL', 'CLASS', 'STATE', 'LEASE', 'VMS', 'LAST-SEEN'], rows.map((r) => [r.serial, r.class, r.state, r.lease || '-', String(r.vms), r.lastSeen || 'never'])));
  });
}
