import { join } from 'node:path';
import { Kinds, Label, Taint, VM_RESOURCE, type Pod } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client';
import { until } from '../../sdk/client/until';
import { ADMIN, DEPLOY, LayerPlane, OTHER_TENANT, TENANT } from './layer-plane';
import { IMAGE } from './objects';
import { describeLayer, notAsked, type Answer, type AskOf } from './table';

/** The scheduler with plain nodes: no agent, no operator, no policy, no webhook. */
let layer: LayerPlane;
let admin: ControlPlane;
let count = 0;
beforeAll(async () => {
  layer = await LayerPlane.start({ crds: join(DEPLOY, 'crds') });
  admin = await layer.as(ADMIN);
});
afterAll(() => layer.stop());

/** A node that is leased to tenant A and offers two slots. @returns its serial */
async function chassis(): Promise<string> {
  const serial = `c02m${count += 1}`;
  const amounts = { [VM_RESOURCE]: '2', pods: '10' };
  await admin.create(Kinds.Node, {
    metadata: { name: `mac-${serial}`, labels: { [Label.NodeSerial]: serial } }, spec: { taints: [{ key: Taint.Tenant, value: TENANT, effect: 'NoSchedule' }] },
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True', reason: 'Set', message: '', lastTransitionTime: '2026-11-29T10:00:00Z' }] },
  });
  await until(`node ${serial} is Ready`, async () => ((await admin.get(Kinds.Node, { name: `mac-${serial}` })).spec.taints?.length === 1 ? true : undefined));
  return serial;
}

const unschedulable = ({ status }: Pod) => status?.conditions?.find(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable')?.message;

function answerOf(why: string): Answer {
  if (why.includes(`Insufficient ${VM_RESOURCE}`)) return ['ThirdInstance'];
  if (why.includes('had untolerated taint')) return ['CrossTenant'];
  throw new Error(`unschedulable for another reason: ${why}`);
}

/** Places a pod that tolerates its own namespace's Macs, and waits for what the scheduler says. */
async function place(namespace: string, name: string, serial: string): Promise<Answer> {
  const amounts = { [VM_RESOURCE]: '1' };
  await admin.create(Kinds.Pod, {
    metadata: { namespace, name },
    spec: {
      nodeSelector: { [Label.NodeSerial]: serial }, tolerations: [{ key: Taint.Tenant, operator: 'Equal', value: namespace, effect: 'NoSchedule' }],
      containers: [{ name: 'vm', image: IMAGE, resources: { requests: amounts, limits: amounts } }],
    },
  });
  const decided = await until(`pod ${name} is placed or not`, async () => {
    const pod = await admin.get(Kinds.Pod, { namespace, name });
    return pod.spec.nodeName === undefined && unschedulable(pod) === undefined ? undefined : pod;
  });
  return decided.spec.nodeName === undefined ? answerOf(unschedulable(decided) ?? '') : [];
}

async function start({ existing, starting }: AskOf<'start'>): Promise<Answer> {
  const serial = await chassis();
  for (const { name, phase } of existing) {
    expect(await place(TENANT, `${serial}-${name}`, serial)).toEqual([]);
    await admin.patch(Kinds.Pod, { namespace: TENANT, name: `${serial}-${name}` }, { status: { phase } }, { subresource: 'status' });
  }
  const answers = await Promise.all(starting.map((name) => place(TENANT, `${serial}-${name}`, serial)));
  return answers.flat();
}

describeLayer('scheduler', async (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(ask);
    case 'place': return place(ask.lease === 'foreign' ? OTHER_TENANT : TENANT, `p-${count += 1}`, await chassis());
    default: return notAsked(row);
  }
});
