import { Kinds, Label, nodeName, type MacNodeBinding, type Pod } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Instant } from '../../sdk/rules/instant';
import { refuse } from '../../sdk/rules/verdict';
import { AuditType, type AuditEvent } from '../audit/audit-log';
import { NOTHING_AGAINST, type Judgement } from './judgement';
import { namespaceUID } from './lookups';
import type { AdmissionRequest } from './review';

/** Serial of the Mac that a pod asks for; undefined for a pod that asks for none. */
function targetOf({ spec }: Pod): string | undefined {
  const node = spec.nodeName?.startsWith('mac-') === true ? spec.nodeName.slice('mac-'.length) : undefined;
  return spec.nodeSelector?.[Label.NodeSerial] ?? spec.nodeSelector?.[Label.Serial] ?? node;
}

function rejection({ uid, userInfo }: AdmissionRequest, namespace: string, claim: MacNodeBinding, at: Instant): AuditEvent {
  const serial = claim.metadata.name;
  return {
    type: AuditType.CrossTenantRejected, dedupe: `admission/${uid}/cross-tenant`, at, layer: 'webhook', tenant: namespace, serial, actor: userInfo.username,
    payload: { layer: 'webhook', sourceNamespace: namespace, targetNode: nodeName(serial), targetLeaseTenant: claim.spec.tenant, actor: userInfo.username },
  };
}

/** A pod on a leased Mac belongs to the tenant that has it, that is to the namespace with the UID that the claim names. */
export async function validateNewPod(plane: ControlPlane, request: AdmissionRequest, pod: Pod): Promise<Judgement> {
  const serial = targetOf(pod);
  if (serial === undefined) return NOTHING_AGAINST;
  const namespace = request.namespace ?? '';
  const claim = await plane.tryGet(Kinds.MacNodeBinding, { name: serial });
  if (claim === null) return NOTHING_AGAINST;
  const [uid, now] = await Promise.all([namespaceUID(plane, namespace), plane.serverTime()]);
  if (claim.spec.leaseNamespace === namespace && claim.spec.namespaceUID === uid) return NOTHING_AGAINST;
  const verdict = refuse('CrossTenant', 'spec.nodeSelector', `Pod ${namespace}/${pod.metadata.name} asks for Mac ${serial}, which namespace ${namespace} has not leased. `
    + "Apple's licence, section 3A(iii), permits one tenant on a leased Mac until the lease ends. Run it as an instance of a lease of your own.");
  return { verdict, rowOf: () => rejection(request, namespace, claim, now) };
}
