import { join } from 'node:path';
import { ask as askPlane } from '../../devplane/testing/client';
import { Kinds, Label, podName, Taint, VM_RESOURCE, type Toleration } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client';
import { parseInstant } from '../../sdk/rules/instant';
import { readPolicies } from '../policies/policy';
import { ADMIN, DEPLOY, LayerPlane, OPERATOR, OTHER_TENANT, TENANT } from './layer-plane';
import { boundStatus, claimOf, IMAGE, leaseNamed } from './objects';
import { answerInWords, type Wording } from './refusal';
import { DEADLINE_MS, describeLayer, notAsked, overAllWays, type Answer, type AskOf } from './table';
import { HOUR_MS } from './verdicts';

/** A policy refuses by its name and the sentence of one of its rules; the collision of two claims is the API server's own answer. */
const words: readonly (Wording & { readonly policy: string })[] = [
  { policy: 'p3-vm-pods', says: 'named <lease>-vm-0 or <lease>-vm-1', reason: 'ThirdInstance' },
  { policy: 'p1-node-capacity', says: 'at most two VM slots', reason: 'ThirdInstance' },
  { policy: 'p3-vm-pods', says: 'tolerates macrack.io/tenant of its own namespace', reason: 'CrossTenant' },
  { policy: 'p3-vm-pods', says: 'does not name the node of a Mac', reason: 'CrossTenant' },
  { policy: 'p2-node-taints', says: 'from one tenant to another only through', reason: 'CrossTenant' },
  { policy: 'macnodebindings.macrack.io', says: 'already exists', reason: 'SerialUnavailable' },
  { policy: 'p7b-claim-floor', says: 'a claim ends only when its deletion was stamped after its floor', reason: 'EarlyRelease' },
  { policy: 'p6-lease-finalizer', says: 'stays until the lease is Released', reason: 'EarlyRelease' },
];
const SCHEDULER = 'system:kube-scheduler';
const AGENT = 'system:node:mac-c02base1';
const CHASSIS = 'mac-c02base1';
const T0 = parseInstant('2026-11-29T10:00:00Z');

/** The policies with the CRDs: no webhook, no operator. Those who act are the ones that the policies trust most. */
let layer: LayerPlane;
let operator: ControlPlane;
let admin: ControlPlane;
let count = 0;
beforeAll(async () => {
  layer = await LayerPlane.start({ policies: join(DEPLOY, 'policies'), users: [{ name: SCHEDULER, groups: ['system:masters'] }, { name: AGENT, groups: ['system:nodes'] }] });
  layer.standStill(T0);
  [operator, admin] = [await layer.as(OPERATOR), await layer.as(ADMIN)];
  await admin.create(Kinds.Node, {
    metadata: { name: CHASSIS, labels: { 'macrack.io/serial': 'c02base1', 'kubernetes.io/os': 'darwin' } },
    spec: { taints: [{ key: Taint.Unleased, effect: 'NoSchedule' }] }, status: { capacity: { [VM_RESOURCE]: '2', pods: '2' } },
  });
  await operator.patch(Kinds.Node, { name: CHASSIS }, { spec: { taints: [{ key: Taint.Tenant, value: TENANT, effect: 'NoSchedule' }] } });
}, DEADLINE_MS);
afterAll(() => layer.stop(), DEADLINE_MS);

const answer = (write: Promise<unknown>): Promise<Answer> => answerInWords(write, words);
const lost = { operator: 'Exists', effect: 'NoExecute' };

function pod(namespace: string, name: string, spec: { nodeName?: string; tenant?: string } = {}) {
  const { tenant = namespace, ...rest } = spec;
  const tolerations: Toleration[] = [{ key: Taint.Tenant, operator: 'Equal', value: tenant, effect: 'NoSchedule' }, { key: 'node.kubernetes.io/not-ready', ...lost }, { key: 'node.kubernetes.io/unreachable', ...lost }];
  const amounts = { [VM_RESOURCE]: '1' };
  return { metadata: { namespace, name }, spec: { ...rest, tolerations, nodeSelector: { [Label.NodeSerial]: 'c02base1' }, terminationGracePeriodSeconds: 120, containers: [{ name: 'vm', image: IMAGE, resources: { requests: amounts, limits: amounts } }] } };
}

/** As its agent ends it and the operator clears it away. */
async function fail(name: string): Promise<void> {
  const ref = { namespace: TENANT, name };
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: CHASSIS } };
  await askPlane(layer.plane, `/api/v1/namespaces/${TENANT}/pods/${name}/binding`, { method: 'POST', body, token: layer.plane.token(SCHEDULER) });
  await (await layer.as(AGENT)).patch(Kinds.Pod, ref, { status: { phase: 'Failed' } }, { subresource: 'status' });
  await operator.remove(Kinds.Pod, ref, { gracePeriodSeconds: 0 });
}

