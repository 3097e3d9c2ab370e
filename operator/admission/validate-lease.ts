import { Kinds, nodeName, type MacNodeBinding, type MacNodeLease } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { formatInstant, parseInstant, type Instant } from '../../sdk/rules/instant';
import { judgeSerial } from '../../sdk/rules/judge-capacity';
import { judgeLeaseChange, judgeMinimumDuration, type LeaseInputs } from '../../sdk/rules/judge-lease-change';
import { judgeName } from '../../sdk/rules/judge-name';
import type { LeaseFacts } from '../../sdk/rules/lease-facts';
import { ALLOWED, both } from '../../sdk/rules/verdict';
import { AuditType, type AuditEvent, type AuditLog } from '../audit/audit-log';
import { canonicalJson } from '../audit/canonical-json';
import { floorEnd } from '../reconcile/claim/floor';
import { NOTHING_AGAINST, type Judgement } from './judgement';
import { claimOf } from './lookups';
import type { AdmissionRequest } from './review';

const nameOf = ({ metadata }: MacNodeLease, namespace: string): string => `${namespace}/${metadata.name}`;

async function floorOfLease(plane: ControlPlane, lease: MacNodeLease): Promise<Instant | null> {
  const claim = await claimOf(plane, lease);
  if (claim !== null) return floorEnd(claim, lease.spec.minimumDuration);
  return lease.status?.earliestReleaseAt === undefined ? null : parseInstant(lease.status.earliestReleaseAt);
}

function factsOf(lease: MacNodeLease, namespace: string, earliestReleaseAt: Instant | null): LeaseFacts {
  return { namespace, name: lease.metadata.name, serial: lease.status?.chassis ?? null, phase: lease.status?.phase ?? 'Pending', earliestReleaseAt };
}

const inputsOf = ({ spec, metadata }: MacNodeLease, namespace: string): LeaseInputs =>
  ({ namespace, name: metadata.name, class: spec.class, serial: spec.serial ?? null, minimumDuration: spec.minimumDuration });

/** A pin on a Mac that another tenant has: the tenant reads the one text, the record names both. */
function crossing({ uid, userInfo }: AdmissionRequest, namespace: string, claim: MacNodeBinding, at: Instant): AuditEvent {
  const serial = claim.metadata.name;
  return {
    type: AuditType.CrossTenantRejected, dedupe: `admission/${uid}/cross-tenant`, at, layer: 'webhook', tenant: namespace, serial, actor: userInfo.username,
    payload: { layer: 'webhook', sourceNamespace: namespace, targetNode: nodeName(serial), targetLeaseTenant: claim.spec.tenant, actor: userInfo.username },
  };
}

/** A new lease: its floor, its pin, and whether a Held lease has its name. */
export async function validateNewLease(plane: ControlPlane, request: AdmissionRequest, lease: MacNodeLease): Promise<Judgement> {
  const namespace = request.namespace ?? '';
  const serial = lease.spec.serial?.toLowerCase();
  const [existing, macNode, claim, now] = await Promise.all([
    plane.tryGet(Kinds.MacNodeLease, { namespace, name: lease.metadata.name }),
    serial === undefined ? null : plane.tryGet(Kinds.MacNode, { name: serial }), serial === undefined ? null : plane.tryGet(Kinds.MacNodeBinding, { name: serial }), plane.serverTime(),
  ]);
  const named = existing === null ? null : { ...factsOf(existing, namespace, await floorOfLease(plane, existing)), class: existing.spec.class, keepable: existing.metadata.deletionTimestamp === undefined };
  const duration = judgeMinimumDuration(lease.spec.minimumDuration);
  const verdict = both(
    duration,
    judgeName({ namespace, name: lease.metadata.name, class: lease.spec.class, adopt: false, existing: named, now }),
    serial === undefined ? ALLOWED : judgeSerial({ serial, available: macNode?.spec.class === lease.spec.class && claim === null }),
  );
  return {
    verdict, warnings: duration.notes.map((n) => `macrack: ${n.message}`),
    rowOf: ({ reason }) => (reason === 'SerialUnavailable' && claim !== null && claim.spec.tenant !== namespace ? crossing(request, namespace, claim, now) : undefined),
  };
}

function heldWarning(lease: MacNodeLease, namespace: string, floor: Instant | null, now: Instant): readonly string[] {
  const phase = lease.status?.phase ?? 'Pending';
  if (phase === 'Pending' || phase === 'Released' || (floor !== null && now >= floor)) return [];
  const end = floor === null ? 'the end of its floor' : formatInstant(floor);
  return [`macrack: lease ${nameOf(lease, namespace)} is Held until ${end} and billed until then; it will be released by itself`];
}

/** A changed lease: inside the floor its identity is fixed, and its floor only grows. */
export async function validateChangedLease(plane: ControlPlane, request: AdmissionRequest, old: MacNodeLease, lease: MacNodeLease): Promise<Judgement> {
  if (canonicalJson(old.spec) === canonicalJson(lease.spec)) return NOTHING_AGAINST;
  const namespace = request.namespace ?? '';
  const [floor, now] = await Promise.all([floorOfLease(plane, old), plane.serverTime()]);
  const grows = old.spec.minimumDuration === lease.spec.minimumDuration ? ALLOWED : judgeMinimumDuration(lease.spec.minimumDuration);
  const change = judgeLeaseChange({ lease: factsOf(old, namespace, floor), prior: inputsOf(old, namespace), next: inputsOf(lease, namespace), now });
  const released = !old.spec.release && lease.spec.release ? heldWarning(old, namespace, floor, now) : [];
  return { verdict: both(change, grows), warnings: [...grows.notes.map((n) => `macrack: ${n.message}`), ...released] };
}

/** A raw DELETE is allowed: the finalizer keeps a bound lease until its floor. Who asked is kept for the record, which the reconciler writes. */
export async function validateDeletedLease(plane: ControlPlane, audit: AuditLog, request: AdmissionRequest, lease: MacNodeLease): Promise<Judgement> {
  const namespace = request.namespace ?? lease.metadata.namespace ?? '';
  const [floor, now] = await Promise.all([floorOfLease(plane, lease), plane.serverTime()]);
  return {
    verdict: ALLOWED, warnings: heldWarning(lease, namespace, floor, now),
    onAllowed: () => audit.noteDeletion(lease.metadata.uid, request.userInfo.username, now),
  };
}
