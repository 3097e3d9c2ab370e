import { Kinds, Label, podName, Taint, VM_RESOURCE, type Toleration } from '../../sdk/api';
import type { Kind } from '../../sdk/api/object';
import type { ControlPlane } from '../../sdk/client';
import { parseInstant } from '../../sdk/rules/instant';
import { readPolicies } from '../policies/policy';
import { boundStatus, claimOf, IMAGE, leaseNamed } from './objects';
import { answerInWords, type Wording } from './refusal';
import { describeLayer, notAsked, overAllWays, type Answer, type AskOf } from './table';
import { HOUR_MS } from './verdicts';

/** What the layer needs of a plane with CRDs, roles and policies: no webhook, no operator, no policy for the Clock. */
export interface PolicyPlane {
  as(user: string): Promise<ControlPlane>;
  /** Deletes a claim so that the stamps of its making and of its deletion lie exactly so far apart. @param afterMs milliseconds */
  deleteClaimAfter(name: string, afterMs: number): Promise<void>;
  stop(): Promise<void>;
}

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
export const SCHEDULER = 'system:kube-scheduler';
export const AGENT = 'system:node:mac-c02base1';
const CHASSIS = 'mac-c02base1';
const [TENANT, OTHER_TENANT] = ['tenant-a', 'tenant-b'];
const T0 = parseInstant('2026-11-29T10:00:00Z');

const lost = { operator: 'Exists', effect: 'NoExecute' };
const tolerating = (tenant: string): Toleration[] => [{ key: Taint.Tenant, operator: 'Equal', value: tenant, effect: 'NoSchedule' }, { key: 'node.kubernetes.io/not-ready', ...lost }, { key: 'node.kubernetes.io/unreachable', ...lost }];
const slots = { requests: { [VM_RESOURCE]: '1' }, limits: { [VM_RESOURCE]: '1' } };
const pod = (namespace: string, name: string, spec: object = {}, resources: object = slots) =>
  ({ metadata: { namespace, name }, spec: { tolerations: tolerating(namespace), nodeSelector: { [Label.NodeSerial]: 'c02base1' }, terminationGracePeriodSeconds: 120, containers: [{ name: 'vm', image: IMAGE, resources }], ...spec } });
const tainted = (key: string, value?: string) => ({ taints: [{ key, effect: 'NoSchedule', ...(value !== undefined && { value }) }] });
const bindingOf = (name: string): Kind => ({ group: '', version: 'v1', kind: 'Binding', plural: `pods/${name}/binding`, namespaced: true });
const answer = (write: Promise<unknown>): Promise<Answer> => answerInWords(write, words);

/** Acts on the plane as those whom the policies trust most. */
class PolicyAsker {
  #count = 0;

  private constructor(readonly plane: PolicyPlane, readonly operator: ControlPlane, readonly admin: ControlPlane) {}

  /** With a Mac that is leased to the tenant. */
  static async on(plane: PolicyPlane): Promise<PolicyAsker> {
    const [operator, admin] = [await plane.as('macrack-operator'), await plane.as('macrack-admin')];
    const labels = { 'macrack.io/serial': 'c02base1', 'kubernetes.io/os': 'darwin' };
    await admin.create(Kinds.Node, { metadata: { name: CHASSIS, labels }, spec: tainted(Taint.Unleased), status: { capacity: { [VM_RESOURCE]: '2', pods: '2' } } });
    await operator.patch(Kinds.Node, { name: CHASSIS }, { spec: tainted(Taint.Tenant, TENANT) });
    return new PolicyAsker(plane, operator, admin);
  }

  next(prefix = 'l-'): string {
    return `${prefix}${this.#count += 1}`;
  }

  async start({ existing, starting }: AskOf<'start'>): Promise<Answer> {
    const lease = this.next();
    let slot = 0;
    for (const { phase } of existing) {
      await this.operator.create(Kinds.Pod, pod(TENANT, podName(lease, slot)));
      if (phase === 'Failed') await this.#fail(podName(lease, slot));
      else slot += 1;
    }
    const answers = await Promise.all(starting.map((_, i) => answer(this.operator.create(Kinds.Pod, pod(TENANT, podName(lease, slot + i))))));
    // The other way to a third machine: a node that offers as many slots as are asked for.
    const moreSlots = { status: { capacity: { [VM_RESOURCE]: String(slot + starting.length), pods: '2' } } };
    return overAllWays([answers.flat(), await answer(this.admin.patch(Kinds.Node, { name: CHASSIS }, moreSlots, { subresource: 'status' }))]);
  }

  async place({ lease }: AskOf<'place'>): Promise<Answer> {
    const name = podName(this.next(), 0);
    if (lease === 'own') return answer(this.operator.create(Kinds.Pod, pod(TENANT, name)));
    await this.operator.create(Kinds.Pod, pod(OTHER_TENANT, name));
    const foreign = tolerating(TENANT);
    // A pod that asks for no machine keeps the tolerations it comes with, also where a mutating policy sets those of VM pods.
    return overAllWays([
      await answer(this.operator.create(Kinds.Pod, pod(OTHER_TENANT, podName(this.next(), 0), { tolerations: foreign }, {}))),
      await answer(this.admin.patch(Kinds.Pod, { namespace: OTHER_TENANT, name }, { spec: { tolerations: [...tolerating(OTHER_TENANT), ...foreign.slice(0, 1)] } })),
      await answer(this.operator.create(Kinds.Pod, pod(OTHER_TENANT, podName(this.next(), 0), { nodeName: CHASSIS }))),
      await answer(this.operator.patch(Kinds.Node, { name: CHASSIS }, { spec: tainted(Taint.Tenant, OTHER_TENANT) })),
    ]);
  }

