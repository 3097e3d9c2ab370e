import { Finalizer, type MacNodeBinding, type MacNodeLeaseStatus } from '../../../sdk/api';
import { instant, parseInstant } from '../../../sdk/rules/instant';
import { floorEnd } from '../claim/floor';
import { SETTLED, waitUntil, type Decision } from '../engine/converge';
import { statusPatch, type Wanted } from '../engine/status-diff';
import { hasFinalizer } from '../engine/write';
import { whyNotBindable } from '../node/bindable';
import { leasedPatch } from '../node/taints';
import { wantsRelease } from './asks';
import type { LeaseFacts } from './facts';
import type { LeaseStep } from './steps';
import { bindingStatus, boundStatus, releasedStatus, waitingStatus, withdrawnStatus } from './wanted-status';

/** Milliseconds that a Released lease stays readable before it is removed. */
export const RELEASED_TTL_MS = 10 * 60_000;
const LOOK_AGAIN_MS = 1_000;
const AUDIT_RETRY_MS = 5_000;

type Next = Decision<LeaseStep>;

const soon = ({ now }: LeaseFacts, ms: number): Next => waitUntil(instant(now + ms));
const PASSIVE: readonly (keyof MacNodeLeaseStatus)[] = ['lastSeen', 'observedGeneration'];

/** A change of phase counts on the server's time, and a floor that was shown later is never shown earlier again. */
function isReversible({ lease }: LeaseFacts, status: Wanted<MacNodeLeaseStatus>): boolean {
  const shown = lease.status?.earliestReleaseAt;
  return status.phase === lease.status?.phase && (!('earliestReleaseAt' in status) || status.earliestReleaseAt === shown);
}

/** Writes the status if it differs. What cannot be taken back is decided on live facts: of two watches one may lag. */
function show(facts: LeaseFacts, status: Wanted<MacNodeLeaseStatus>, otherwise: Next): Next {
  if (statusPatch(facts.lease.status, status, PASSIVE) === null) return otherwise;
  return { step: { do: 'WriteStatus', status, reversible: isReversible(facts, status) } };
}

/** Claimed is only what the Mac itself confirms; a Mac that was not asked has confirmed nothing. The cached view asks nobody: it leads to the live one. */
const isDoubtful = ({ live, doubt }: LeaseFacts): boolean => live && doubt !== null;

function decidePending(facts: LeaseFacts): Next {
  const { lease, serial, rows } = facts;
  if (wantsRelease(lease)) return show(facts, withdrawnStatus(facts), SETTLED);
  if (!rows.writable) return show(facts, waitingStatus(facts), soon(facts, AUDIT_RETRY_MS));
  if (serial === null) return show(facts, waitingStatus(facts), facts.retryAt === undefined ? SETTLED : waitUntil(facts.retryAt));
  // The line goes by the watches, which lag: they will tell of what the live read saw.
  if (whyNotBindable(facts.mac, facts.now) !== null) return soon(facts, LOOK_AGAIN_MS);
  // Another Mac may do: the next look passes over this one until it is asked again.
  if (isDoubtful(facts)) return show(facts, waitingStatus(facts), soon(facts, LOOK_AGAIN_MS));
  return { step: { do: 'WriteStatus', status: bindingStatus(facts, serial), reversible: false } };
}

function decideBinding(facts: LeaseFacts): Next {
  const { serial, mac, now, rows } = facts;
  if (serial === null) return { step: { do: 'BackToPending', serial: '', why: 'no Mac is named' } };
  const why = whyNotBindable(mac, now);
  if (why !== null) return { step: { do: 'BackToPending', serial, why } };
  if (!rows.writable) return soon(facts, AUDIT_RETRY_MS);
  if (isDoubtful(facts)) return { step: { do: 'BackToPending', serial, why: facts.doubt?.why ?? 'its agent was not asked' } };
  return { step: { do: 'Claim', serial } };
}

function missingRow({ lease, rows }: LeaseFacts): LeaseStep | null {
  const phase = lease.status?.phase;
  if (!rows.writable || phase === undefined || phase === 'Pending' || phase === 'Binding') return null;
  if (!rows.bound) return { do: 'RecordBound' };
  return phase === 'Held' && !rows.held ? { do: 'RecordHeld' } : null;
}

function decideClaimed(facts: LeaseFacts, claim: MacNodeBinding): Next {
  const { lease, mac } = facts;
  const phase = lease.status?.phase ?? 'Pending';
  if (phase !== 'Releasing') {
    const patch = mac.node === null ? null : leasedPatch(mac.node, claim.spec.tenant, claim.metadata.name);
    if (patch !== null) return { step: { do: 'PatchNode', patch } };
    if (mac.node === null && (phase === 'Pending' || phase === 'Binding')) return SETTLED;
  }
  const row = missingRow(facts);
  if (row !== null) return { step: row };
  const floor = floorEnd(claim, lease.spec.minimumDuration);
  return show(facts, boundStatus(facts, claim), phase === 'Held' ? waitUntil(floor) : SETTLED);
}

/** The claim is gone. After Releasing that is the plan; otherwise nobody but the host's own files can have done it, and the Mac stays out of service. */
function decideUnclaimed(facts: LeaseFacts): Next {
  const { lease, now, rows, live } = facts;
  const end = parseInstant(lease.status?.earliestReleaseAt ?? lease.metadata.creationTimestamp);
  if (lease.status?.phase === 'Releasing') {
    if (now < end) return waitUntil(end);
    return rows.writable ? show(facts, releasedStatus(facts, end), SETTLED) : soon(facts, AUDIT_RETRY_MS);
  }
  // Two watches lag differently: only a live read may say that a claim is lost.
  if (!rows.lost) return live && rows.writable ? { step: { do: 'RecordClaimLost' } } : soon(facts, live ? AUDIT_RETRY_MS : LOOK_AGAIN_MS);
  if (!wantsRelease(lease)) return SETTLED;
  return now < end ? waitUntil(end) : show(facts, { phase: 'Releasing' }, SETTLED);
}

function decideReleased(facts: LeaseFacts): Next {
  const { lease, rows, now } = facts;
  if (lease.status?.boundAt !== undefined) {
    if (!rows.writable) return soon(facts, AUDIT_RETRY_MS);
    if (!rows.released) return { step: { do: 'RecordReleased' } };
  }
  if (hasFinalizer(lease, Finalizer.Floor)) return { step: { do: 'DropFinalizer' } };
  if (lease.metadata.deletionTimestamp !== undefined) return SETTLED;
  const gone = instant(parseInstant(lease.status?.releasedAt ?? lease.metadata.creationTimestamp) + RELEASED_TTL_MS);
  return now < gone ? waitUntil(gone) : { step: { do: 'Remove' } };
}

/** The next step of a lease: Pending → Binding → Bound ⇄ Held → Releasing → Released. */
export function decideLease(facts: LeaseFacts): Next {
  const { lease, claim } = facts;
  const phase = lease.status?.phase ?? 'Pending';
  if (phase === 'Released') return decideReleased(facts);
  if (!hasFinalizer(lease, Finalizer.Floor)) return lease.metadata.deletionTimestamp === undefined ? { step: { do: 'AddFinalizer' } } : SETTLED;
  if (claim !== null) return decideClaimed(facts, claim);
  switch (phase) {
    case 'Pending':
      return decidePending(facts);
    case 'Binding':
      return decideBinding(facts);
    case 'Bound':
    case 'Held':
    case 'Releasing':
      return decideUnclaimed(facts);
  }
}
