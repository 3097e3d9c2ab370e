import { join } from 'node:path';
import pino from 'pino';
import { Annotation, Finalizer, Kinds, Label, Taint, VM_RESOURCE, podName, type MacNodeBinding, type Pod } from '../sdk/api';
import type { ControlPlane } from '../sdk/client';
import { connect } from '../sdk/client/connect';
import { startPlane, type DevelopmentPlane } from '../devplane/plane';
import { simHypervisor, SimMac } from './drivers/sim';
import { startAgent, type RunningAgent } from './start-agent';
import { temporaryJournal } from './testing/rig';

const deploy = (part: string) => join(__dirname, '..', 'deploy', part);
const tenant = 'tenant-a';

describe('an agent with the identity of its node, under the policies and roles', () => {
  let plane: DevelopmentPlane;
  let agent: RunningAgent;
  const mac = new SimMac();
  const journal = temporaryJournal();
  const planes: Record<string, ControlPlane> = {};

  async function as(name: string, groups: string[]): Promise<ControlPlane> {
    plane.addUser({ name, groups });
    return planes[name] ??= await connect({ host: plane.url, clusterCaCertificate: plane.ca, token: plane.token(name), env: {} });
  }
  const operator = () => as('macrack-operator', ['macrack:operators']);
  const admin = () => as('administrator', ['system:masters']);

  beforeAll(async () => {
    plane = await startPlane({ crds: deploy('crds'), policies: deploy('policies'), rbac: deploy('rbac'), log: () => undefined });
    await (await admin()).create(Kinds.Namespace, { metadata: { name: tenant } });
    await (await admin()).create(Kinds.MacNode, { metadata: { name: 'c02x' }, spec: { class: 'base', serial: 'c02x', hardwareUUID: mac.hardwareUUID } });
    agent = startAgent({ plane: await as('system:node:mac-c02x', ['system:nodes']), serial: 'C02X', hypervisor: simHypervisor(mac), journalFile: journal.path, timers: plane.timers, log: pino({ level: process.env.AGENT_LOG ?? 'silent' }, pino.destination(2)) });
    await agent.ready;
  }, 60_000);
  afterAll(async () => {
    await agent.stop();
    for (const each of Object.values(planes)) each.close();
    await plane.stop();
    journal.remove();
  });

  const seen = async <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => {
    for (;;) {
      const value = await read();
      if (holds(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const macStatus = async () => (await (await admin()).get(Kinds.MacNode, { name: 'c02x' })).status ?? {};
  const podOf = async (slot: number): Promise<Pod | null> => (await admin()).tryGet(Kinds.Pod, { namespace: tenant, name: podName('ci', slot) });

  async function bind(): Promise<MacNodeBinding> {
    const claim = await (await operator()).create(Kinds.MacNodeBinding, {
      metadata: { name: 'c02x', finalizers: [Finalizer.Claim] },
      spec: { leaseNamespace: tenant, leaseName: 'ci', leaseUID: 'lease-uid', namespaceUID: 'namespace-uid', tenant, minimumDuration: '24h' },
    });
    await (await operator()).patch(Kinds.Node, { name: 'mac-c02x' }, {
      metadata: { labels: { [Label.NodeSerial]: 'c02x' }, annotations: { [Annotation.KeepDisks]: 'uid-0,uid-1' } },
      spec: { taints: [{ key: Taint.Tenant, value: tenant, effect: 'NoSchedule' }] },
    });
    return claim;
  }

  async function createPod(claim: MacNodeBinding, slot: number): Promise<void> {
    const amount = { [VM_RESOURCE]: '1' };
    await (await operator()).create(Kinds.Pod, {
      metadata: {
        name: podName('ci', slot), namespace: tenant, labels: { [Label.Instance]: `vm${slot}` },
        annotations: { [Annotation.InstanceUID]: `uid-${slot}`, [Annotation.LeaseUID]: 'lease-uid', [Annotation.BindingUID]: claim.metadata.uid, [Annotation.Shape]: '{"cpu":4,"memory":"8Gi","disk":"60Gi"}' },
      },
      spec: {
        containers: [{ name: 'vm', image: 'ghcr.io/example/macos:15', resources: { limits: amount, requests: amount } }], nodeSelector: { [Label.NodeSerial]: 'c02x' },
        restartPolicy: 'Never', automountServiceAccountToken: false, terminationGracePeriodSeconds: 120,
        tolerations: [{ key: Taint.Tenant, operator: 'Equal', value: tenant, effect: 'NoSchedule' }, ...['not-ready', 'unreachable'].map((key) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute' }))],
      },
    });
  }

  it('registers, runs what the scheduler gives it, and gives it back', async () => {
    expect((await (await admin()).get(Kinds.Node, { name: 'mac-c02x' })).status?.allocatable).toMatchObject({ [VM_RESOURCE]: '2' });
    const claim = await bind();
    await createPod(claim, 0);
    await createPod(claim, 1);
    await seen(() => podOf(0), (pod) => pod?.status?.podIP !== undefined);
    await seen(() => podOf(1), (pod) => pod?.status?.phase === 'Running');
    await seen(macStatus, ({ vmCount, bindingUID }) => vmCount === 2 && bindingUID === claim.metadata.uid);
    await (await operator()).remove(Kinds.Pod, { namespace: tenant, name: podName('ci', 1) });
    await seen(() => podOf(1), (pod) => pod === null);
    expect(mac.running()).toHaveLength(1);
    await (await operator()).patch(Kinds.Node, { name: 'mac-c02x' }, { metadata: { annotations: { [Annotation.KeepDisks]: 'uid-0' } } });
    await seen(macStatus, ({ disks }) => disks?.length === 1);
  }, 30_000);

  it('is fresh again at once when the clock of the plane is advanced', async () => {
    plane.clock.advance(24 * 3_600_000);
    const now = Math.floor(plane.clock.now() / 1000) * 1000;
    await seen(macStatus, ({ lastSeen }) => Date.parse(lastSeen ?? '') >= now);
  }, 30_000);

  it('fails the pod of a machine that dies', async () => {
    mac.crash('uid-0');
    expect((await seen(() => podOf(0), (pod) => pod?.status?.phase === 'Failed'))?.status?.reason).toBe('Crashed');
  }, 30_000);
});
