import { Kinds, type MacNodeBinding, type MacNodeLease } from '../../sdk/api';
import { formatInstant, type Instant } from '../../sdk/rules/instant';
import { AuditType, type AuditEvent, type Intent } from '../audit/audit-log';
import { LeaseKeys } from '../audit/lease-keys';
import { boundAtOf, floorEnd } from './claim/floor';
import type { Context } from './context';

interface Witnesses { readonly now: Instant; readonly claim: MacNodeBinding | null; readonly lease: MacNodeLease | null }

const text = ({ payload }: Intent, field: string): string => (typeof payload[field] === 'string' ? payload[field] : '');

/** The live objects behind an intent: the claim of its Mac, and the lease with its UID. */
async function witnessesOf({ plane }: Context, intent: Intent): Promise<Witnesses> {
  const [leaseNamespace, leaseName] = [text(intent, 'leaseNamespace') || text(intent, 'namespace'), text(intent, 'leaseName') || text(intent, 'lease')];
  const [claim, lease, now] = await Promise.all([
    plane.tryGet(Kinds.MacNodeBinding, { name: intent.serial ?? '' }), plane.tryGet(Kinds.MacNodeLease, { namespace: leaseNamespace, name: leaseName }), plane.serverTime(),
  ]);
  return { now, claim, lease: lease?.metadata.uid === intent.leaseUID ? lease : null };
}

const subjectOf = ({ tenant, serial, leaseUID }: Intent) =>
  ({ ...(tenant === undefined ? {} : { tenant }), ...(serial === undefined ? {} : { serial }), ...(leaseUID === undefined ? {} : { leaseUID }) });

function boundWithoutLease(intent: Intent, claim: MacNodeBinding): AuditEvent {
  const boundAt = formatInstant(boundAtOf(claim));
  return {
    type: AuditType.LeaseBound, dedupe: LeaseKeys.bound(intent.leaseUID ?? ''), at: boundAtOf(claim), ...subjectOf(intent),
    payload: { namespace: claim.spec.leaseNamespace, lease: claim.spec.leaseName, serial: claim.metadata.name, bindingUID: claim.metadata.uid, boundAt, earliestReleaseAt: formatInstant(floorEnd(claim)), actor: 'unknown', orphan: true },
  };
}

/** A claim that was made: its lease writes the row, or this does when the lease is gone. One that was not made, and that nobody makes any more: no row. */
async function replayBind({ audit }: Context, intent: Intent, { now, claim, lease }: Witnesses): Promise<void> {
  if (claim !== null && claim.spec.leaseUID === intent.leaseUID) {
    if (lease === null) await audit.outcome(intent.key, boundWithoutLease(intent, claim));
    return;
  }
  const binding = lease?.status?.phase === 'Binding' && lease.status.node === `mac-${intent.serial}`;
  if (!binding) await audit.abandon(intent.key, now, 'the claim was not made');
}

/** A claim that is gone: its lease writes the row, or this does when the lease is gone too. */
async function replayRelease({ audit }: Context, intent: Intent, { now, claim, lease }: Witnesses): Promise<void> {
  const bindingUID = text(intent, 'bindingUID');
  if (claim?.metadata.uid === bindingUID || lease !== null) return;
  await audit.outcome(intent.key, {
    type: AuditType.LeaseReleased, dedupe: LeaseKeys.released(bindingUID), at: now, ...subjectOf(intent), payload: { ...intent.payload, releasedAt: formatInstant(now), orphan: true },
  });
}

/** Goes through the steps that were meant and have no outcome, as a killed operator leaves them, and closes those that no reconciler will. */
export async function replayIntents(context: Context): Promise<void> {
  for (const intent of await context.audit.openIntents()) {
    const witnesses = await witnessesOf(context, intent);
    if (intent.type === AuditType.LeaseBound) await replayBind(context, intent, witnesses);
    else if (intent.type === AuditType.LeaseReleased) await replayRelease(context, intent, witnesses);
  }
}
