import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Hypervisor, type Identity, type RunningAgent, simHypervisor, SimMac, startAgent } from '../../agent';
import { until } from '../../sdk/client/until';
import { Annotation, Kinds, Label, podName, VM_RESOURCE, type Pod, type Reason } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client';
import { ADMIN, LayerPlane, OTHER_TENANT, TENANT } from './layer-plane';
import { claimOf, IMAGE, macNodeNamed, SHAPE } from './objects';
import { describeLayer, notAsked, type Answer, type AskOf } from './table';

/** Agents on simulated Macs: no operator, no policy, no webhook. The administrator makes claims and pods, and binds them past the scheduler. */
let layer: LayerPlane;
let admin: ControlPlane;
let count = 0;
const agents: RunningAgent[] = [];
const directory = mkdtempSync(join(tmpdir(), 'macrack-agents-'));
beforeAll(async () => {
  layer = await LayerPlane.start();
  admin = await layer.as(ADMIN);
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop()));
  await layer.stop();
  rmSync(directory, { recursive: true });
});

interface Chassis { readonly mac: SimMac; readonly serial: string; readonly claim: string }

/** A Mac of its own for each row, enrolled and leased to tenant A. */
async function chassis(hypervisorOf: (mac: SimMac) => Hypervisor = simHypervisor): Promise<Chassis> {
  const serial = `c02m${count += 1}`;
  const mac = new SimMac();
  const user = `system:node:mac-${serial}`;
  layer.plane.addUser({ name: user, groups: ['system:nodes'] });
  await admin.create(Kinds.MacNode, macNodeNamed(serial, mac.hardwareUUID));
  const agent = startAgent({ plane: await layer.as(user), serial, hypervisor: hypervisorOf(mac), journalFile: join(directory, serial), log: pino({ level: 'silent' }) });
  agents.push(agent);
  await agent.ready;
  const { metadata } = await admin.create(Kinds.MacNodeBinding, claimOf(serial, { namespace: TENANT, lease: 'l', leaseUID: 'lease-1', namespaceUID: 'ns-1' }));
  return { mac, serial, claim: metadata.uid };
}

const uidOf = (serial: string, name: string): string => `${serial}-${name}`;

/** Puts a pod on the Mac by hand. */
function pod({ serial, claim }: Chassis, name: string, namespace = TENANT): Promise<Pod> {
  const amounts = { [VM_RESOURCE]: '1' };
  return admin.create(Kinds.Pod, {
    metadata: {
      namespace, name: podName(uidOf(serial, name), 0), labels: { [Label.Instance]: name, [Label.Lease]: uidOf(serial, name) },
      annotations: { [Annotation.InstanceUID]: uidOf(serial, name), [Annotation.LeaseUID]: 'lease-1', [Annotation.BindingUID]: claim, [Annotation.Shape]: JSON.stringify(SHAPE) },
    },
    spec: { nodeName: `mac-${serial}`, nodeSelector: { [Label.NodeSerial]: serial }, terminationGracePeriodSeconds: 120, containers: [{ name: 'vm', image: IMAGE, resources: { requests: amounts, limits: amounts } }] },
  });
}

async function answerOf({ metadata }: Pod): Promise<Answer> {
  const { namespace = '', name } = metadata;
  const { status } = await until(`pod ${name} is decided`, async () => {
    const found = await admin.get(Kinds.Pod, { namespace, name });
    return found.status?.phase === 'Pending' ? undefined : found;
  });
  return status?.phase === 'Running' ? [] : [status?.reason as Reason];
}

async function run(on: Chassis, name: string, namespace = TENANT): Promise<Answer> {
  return answerOf(await pod(on, name, namespace));
}

async function start({ existing, starting }: AskOf<'start'>): Promise<Answer> {
  const on = await chassis();
  for (const { name, phase } of existing) {
    if (phase === 'Failed') on.mac.faults.failNextStart = 'it does not boot';
    expect(await run(on, name)).toEqual(phase === 'Failed' ? ['Crashed'] : []);
  }
  const answers = await Promise.all(starting.map((name) => run(on, name)));
  return answers.flat();
}

/** A hypervisor whose next machines share one part of an identity with the first. */
const sharing = (shared: AskOf<'identity'>['shared']) => (mac: SimMac): Hypervisor => {
  const hypervisor = simHypervisor(mac);
  let first: Identity | undefined;
  return {
    ...hypervisor,
    create: async (spec) => {
      const own = await hypervisor.create(spec);
      first ??= own;
      return shared === 'nothing' ? own : { ...own, [shared]: first[shared] };
    },
  };
};

async function identity({ shared }: AskOf<'identity'>): Promise<Answer> {
  const on = await chassis(sharing(shared));
  expect(await run(on, 'a')).toEqual([]);
  return run(on, 'b');
}

async function leakedSlot(): Promise<Answer> {
  const on = await chassis();
  expect(await run(on, 'a')).toEqual([]);
  const { metadata } = await pod(on, 'b');
  const ref = { namespace: TENANT, name: metadata.name };
  await until('b runs', async () => ((await admin.get(Kinds.Pod, ref)).status?.phase === 'Running' ? true : undefined));
  on.mac.faults.leakNextSlot = true;
  await admin.remove(Kinds.Pod, ref);
  await until('b is gone', async () => ((await admin.tryGet(Kinds.Pod, ref)) === null ? true : undefined));
  return run(on, 'c');
}

describeLayer('agent', async (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(ask);
    case 'place': return run(await chassis(), 'a', ask.lease === 'foreign' ? OTHER_TENANT : TENANT);
    case 'identity': return identity(ask);
    case 'leaked-slot': return leakedSlot();
    default: return notAsked(row);
  }
});
