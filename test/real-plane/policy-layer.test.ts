import { Kinds, Label, podName, Taint, VM_RESOURCE, type Toleration } from '../../sdk/api';
import type { Kind } from '../../sdk/api/object';
import type { ControlPlane } from '../../sdk/client';
import { parseInstant } from '../../sdk/rules/instant';
import { boundStatus, claimOf, IMAGE, leaseNamed } from '../conformance/objects';
import { answerInWords, type Wording } from '../conformance/refusal';
import { describeLayer, notAsked, overAllWays, type Answer, type AskOf } from '../conformance/table';
import { describeRealPlane } from '../harness/real-plane-suite';
import { storageKey } from '../../realplane/etcd-store';
import { ADMIN, LayerPlane, OPERATOR, OTHER_TENANT, POLICIES, TENANT } from './layer-plane';

jest.setTimeout(150_000);

const words: readonly Wording[] = [
  { says: 'named <lease>-vm-0 or <lease>-vm-1', reason: 'ThirdInstance' },
  { says: 'at most two VM slots', reason: 'ThirdInstance' },
  { says: 'tolerates macrack.io/tenant of its own namespace', reason: 'CrossTenant' },
  { says: 'does not name the node of a Mac', reason: 'CrossTenant' },
  { says: 'from one tenant to another only through', reason: 'CrossTenant' },
  { says: 'already exists', reason: 'SerialUnavailable' },
  { says: 'a claim ends only when its deletion was stamped after its floor', reason: 'EarlyRelease' },
  { says: 'stays until the lease is Released', reason: 'EarlyRelease' },
];
const CHASSIS = 'mac-c02base1';
const bindingOf = (pod: string): Kind => ({ group: '', version: 'v1', kind: 'Binding', plural: `pods/${pod}/binding`, namespaced: true });
const T0 = parseInstant('2026-11-29T10:00:00Z');
const HOUR_MS = 3_600_000;

