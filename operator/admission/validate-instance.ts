import { Kinds, nodeName, type MacNodeLease, type MacOSInstance } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Instant } from '../../sdk/rules/instant';
import { judgePlacement } from '../../sdk/rules/judge-placement';
import { judgeShape } from '../../sdk/rules/judge-shape';
import { judgeStart } from '../../sdk/rules/judge-start';
import { ALLOWED, both, type Verdict } from '../../sdk/rules/verdict';
import { AuditType, type AuditEvent } from '../audit/audit-log';
import { NOTHING_AGAINST, type Judgement } from './judgement';
import { claimOf, holderOf, namespaceUID, siblingsOf, sizesOf } from './lookups';
import type { AdmissionRequest } from './review';

async function judgeFit(plane: ControlPlane, lease: MacNodeLease, instances: readonly MacOSInstance[]): Promise<Verdict> {
  const chassis = await plane.tryGet(Kinds.MacClass, { name: lease.spec.class });
  if (chassis === null) return ALLOWED;
  return judgeShape({
    lease: `${lease.metadata.namespace}/${lease.metadata.name}`, class: lease.spec.class, chassis: sizesOf(chassis.spec), shapes: instances.map((i) => sizesOf(i.spec.shape)),
  });
}

function rejection({ uid, userInfo }: AdmissionRequest, lease: MacNodeLease, instance: MacOSInstance, namespace: string, at: Instant): AuditEvent {
  const serial = lease.status?.chassis;
  return {
    type: AuditType.ThirdInstanceRejected, dedupe: `admission/${uid}/third-instance`, at, layer: 'webhook', tenant: namespace, leaseUID: lease.metadata.uid, actor: userInfo.username,
    ...(serial === undefined ? {} : { serial }),
    payload: { layer: 'webhook', tenant: namespace, node: serial === undefined ? undefined : nodeName(serial), lease: `${namespace}/${lease.metadata.name}`, instance: `${namespace}/${instance.metadata.name}`, actor: userInfo.username },
  };
}

/** A new instance: of a Bound lease of its own tenant, not the third, and within the chassis. */
export async function validateNewInstance(plane: ControlPlane, request: AdmissionRequest, instance: MacOSInstance): Promise<Judgement> {
  const namespace = request.namespace ?? '';
  const { leaseName } = instance.spec;
  const [lease, uid] = await Promise.all([plane.tryGet(Kinds.MacNodeLease, { namespace, name: leaseName }), namespaceUID(plane, namespace)]);
  const claim = lease === null ? null : await claimOf(plane, lease);
  const placement = judgePlacement({
    instance: { namespace, name: instance.metadata.name, namespaceUID: uid }, leaseRef: { namespace, name: leaseName },
    lease: lease === null ? null : { phase: lease.status?.phase ?? 'Pending', namespaceUID: claim?.spec.namespaceUID ?? null },
  });
  if (lease === null) return { verdict: placement };
  const [siblings, now] = await Promise.all([siblingsOf(plane, instance, namespace), plane.serverTime()]);
  const start = judgeStart({
    lease: { namespace, name: leaseName }, serial: lease.status?.chassis ?? null, holders: siblings.map(holderOf),
    starting: [{ namespace, name: instance.metadata.name, state: 'declared' }], now,
  });
  const staying = siblings.filter((i) => i.status?.phase !== 'Failed');
  // A third instance never fits either, and saying so twice helps nobody.
  const fit = start.refusals.length > 0 ? ALLOWED : await judgeFit(plane, lease, [...staying, instance]);
  return {
    verdict: both(start, placement, fit),
    rowOf: ({ reason }) => (reason === 'ThirdInstance' ? rejection(request, lease, instance, namespace, now) : undefined),
  };
}

/** A start on a lease that takes none is no fault: it waits, and the user is told. */
export async function validateChangedInstance(plane: ControlPlane, request: AdmissionRequest, old: MacOSInstance, instance: MacOSInstance): Promise<Judgement> {
  if (old.spec.running || !instance.spec.running) return NOTHING_AGAINST;
  const namespace = request.namespace ?? '';
  const lease = await plane.tryGet(Kinds.MacNodeLease, { namespace, name: instance.spec.leaseName });
  const phase = lease?.status?.phase ?? 'gone';
  return phase === 'Bound' ? NOTHING_AGAINST : { ...NOTHING_AGAINST, warnings: [`macrack: instance ${namespace}/${instance.metadata.name} does not start now: lease ${instance.spec.leaseName} is ${phase}`] };
}
