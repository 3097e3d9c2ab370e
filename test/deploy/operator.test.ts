import { macrack } from '../cli/command';
import { manifests } from './manifests';

interface Container { args: string[]; securityContext: object; resources: object; volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]; ports: { name: string; containerPort: number }[] }
interface PodSpec { containers: Container[]; securityContext: object; nodeSelector: object; volumes: ({ name: string } & Record<string, unknown>)[]; automountServiceAccountToken: boolean; affinity: object; tolerations?: unknown }
interface Deployment { spec: { replicas: number; selector: { matchLabels: object }; template: { metadata: { labels: object }; spec: PodSpec } } }
interface Selecting { metadata: { name: string; namespace: string }; spec: { selector?: object; podSelector?: object } }

const objects = manifests<{ kind: string; metadata: { name: string; namespace: string } }>('operator');
const find = <T>(kind: string): T => objects.find((object) => object.kind === kind) as T;
const deployment = find<Deployment>('Deployment');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

test('the operator is all in its own namespace', () => {
  expect(objects.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Service', 'ServiceAccount']);
  for (const { metadata } of objects) expect(metadata.namespace).toBe('macrack-system');
});

test('service, budget and network policy mean the pods of the Deployment', () => {
  const labels = deployment.spec.selector.matchLabels;
  expect(deployment.spec.template.metadata.labels).toMatchObject(labels);
  expect(find<Selecting>('Service').spec.selector).toEqual(labels);
  expect(find<Selecting>('PodDisruptionBudget').spec.selector).toEqual({ matchLabels: labels });
  expect(find<Selecting>('NetworkPolicy').spec.podSelector).toEqual({ matchLabels: labels });
});

test('it runs as nobody, on a root that it cannot write, without rights of the kernel', () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } });
  expect(container?.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  expect(container?.resources).toMatchObject({ requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string }, limits: { memory: expect.any(String) as string } });
});

test('it is what its certificate says: it has no token of a service account', () => {
  expect([pod.automountServiceAccountToken, find<{ automountServiceAccountToken: boolean }>('ServiceAccount').automountServiceAccountToken]).toEqual([false, false]);
  expect(container?.volumeMounts.filter(({ readOnly }) => readOnly === true).map(({ mountPath }) => mountPath)).toEqual(['/etc/macrack/credential', '/etc/macrack/webhook-ca']);
});

test('it runs on Linux and tolerates nothing, as the policy of VM pods asks of whoever might land on a Mac', () => {
  expect(pod.nodeSelector).toEqual({ 'kubernetes.io/os': 'linux' });
  expect(pod.tolerations).toBeUndefined();
});

test('two replicas write one record, so they share a node, and the volume is of one node', () => {
  expect(deployment.spec.replicas).toBe(2);
  expect(pod.affinity).toEqual({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: deployment.spec.selector.matchLabels } }] } });
  expect(find<{ spec: { accessModes: string[] } }>('PersistentVolumeClaim').spec.accessModes).toEqual(['ReadWriteOnce']);
});

test('its arguments are those of the command line', async () => {
  const { stdout } = await macrack('operator', '--help').ended;
  const [command, ...flags] = container?.args ?? [];
  expect(command).toBe('operator');
  for (const flag of flags) expect(stdout).toContain(`  ${flag.split('=')[0]} <`);
});

test('the paths of its arguments are mounted, and its ports are those that it listens on', () => {
  const mounts = container?.volumeMounts.map(({ mountPath }) => mountPath) ?? [];
  const paths = (container?.args ?? []).flatMap((arg) => /=(\/.*)$/.exec(arg)?.[1] ?? []);
  for (const path of paths) expect(mounts.some((mount) => path === mount || path.startsWith(`${mount}/`))).toBe(true);
  for (const { containerPort } of container?.ports ?? []) expect(container?.args.some((arg) => arg.endsWith(`:${containerPort}`))).toBe(true);
});

test('the template of a tenant limits leases, instances and slots', () => {
  const quota = manifests<{ kind: string; spec: { hard: object } }>('tenant').find(({ kind }) => kind === 'ResourceQuota');
  expect(Object.keys(quota?.spec.hard ?? {}).sort()).toEqual(['count/macnodeleases.macrack.io', 'count/macosinstances.macrack.io', 'requests.macrack.io/macos-vm']);
});