  async pin({ serial }: AskOf<'new-lease'>): Promise<Answer> {
    const name = this.next('c02pin');
    if (serial === 'leased') await this.#claim(name);
    return answer(this.#claim(name));
  }

  async release({ afterMs, minimumDuration = '24h' }: AskOf<'release'>): Promise<Answer> {
    return overAllWays([await this.#endClaim(afterMs, minimumDuration), await this.#endLease(afterMs, minimumDuration)]);
  }

  async #endClaim(afterMs: number, minimumDuration: string): Promise<Answer> {
    const name = this.next('c02free');
    await this.#claim(name, minimumDuration);
    await this.plane.deleteClaimAfter(name, afterMs);
    return answer(this.operator.patch(Kinds.MacNodeBinding, { name }, { metadata: { finalizers: [] } }));
  }

  /** The lease keeps its finalizer until it is Released, which the schema allows at its floor. */
  async #endLease(afterMs: number, minimumDuration: string): Promise<Answer> {
    const ref = { namespace: TENANT, name: this.next() };
    const floorMs = Number.parseInt(minimumDuration, 10) * HOUR_MS;
    await (await this.plane.as(TENANT)).create(Kinds.MacNodeLease, leaseNamed(TENANT, ref.name, { minimumDuration }));
    await this.operator.patch(Kinds.MacNodeLease, ref, { metadata: { finalizers: ['macrack.io/floor'] } });
    const released = afterMs < floorMs ? {} : { phase: 'Released', releasedAt: new Date(T0 + afterMs).toISOString() };
    await this.operator.patch(Kinds.MacNodeLease, ref, { status: { ...boundStatus('c02base1', T0, floorMs), ...released } }, { subresource: 'status' });
    return answer(this.operator.patch(Kinds.MacNodeLease, ref, { metadata: { finalizers: [] } }));
  }

  #claim(serial: string, minimumDuration = '24h'): Promise<unknown> {
    return this.operator.create(Kinds.MacNodeBinding, claimOf(serial, { namespace: TENANT, lease: 'l', leaseUID: this.next('lease-'), namespaceUID: 'ns-1', minimumDuration }));
  }

  /** As its agent ends it and the operator clears it away. The node is never Ready, so that the scheduler leaves it alone; its place is taken here. */
  async #fail(name: string): Promise<void> {
    const ref = { namespace: TENANT, name };
    await (await this.plane.as(SCHEDULER)).create(bindingOf(name), { metadata: ref, target: { kind: 'Node', name: CHASSIS } });
    await (await this.plane.as(AGENT)).patch(Kinds.Pod, ref, { status: { phase: 'Failed' } }, { subresource: 'status' });
    await this.operator.remove(Kinds.Pod, ref, { gracePeriodSeconds: 0 });
  }
}

/** Runs the table against the policies of deploy/. @param hasMutating whether the plane evaluates mutating policies @param also more that is asked of the same plane */
export function describePolicies<T extends PolicyPlane>(start: () => Promise<T>, hasMutating: boolean, also: (plane: () => T) => void = () => undefined): void {
  let plane: T | undefined;
  let asker: PolicyAsker;
  beforeAll(async () => {
    plane = await start();
    asker = await PolicyAsker.on(plane);
  });
  afterAll(() => plane?.stop());

  describeLayer('policy', async (row) => {
    const { ask } = row;
    switch (ask.kind) {
      case 'start': return asker.start(ask);
      case 'place': return asker.place(ask);
      case 'new-lease': return asker.pin(ask);
      case 'release': return asker.release(ask);
      default: return notAsked(row);
    }
  });

  it('each of these sentences is one of the policy that is named', () => {
    const sentences = readPolicies('policies').flatMap(({ file, policy }) => policy.spec.validations.map(({ message }) => ({ file, message })));
    for (const { policy, says } of words.filter((w) => w.policy.startsWith('p'))) expect(sentences.filter(({ file, message }) => file === policy && message.includes(says))).toHaveLength(1);
  });

  if (hasMutating) it('registers a Mac without a taint as unleased, and gives a VM pod no other tolerations than its tenant has', async () => {
    const node = await asker.admin.create(Kinds.Node, { metadata: { name: 'mac-c02new', labels: { 'macrack.io/serial': 'c02new', 'kubernetes.io/os': 'darwin' } }, spec: {} }, { dryRun: true });
    expect(node.spec.taints).toContainEqual({ key: Taint.Unleased, effect: 'NoSchedule' });
    const made = await asker.operator.create(Kinds.Pod, pod(TENANT, podName(asker.next(), 0), { tolerations: [{ operator: 'Exists' }] }), { dryRun: true });
    expect(made.spec.tolerations).toEqual(tolerating(TENANT));
  });

  also(() => {
    if (plane === undefined) throw new Error('the plane has not started');
    return plane;
  });
}