/** The policies in files, with the CRDs: no webhook, no operator, no policy for the Clock. Those who act are the ones that the policies trust most. */
describeRealPlane('the policies of deploy/ on Kubernetes 1.37', () => {
  let layer: LayerPlane;
  let operator: ControlPlane;
  let admin: ControlPlane;
  let count = 0;
  beforeAll(async () => {
    layer = await LayerPlane.start({ policies: POLICIES });
    [operator, admin] = [await layer.as(OPERATOR), await layer.as(ADMIN)];
    await admin.create(Kinds.Node, { metadata: { name: CHASSIS, labels: { 'macrack.io/serial': 'c02base1', 'kubernetes.io/os': 'darwin' } }, spec: {}, status: { capacity: { [VM_RESOURCE]: '2', pods: '2' } } });
    await operator.patch(Kinds.Node, { name: CHASSIS }, { spec: { taints: [{ key: Taint.Tenant, value: TENANT, effect: 'NoSchedule' }] } });
  });
  afterAll(() => layer?.stop());

  const answer = (write: Promise<unknown>): Promise<Answer> => answerInWords(write, words);
  const lost = { operator: 'Exists', effect: 'NoExecute' };
  const tolerating = (tenant: string): Toleration[] => [{ key: Taint.Tenant, operator: 'Equal', value: tenant, effect: 'NoSchedule' }, { key: 'node.kubernetes.io/not-ready', ...lost }, { key: 'node.kubernetes.io/unreachable', ...lost }];
  const slots = { requests: { [VM_RESOURCE]: '1' }, limits: { [VM_RESOURCE]: '1' } };
  const pod = (namespace: string, name: string, spec: object = {}, resources: object = slots) =>
    ({ metadata: { namespace, name }, spec: { tolerations: tolerating(namespace), nodeSelector: { [Label.NodeSerial]: 'c02base1' }, terminationGracePeriodSeconds: 120, containers: [{ name: 'vm', image: IMAGE, resources }], ...spec } });

  /** The node is never Ready, so that kube-scheduler leaves it alone; its place is taken here. */
  async function fail(name: string): Promise<void> {
    const ref = { namespace: TENANT, name };
    await (await layer.as('system:kube-scheduler')).create(bindingOf(name), { metadata: ref, target: { kind: 'Node', name: CHASSIS } });
    await (await layer.as(`system:node:${CHASSIS}`)).patch(Kinds.Pod, ref, { status: { phase: 'Failed' } }, { subresource: 'status' });
    await operator.remove(Kinds.Pod, ref, { gracePeriodSeconds: 0 });
  }

  async function start({ existing, starting }: AskOf<'start'>): Promise<Answer> {
    const lease = `l-${count += 1}`;
    let slot = 0;
    for (const { phase } of existing) {
      await operator.create(Kinds.Pod, pod(TENANT, podName(lease, slot)));
      if (phase === 'Failed') await fail(podName(lease, slot));
      else slot += 1;
    }
    const answers = await Promise.all(starting.map((_, i) => answer(operator.create(Kinds.Pod, pod(TENANT, podName(lease, slot + i))))));
    const moreSlots = { status: { capacity: { [VM_RESOURCE]: String(slot + starting.length), pods: '2' } } };
    return overAllWays([answers.flat(), await answer(admin.patch(Kinds.Node, { name: CHASSIS }, moreSlots, { subresource: 'status' }))]);
  }

  async function place({ lease }: AskOf<'place'>): Promise<Answer> {
    const name = podName(`l-${count += 1}`, 0);
    if (lease === 'own') return answer(operator.create(Kinds.Pod, pod(TENANT, name)));
    await operator.create(Kinds.Pod, pod(OTHER_TENANT, name));
    const foreign = tolerating(TENANT);
    return overAllWays([
      await answer(operator.create(Kinds.Pod, pod(OTHER_TENANT, podName(`l-${count += 1}`, 0), { tolerations: foreign }, {}))),
      await answer(admin.patch(Kinds.Pod, { namespace: OTHER_TENANT, name }, { spec: { tolerations: [...tolerating(OTHER_TENANT), ...foreign.slice(0, 1)] } })),
      await answer(operator.create(Kinds.Pod, pod(OTHER_TENANT, podName(`l-${count += 1}`, 0), { nodeName: CHASSIS }))),
      await answer(operator.patch(Kinds.Node, { name: CHASSIS }, { spec: { taints: [{ key: Taint.Tenant, value: OTHER_TENANT, effect: 'NoSchedule' }] } })),
    ]);
  }

  const claim = (serial: string, minimumDuration = '24h') =>
    operator.create(Kinds.MacNodeBinding, claimOf(serial, { namespace: TENANT, lease: 'l', leaseUID: `lease-${count += 1}`, namespaceUID: 'ns-1', minimumDuration }));

  async function pin({ serial }: AskOf<'new-lease'>): Promise<Answer> {
    const name = `c02pin${count += 1}`;
    if (serial === 'leased') await claim(name);
    return answer(claim(name));
  }

  /** The stamps of the claim's making and of its deletion lie exactly as far apart as is asked; the server's clock cannot be moved to that second. */
  async function endClaim({ afterMs, minimumDuration }: AskOf<'release'>): Promise<Answer> {
    const name = `c02free${count += 1}`;
    await claim(name, minimumDuration);
    await operator.remove(Kinds.MacNodeBinding, { name });
    await layer.plane.store.edit(storageKey('macrack.io', 'macnodebindings', name), (stored) => {
      const creationTimestamp = new Date(Date.parse(stored.metadata.deletionTimestamp ?? '') - afterMs).toISOString().replace('.000Z', 'Z');
      return { ...stored, metadata: { ...stored.metadata, creationTimestamp } };
    });
    return answer(operator.patch(Kinds.MacNodeBinding, { name }, { metadata: { finalizers: [] } }));
  }

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

  it('registers a Mac without a taint as unleased, and gives a VM pod no other tolerations than its tenant has', async () => {
    const node = await admin.create(Kinds.Node, { metadata: { name: 'mac-c02new', labels: { 'macrack.io/serial': 'c02new', 'kubernetes.io/os': 'darwin' } }, spec: {} }, { dryRun: true });
    expect(node.spec.taints).toContainEqual({ key: Taint.Unleased, effect: 'NoSchedule' });
    const made = await operator.create(Kinds.Pod, pod(TENANT, podName(`l-${count += 1}`, 0), { tolerations: [{ operator: 'Exists' }] }), { dryRun: true });
    expect(made.spec.tolerations).toEqual(tolerating(TENANT));
  });
});
