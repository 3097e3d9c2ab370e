import { CLOCK_NAME, Kinds, nodeName, podName, type Clock, type MacNodeBinding, type MacNodeLease, type MacOSInstance, type Pod } from '../../../sdk/api';
import type { Instant } from '../../../sdk/rules/instant';
import { LeaseKeys } from '../../audit/lease-keys';
import { doubtOf } from '../agents/ask';
import type { Doubt } from '../agents/doubts';
import type { Context } from '../context';
import type { View } from '../engine/view';
import type { MacFacts } from '../node/bindable';

/** What the API and the record know of a claim. */
export interface KnownOfClaim {
  readonly now: Instant;
  readonly claim: MacNodeBinding;
  /** The lease with the UID that the claim names; null when it is gone. */
  readonly lease: MacNodeLease | null;
  readonly mac: MacFacts;
  readonly instances: readonly MacOSInstance[];
  readonly pods: readonly Pod[];
  /** Undefined where this view does not know it. */
  readonly clock: Clock | null | undefined;
  readonly rows: { readonly writable: boolean; readonly orphaned: boolean; readonly stuck: boolean; readonly intent: boolean; readonly released: boolean };
  readonly live: boolean;
}

/** What the end of a claim is reconciled on. */
export interface ClaimFacts extends KnownOfClaim {
  /** What the Mac itself said, where the claim is about to end: null for wiped, undefined where it was not asked. */
  readonly doubt: Doubt | null | undefined;
}

/** A Mac that the administrator has taken out of service counts as wiped: it is in no pool, and nobody waits for its answer. */
export function isOutOfService({ macNode }: MacFacts): boolean {
  return macNode === null || macNode.spec.retired;
}

async function askBeforeEnd(context: Context, facts: KnownOfClaim, isReadyToEnd: (facts: KnownOfClaim) => boolean): Promise<Doubt | null | undefined> {
  const { mac, now, live, claim } = facts;
  if (mac.macNode === null || isOutOfService(mac)) {
    context.stores.doubts.clear(claim.metadata.name);
    return null;
  }
  return live && isReadyToEnd(facts) ? doubtOf(context, mac.macNode, now) : undefined;
}

async function rowsOf({ audit }: Context, bindingUID: string): Promise<ClaimFacts['rows']> {
  try {
    const [writable, orphaned, stuck, intent, released] = await Promise.all([
      audit.writable(), audit.has(LeaseKeys.orphaned(bindingUID)), audit.has(LeaseKeys.stuck(bindingUID)), audit.openIntent(LeaseKeys.release(bindingUID)), audit.has(LeaseKeys.released(bindingUID)),
    ]);
    return { writable, orphaned, stuck, intent: intent !== undefined, released };
  } catch {
    return { writable: false, orphaned: true, stuck: true, intent: false, released: true };
  }
}

async function podsOf(view: View, { leaseNamespace: namespace, leaseName }: MacNodeBinding['spec']): Promise<Pod[]> {
  const pods = await Promise.all([0, 1].map((slot) => view.get(Kinds.Pod, { namespace, name: podName(leaseName, slot) })));
  return pods.filter((p) => p !== null);
}

/** Reads a claim and all that hangs on it, and asks its Mac when it is ready to end; null when it is gone. */
export async function gatherClaim(context: Context, view: View, serial: string, isReadyToEnd: (facts: KnownOfClaim) => boolean): Promise<ClaimFacts | null> {
  const claim = await view.get(Kinds.MacNodeBinding, { name: serial });
  if (claim === null) return null;
  const { spec, metadata } = claim;
  const [named, macNode, node, instances, pods, clock, rows, now] = await Promise.all([
    view.get(Kinds.MacNodeLease, { namespace: spec.leaseNamespace, name: spec.leaseName }),
    view.get(Kinds.MacNode, { name: serial }), view.get(Kinds.Node, { name: nodeName(serial) }),
    view.instancesOf(spec.leaseNamespace, spec.leaseName), podsOf(view, spec),
    view.live ? view.get(Kinds.Clock, { name: CLOCK_NAME }) : undefined, rowsOf(context, metadata.uid), view.now(),
  ]);
  const lease = named?.metadata.uid === spec.leaseUID ? named : null;
  const facts = { now, claim, lease, mac: { macNode, node, claim }, instances, pods, clock, rows, live: view.live };
  return { ...facts, doubt: await askBeforeEnd(context, facts, isReadyToEnd) };
}
