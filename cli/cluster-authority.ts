import type { Kind, KubeObject } from '../sdk/api/object';
import type { ControlPlane } from '../sdk/client/control-plane';

const ConfigMap: Kind<KubeObject & { data?: Record<string, string> }> = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** PEM of the authority by which pods of this cluster know its API servers. @throws Error where the cluster does not say */
export async function authorityOf(plane: ControlPlane): Promise<string> {
  const { data } = await plane.get(ConfigMap, { namespace: 'kube-system', name: 'kube-root-ca.crt' });
  const ca = data?.['ca.crt'];
  if (ca === undefined) throw new Error('ConfigMap kube-system/kube-root-ca.crt holds no ca.crt: whoever gets this kubeconfig would not know the API server');
  return ca;
}