async function start({ existing, starting }: AskOf<'start'>): Promise<Answer> {
  const lease = `l-${count += 1}`;
  let slot = 0;
  for (const { phase } of existing) {
    const name = podName(lease, slot);
    await operator.create(Kinds.Pod, pod(TENANT, name));
    if (phase === 'Failed') await fail(name);
    else slot += 1;
  }
  const answers = await Promise.all(starting.map((_, i) => answer(operator.create(Kinds.Pod, pod(TENANT, podName(lease, slot + i))))));
  // The other way to a third machine: a node that offers as many slots as are asked for.
  const moreSlots = { status: { capacity: { [VM_RESOURCE]: String(slot + starting.length), pods: '2' } } };
  return overAllWays([answers.flat(), await answer(admin.patch(Kinds.Node, { name: CHASSIS }, moreSlots, { subresource: 'status' }))]);
}

async function place({ lease }: AskOf<'place'>): Promise<Answer> {
  const name = podName(`l-${count += 1}`, 0);
  if (lease === 'own') return answer(operator.create(Kinds.Pod, pod(TENANT, name)));
  const taint = { spec: { taints: [{ key: Taint.Tenant, value: OTHER_TENANT, effect: 'NoSchedule' }] } };
  return overAllWays([
    await answer(operator.create(Kinds.Pod, pod(OTHER_TENANT, name, { tenant: TENANT }))),
    await answer(operator.create(Kinds.Pod, pod(OTHER_TENANT, name, { nodeName: CHASSIS }))),
    await answer(operator.patch(Kinds.Node, { name: CHASSIS }, taint)),
  ]);
}

const claim = (serial: string, minimumDuration = '24h') =>
  operator.create(Kinds.MacNodeBinding, claimOf(serial, { namespace: TENANT, lease: 'l', leaseUID: `lease-${count += 1}`, namespaceUID: 'ns-1', minimumDuration }));

async function pin({ serial }: AskOf<'new-lease'>): Promise<Answer> {
  const name = `c02pin${count += 1}`;
  if (serial === 'leased') await claim(name);
  return answer(claim(name));
}

/** The claim is deleted at the moment that is asked about, then let go. */
async function endClaim({ afterMs, minimumDuration }: AskOf<'release'>): Promise<Answer> {
  const name = `c02free${count += 1}`;
  await claim(name, minimumDuration);
  layer.standStill(T0 + afterMs);
  await operator.remove(Kinds.MacNodeBinding, { name });
  const letGo = await answer(operator.patch(Kinds.MacNodeBinding, { name }, { metadata: { finalizers: [] } }));
  layer.standStill(T0);
  return letGo;
}

/** The lease keeps its finalizer until it is Released, which the schema allows at its floor. */
async function endLease({ afterMs, minimumDuration = '24h' }: AskOf<'release'>): Promise<Answer> {
  const ref = { namespace: TENANT, name: `l-${count += 1}` };
  const floorMs = Number.parseInt(minimumDuration, 10) * HOUR_MS;
  await (await layer.as(TENANT)).create(Kinds.MacNodeLease, leaseNamed(TENANT, ref.name, { minimumDuration }));
  await operator.patch(Kinds.MacNodeLease, ref, { metadata: { finalizers: ['macrack.io/floor'] } });
  const released = afterMs < floorMs ? {} : { phase: 'Released', releasedAt: new Date(T0 + afterMs).toISOString() };
  await operator.patch(Kinds.MacNodeLease, ref, { status: { ...boundStatus('c02base1', T0, floorMs), ...released } }, { subresource: 'status' });
  return answer(operator.patch(Kinds.MacNodeLease, ref, { metadata: { finalizers: [] } }));
}

describeLayer('policy', async (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(ask);
    case 'place': return place(ask);
    case 'new-lease': return pin(ask);
    case 'release': return overAllWays([await endClaim(ask), await endLease(ask)]);
    default: return notAsked(row);
  }
});

it('each of these sentences is one of the policy that is named', () => {
  const sentences = readPolicies('policies').flatMap(({ file, policy }) => policy.spec.validations.map(({ message }) => ({ file, message })));
  for (const { policy, says } of words.filter((w) => w.policy.startsWith('p'))) expect(sentences.filter(({ file, message }) => file === policy && message.includes(says))).toHaveLength(1);
});
