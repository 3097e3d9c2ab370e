import { VM_RESOURCE } from '../../sdk/api/names';
import type { PodSpec } from '../../sdk/api/core-objects';
import type { KubeObject } from '../../sdk/api/object';
import { tolerationsOf } from '../reconcile/instance/pod';
import { allow, allowPatched, type AdmissionRequest, type AdmissionResponse, type PatchOperation } from './review';
import { stampInstance, stampLease } from './stamp';

const asksForVm = ({ spec }: KubeObject): boolean =>
  ((spec as PodSpec | undefined)?.containers ?? []).some((c) => c.resources?.limits?.[VM_RESOURCE] !== undefined || c.resources?.requests?.[VM_RESOURCE] !== undefined);

/** A VM pod tolerates its own tenant's chassis and nothing else of ours, whatever it asked for. */
function tolerate(namespace: string, pod: KubeObject): PatchOperation[] {
  return asksForVm(pod) ? [{ op: 'add', path: '/spec/tolerations', value: tolerationsOf(namespace) }] : [];
}

/** The answer of /mutate: who asked, and the tolerations of VM pods. It looks nothing up, so it cannot fail. */
export function mutate(request: AdmissionRequest): AdmissionResponse {
  const { uid, object, kind, operation, subResource = '', namespace = '' } = request;
  if (object == null || subResource !== '') return allow(uid);
  switch (`${kind.group}/${kind.kind}`) {
    case 'macrack.io/MacNodeLease':
      return allowPatched(uid, stampLease(request, object));
    case 'macrack.io/MacOSInstance':
      return allowPatched(uid, stampInstance(request, object));
    case '/Pod':
      return operation === 'CREATE' ? allowPatched(uid, tolerate(namespace, object)) : allow(uid);
    default:
      return allow(uid);
  }
}
