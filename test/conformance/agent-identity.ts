import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type RunningAgent, simHypervisor, SimMac, startAgent } from '../../agent';
import { Annotation, Finalizer, Kinds, Label, podName, Taint, VM_RESOURCE, type MacNodeBinding, type Pod } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client';
import { processTimers, type Timers } from '../../sdk/client/timers';
import { until } from '../../sdk/client/until';
import { IMAGE } from './objects';

export const SERIAL = 'c02x';
export const AGENT_USER = `system:node:mac-${SERIAL}`;
const TENANT = 'tenant-a';

/** A plane with CRDs, roles, policies and a scheduler; whoever acts for the operator is the operator by name. */
export interface AgentPlane {
  as(user: string): Promise<ControlPlane>;
  /** Of the agent. Default: those of the process. */
  readonly timers?: Timers;
  /** Moves the clock that the timers go by; where there is none, nothing is claimed of it. @param ms milliseconds */
  advance?(ms: number): void;
}

/** Leases the Mac to the tenant. */
async function bind(operator: ControlPlane): Promise<MacNodeBinding> {
  const claim = await operator.create(Kinds.MacNodeBinding, {
    metadata: { name: SERIAL, finalizers: [Finalizer.Claim] }, spec: { leaseNamespace: TENANT, leaseName: 'ci', leaseUID: 'lease-uid', namespaceUID: 'namespace-uid', tenant: TENANT, minimumDuration: '24h' },
  });
  await operator.patch(Kinds.Node, { name: `mac-${SERIAL}` }, {
    metadata: { labels: { [Label.NodeSerial]: SERIAL }, annotations: { [Annotation.KeepDisks]: 'uid-0,uid-1' } }, spec: { taints: [{ key: Taint.Tenant, value: TENANT, effect: 'NoSchedule' }] },
  });
  return claim;
}

function podFor(claim: MacNodeBinding, slot: number) {
  const amount = { [VM_RESOURCE]: '1' };
  return {
    metadata: {
      name: podName('ci', slot), namespace: TENANT, labels: { [Label.Instance]: `vm${slot}` },
      annotations: { [Annotation.InstanceUID]: `uid-${slot}`, [Annotation.LeaseUID]: 'lease-uid', [Annotation.BindingUID]: claim.metadata.uid, [Annotation.Shape]: '{"cpu":4,"memory":"8Gi","disk":"60Gi"}' },
    },
    spec: {
      containers: [{ name: 'vm', image: IMAGE, resources: { limits: amount, requests: amount } }], nodeSelector: { [Label.NodeSerial]: SERIAL },
      restartPolicy: 'Never', automountServiceAccountToken: false, terminationGracePeriodSeconds: 120,
      tolerations: [{ key: Taint.Tenant, operator: 'Equal', value: TENANT, effect: 'NoSchedule' }, ...['not-ready', 'unreachable'].map((key) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute' }))],
    },
  };
}

/** An agent with the identity of its node, under the policies and roles of deploy/. */
export function describeAgentIdentity(plane: () => AgentPlane, hasClock: boolean): void {
  describe('an agent with the identity of its node, under the policies and roles', () => {
    const mac = new SimMac();
    const directory = mkdtempSync(join(tmpdir(), 'macrack-agent-'));
    let agent: RunningAgent | undefined;
    let admin: ControlPlane;
    let operator: ControlPlane;

    beforeAll(async () => {
      [admin, operator] = [await plane().as('macrack-admin'), await plane().as('macrack-operator')];
      await admin.create(Kinds.MacNode, { metadata: { name: SERIAL }, spec: { class: 'base', serial: SERIAL, hardwareUUID: mac.hardwareUUID } });
      const { timers = processTimers } = plane();
      agent = startAgent({ plane: await plane().as(AGENT_USER), serial: SERIAL.toUpperCase(), hypervisor: simHypervisor(mac), journalFile: join(directory, 'journal'), timers, log: pino({ level: 'silent' }) });
      await agent.ready;
    });
    afterAll(async () => {
      await agent?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    const macStatus = async () => (await admin.get(Kinds.MacNode, { name: SERIAL })).status ?? {};
    const podOf = (slot: number): Promise<Pod | null> => admin.tryGet(Kinds.Pod, { namespace: TENANT, name: podName('ci', slot) });
    const untilPod = (what: string, slot: number, holds: (pod: Pod | null) => boolean) => until(what, async () => {
      const pod = await podOf(slot);
      return holds(pod) ? { pod } : undefined;
    });
    const untilMac = (what: string, holds: (status: Awaited<ReturnType<typeof macStatus>>) => boolean) => until(what, async () => holds(await macStatus()) || undefined);

    it('registers, runs what the scheduler gives it, and gives it back', async () => {
      expect((await admin.get(Kinds.Node, { name: `mac-${SERIAL}` })).status?.allocatable).toMatchObject({ [VM_RESOURCE]: '2' });
      const claim = await bind(operator);
      for (const slot of [0, 1]) await operator.create(Kinds.Pod, podFor(claim, slot));
      await untilPod('the first machine has an address', 0, (pod) => pod?.status?.podIP !== undefined);
      await untilPod('the second machine runs', 1, (pod) => pod?.status?.phase === 'Running');
      await untilMac('the Mac tells of both', ({ vmCount, bindingUID }) => vmCount === 2 && bindingUID === claim.metadata.uid);
      await operator.remove(Kinds.Pod, { namespace: TENANT, name: podName('ci', 1) });
      await untilPod('the second pod is gone', 1, (pod) => pod === null);
      expect(mac.running()).toHaveLength(1);
      await operator.patch(Kinds.Node, { name: `mac-${SERIAL}` }, { metadata: { annotations: { [Annotation.KeepDisks]: 'uid-0' } } });
      await untilMac('its disk is gone', ({ disks }) => disks?.length === 1);
    });

    if (hasClock) it('is fresh again at once when the clock of the plane is advanced', async () => {
      const before = (await macStatus()).lastSeen ?? '';
      plane().advance?.(24 * 3_600_000);
      await untilMac('the heartbeat follows', ({ lastSeen = '' }) => Date.parse(lastSeen) - Date.parse(before) >= 24 * 3_600_000 - 1000);
    });

    it('fails the pod of a machine that dies', async () => {
      mac.crash('uid-0');
      const { pod } = await untilPod('the pod failed', 0, (found) => found?.status?.phase === 'Failed');
      expect(pod?.status?.reason).toBe('Crashed');
    });
  });
}
