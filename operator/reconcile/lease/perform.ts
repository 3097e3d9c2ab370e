import { Finalizer, Kinds, nodeName, type MacNodeLease } from '../../../sdk/api';
import { isFault } from '../../../sdk/client/errors';
import { formatInstant } from '../../../sdk/rules/instant';
import { LeaseKeys } from '../../audit/lease-keys';
import { AuditType } from '../../audit/audit-log';
import type { Context } from '../context';
import { statusPatch } from '../engine/status-diff';
import { removeExactly, swap, swapStatus, withFinalizer, withoutFinalizer } from '../engine/write';
import type { LeaseFacts } from './facts';
import { boundEvent, heldEvent, releasedEvent } from './events';
import type { LeaseStep } from './steps';

const subject = ({ metadata }: MacNodeLease) => ({ tenant: metadata.namespace ?? '', leaseUID: metadata.uid });

/** The claim. A claim of that name which is ours already is the answer to an earlier call; another's is a lost race, which the next look sees. */
async function claim({ plane, audit }: Context, { lease, now }: LeaseFacts, serial: string): Promise<void> {
  const namespace = lease.metadata.namespace ?? '';
  const tenant = await plane.get(Kinds.Namespace, { name: namespace });
  const spec = {
    leaseNamespace: namespace, leaseName: lease.metadata.name, leaseUID: lease.metadata.uid, namespaceUID: tenant.metadata.uid,
    tenant: namespace, minimumDuration: lease.spec.minimumDuration,
  };
  await audit.intent({ key: LeaseKeys.bind(lease.metadata.uid, serial), type: AuditType.LeaseBound, at: now, serial, ...subject(lease), payload: { ...spec, serial } });
  try {
    await plane.create(Kinds.MacNodeBinding, { metadata: { name: serial, finalizers: [Finalizer.Claim] }, spec });
  } catch (error) {
    if (!isFault(error, 'AlreadyExists')) throw error;
  }
}

async function backToPending({ plane, audit, log }: Context, { lease, now }: LeaseFacts, serial: string, why: string): Promise<void> {
  log.info({ lease: `${lease.metadata.namespace}/${lease.metadata.name}`, serial, why }, 'a Mac was not to be had; the lease waits again');
  await audit.abandon(LeaseKeys.bind(lease.metadata.uid, serial), now, why);
  await swapStatus(plane, Kinds.MacNodeLease, lease, { phase: 'Pending', node: null });
}

async function recordReleased({ audit }: Context, facts: LeaseFacts): Promise<void> {
  const key = LeaseKeys.release(facts.lease.status?.bindingUID ?? '');
  await audit.outcome(key, releasedEvent(facts, await audit.openIntent(key)));
}

async function recordHeld({ audit }: Context, facts: LeaseFacts): Promise<void> {
  const deleted = await audit.deletionActor(facts.lease.metadata.uid);
  await audit.append(heldEvent(facts, deleted));
}

async function recordClaimLost({ plane, audit, log }: Context, { lease, now }: LeaseFacts): Promise<void> {
  const still = await plane.tryGet(Kinds.MacNodeLease, { namespace: lease.metadata.namespace ?? '', name: lease.metadata.name });
  if (still?.metadata.resourceVersion !== lease.metadata.resourceVersion) return;
  const { chassis, bindingUID = '' } = lease.status ?? {};
  log.error({ lease: `${lease.metadata.namespace}/${lease.metadata.name}`, serial: chassis }, 'the claim of a lease is gone although nobody released it; the Mac stays out of service');
  await audit.append({ type: AuditType.ClaimLost, dedupe: LeaseKeys.lost(bindingUID), at: now, ...(chassis === undefined ? {} : { serial: chassis }), ...subject(lease), payload: { bindingUID, noticedAt: formatInstant(now) } });
}

/** Takes one step of a lease. */
export async function performLease(context: Context, step: LeaseStep, facts: LeaseFacts): Promise<void> {
  const { plane, audit } = context;
  const { lease, serial } = facts;
  switch (step.do) {
    case 'AddFinalizer':
      return void (await swap(plane, Kinds.MacNodeLease, lease, { metadata: { finalizers: withFinalizer(lease, Finalizer.Floor) } }));
    case 'DropFinalizer':
      return void (await swap(plane, Kinds.MacNodeLease, lease, { metadata: { finalizers: withoutFinalizer(lease, Finalizer.Floor) } }));
    case 'WriteStatus':
      return void (await swapStatus(plane, Kinds.MacNodeLease, lease, statusPatch(lease.status, step.status) ?? {}));
    case 'Claim':
      return claim(context, facts, step.serial);
    case 'BackToPending':
      return backToPending(context, facts, step.serial, step.why);
    case 'PatchNode':
      if (facts.mac.node === null) throw new Error(`node ${nodeName(serial ?? '')} is gone`);
      return void (await swap(plane, Kinds.Node, facts.mac.node, step.patch));
    case 'RecordBound':
      return void (await audit.outcome(LeaseKeys.bind(lease.metadata.uid, serial ?? ''), boundEvent(facts)));
    case 'RecordHeld':
      return recordHeld(context, facts);
    case 'RecordReleased':
      return recordReleased(context, facts);
    case 'RecordClaimLost':
      return recordClaimLost(context, facts);
    case 'Remove':
      return removeExactly(plane, Kinds.MacNodeLease, lease);
  }
}
