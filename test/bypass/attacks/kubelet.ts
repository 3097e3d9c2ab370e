import { until } from '../../../sdk/client/until';
import * as paths from '../paths';
import type { Scene } from '../scene';

const ADMIN = 'macrack-admin';
const NODE = 'linux-1';
const POD = 'addon';

/** The wanted side of the policy for system tokens: a Linux node beside the Macs, with a pod of an add-on. */
export async function fetchToken(scene: Scene): Promise<void> {
  await scene.pass(ADMIN, { path: paths.node(), body: { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE }, spec: { unschedulable: true } } });
  const { object } = await scene.pass(ADMIN, { path: paths.pod('kube-system'), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: POD }, spec: { schedulerName: 'nobody', containers: [{ name: 'x', image: 'x' }] } } });
  await scene.pass(ADMIN, { as: 'system:kube-scheduler', path: `${paths.pod('kube-system', POD)}/binding`, body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: POD, namespace: 'kube-system' }, target: { apiVersion: 'v1', kind: 'Node', name: NODE } } });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: POD, uid: object?.metadata.uid };
  await until('the node gets the token of its pod', async () => {
    const answer = await scene.send(`system:node:${NODE}`, { path: `${paths.inNamespace('kube-system', 'serviceaccounts', 'default')}/token`, body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { boundObjectRef } } });
    return answer.code === 201 || undefined;
  });
}
