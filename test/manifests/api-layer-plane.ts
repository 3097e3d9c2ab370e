import { ADMIN } from '../../realplane/identities';
import { kubectl } from '../../realplane/kubectl';
import { until } from '../../sdk/client/until';
import { LayerPlane } from '../real-plane/layer-plane';
import { admin, printed } from './printed';

const pod = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'stray', namespace: 'default' }, spec: { nodeName: 'mac-none', containers: [{ name: 'c', image: 'i' }] } });
const node = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-c02probe', labels: { 'macrack.io/serial': 'c02probe', 'kubernetes.io/os': 'darwin' } } });
const DRY = ['create', '--dry-run=server', '-o', 'yaml', '-f', '-'];

// A policy of the API is in force a moment after it was made.
async function untilInForce({ plane }: LayerPlane): Promise<void> {
  await until('validating policies are in force', async () => (await kubectl(plane, ADMIN, DRY, pod)).err.includes("'p3-vm-pods.macrack.io'") || undefined);
  await until('mutating policies are in force', async () => (await kubectl(plane, ADMIN, DRY, node)).out.includes('macrack.io/unleased') || undefined);
}

/** The plane of the verdict table's policies, with those that `macrack manifests --api` prints in place of the files. */
export async function startApiLayerPlane(): Promise<LayerPlane> {
  const layer = await LayerPlane.start();
  try {
    await admin(layer.plane, ['create', '-f', '-'], await printed('--api', '--part', 'policies', '--part', 'mutating-policies'));
    await untilInForce(layer);
    return layer;
  } catch (error) {
    await layer.stop();
    throw error;
  }
}
