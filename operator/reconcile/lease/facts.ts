import { Finalizer, Kinds, nodeName, type MacNode, type MacNodeBinding, type MacNodeLease } from '../../../sdk/api';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { INSTANCES_PER_CHASSIS } from '../../../sdk/rules/limits';
import { LeaseKeys } from '../../audit/lease-keys';
import { doubtOf } from '../agents/ask';
import type { Doubt } from '../agents/doubts';
import type { Context } from '../context';
import type { Stores } from '../engine/stores';
import type { View } from '../engine/view';
import { hasFinalizer } from '../engine/write';
import { whyNotBindable, type MacFacts } from '../node/bindable';
import { wantsRelease } from './asks';
import { assign } from './waiting-line';

/** Which rows of the lease are in the record. With a store that cannot be read they count as there: nothing is written, nothing is held up. */
export interface LeaseRows { readonly writable: boolean; readonly bound: boolean; readonly held: boolean; readonly released: boolean; readonly lost: boolean }

/** What a lease is reconciled on. */
export interface LeaseFacts {
  readonly now: Instant;
  readonly lease: MacNodeLease;
  /** The Mac of the lease, or the one that the waiting line gives it; null for none. */
  readonly serial: string | null;
  readonly mac: MacFacts;
  /** The claim that names this lease's UID. */
  readonly claim: MacNodeBinding | null;
  readonly slots: { readonly total: number; readonly used: number; readonly leaked: number };
  readonly rows: LeaseRows;
  readonly live: boolean;
  /** What the Mac itself said, where the next step would claim it: null for the enrolled Mac with nothing on it, undefined where it was not asked. */
  readonly doubt: Doubt | null | undefined;
  /** The newest doubt about the lease's Mac that stands. */
  readonly doubted: Doubt | undefined;
  /** When the first Mac that would do, and whose agent gave no good answer, is asked again. */
  readonly retryAt: Instant | undefined;
}

const bindable = (stores: Stores, macNode: MacNode, now: Instant): boolean =>
  whyNotBindable({ macNode, node: stores.nodes.get(nodeName(macNode.metadata.name)) ?? null, claim: stores.claims.get(macNode.metadata.name) ?? null }, now) === null;


/** Macs of a class that could be bound now, as far as the watches tell and as nobody who was asked has denied. */
export function freeSerials(stores: Stores, className: string, now: Instant): string[] {
  return stores.macNodes.by('class', className).filter((m) => bindable(stores, m, now) && stores.doubts.standing(m.metadata.name, now) === undefined).map((m) => m.metadata.name);
}

/** A Mac with a doubt is not passed over for good: it is asked again. */
function nextRetry({ spec }: MacNodeLease, stores: Stores, now: Instant): Instant | undefined {
  const macNodes = stores.macNodes.by('class', spec.class).filter((m) => spec.serial === undefined || spec.serial.toLowerCase() === m.metadata.name);
  const times = macNodes.filter((m) => bindable(stores, m, now)).flatMap((m) => stores.doubts.standing(m.metadata.name, now)?.retryAt ?? []);
  return times.length === 0 ? undefined : instant(Math.min(...times));
}

/** Serial of the Mac that a lease is bound to, is being bound to, or may take. */
function serialOf(lease: MacNodeLease, stores: Stores, now: Instant): string | null {
  const { status } = lease;
  if (status?.chassis !== undefined) return status.chassis;
  const claimed = stores.claims.by('leaseUID', lease.metadata.uid)[0];
  if (claimed !== undefined) return claimed.metadata.name;
  if (status?.phase === 'Binding' && status.node !== undefined) return status.node.replace(/^mac-/, '');
  if (status?.phase === 'Released') return null;
  return assign(stores.leases.by('class', lease.spec.class), freeSerials(stores, lease.spec.class, now)).get(lease.metadata.uid) ?? null;
}

async function macOf(view: View, serial: string | null): Promise<MacFacts> {
  if (serial === null) return { macNode: null, node: null, claim: null };
  const [macNode, node, claim] = await Promise.all([
    view.get(Kinds.MacNode, { name: serial }), view.get(Kinds.Node, { name: nodeName(serial) }), view.get(Kinds.MacNodeBinding, { name: serial }),
  ]);
  return { macNode, node, claim };
}

async function rowsOf({ audit }: Context, { metadata, status }: MacNodeLease): Promise<LeaseRows> {
  const has = async (key: string | undefined): Promise<boolean> => key === undefined || await audit.has(key);
  const held = status?.phase === 'Held' && status.heldSince !== undefined ? LeaseKeys.held(metadata.uid, parseInstant(status.heldSince)) : undefined;
  const bindingUID = status?.bindingUID;
  try {
    const [bound, isHeld, released, lost, writable] = await Promise.all([
      has(LeaseKeys.bound(metadata.uid)), has(held), has(bindingUID && LeaseKeys.released(bindingUID)), has(bindingUID && LeaseKeys.lost(bindingUID)), audit.writable(),
    ]);
    return { writable, bound, held: isHeld, released, lost };
  } catch {
    return { writable: false, bound: true, held: true, released: true, lost: true };
  }
}

function usedSlots(stores: Stores, { metadata }: MacNodeLease): number {
  return stores.instances.by('lease', `${metadata.namespace}/${metadata.name}`).filter((i) => i.status?.slot !== undefined && i.status.phase !== 'Failed').length;
}

/** The Mac is asked only where all that the API knows says that it may be claimed. */
async function askBeforeClaim(context: Context, { lease, mac, now, rows, live }: Pick<LeaseFacts, 'lease' | 'mac' | 'now' | 'rows' | 'live'>): Promise<Doubt | null | undefined> {
  const phase = lease.status?.phase ?? 'Pending';
  const wouldClaim = phase === 'Binding' || (phase === 'Pending' && !wantsRelease(lease) && hasFinalizer(lease, Finalizer.Floor));
  if (!live || !wouldClaim || !rows.writable || mac.macNode === null || whyNotBindable(mac, now) !== null) return undefined;
  return doubtOf(context, mac.macNode, now);
}

/** Reads a lease and its Mac; null when the lease is gone. */
export async function gatherLease(context: Context, view: View, key: string): Promise<LeaseFacts | null> {
  const [namespace = '', name = ''] = key.split('/');
  const lease = await view.get(Kinds.MacNodeLease, { namespace, name });
  if (lease === null) return null;
  const now = await view.now();
  const serial = serialOf(lease, context.stores, now);
  const mac = await macOf(view, serial);
  const claim = mac.claim?.spec.leaseUID === lease.metadata.uid ? mac.claim : null;
  const slots = { total: INSTANCES_PER_CHASSIS, used: usedSlots(context.stores, lease), leaked: claim === null ? 0 : mac.macNode?.status?.leaked ?? 0 };
  const facts = { now, lease, serial, mac, claim, slots, rows: await rowsOf(context, lease), live: view.live };
  return {
    ...facts, doubt: await askBeforeClaim(context, facts),
    doubted: serial === null ? undefined : context.stores.doubts.of(serial), retryAt: serial === null ? nextRetry(lease, context.stores, now) : undefined,
  };
}
