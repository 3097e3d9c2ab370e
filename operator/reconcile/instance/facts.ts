import { Kinds, nodeName, podName, type MacNodeBinding, type MacNodeLease, type MacOSInstance, type Pod } from '../../../sdk/api';
import type { Instant } from '../../../sdk/rules/instant';
import type { Identity } from '../../../sdk/rules/judge-identity';
import type { Context } from '../context';
import type { View } from '../engine/view';
import type { MacFacts } from '../node/bindable';
import { knownIdentities } from './identity';
import { isNothing, leftoversOf, type Leftovers } from './leftovers';
import { assignSlots, type SlotPlan } from './slots';

/** What the instances of one lease are reconciled on, together: they share two slots. */
export interface GroupFacts {
  readonly now: Instant;
  readonly namespace: string;
  readonly leaseName: string;
  readonly lease: MacNodeLease | null;
  /** The claim of the lease, made for the namespace that exists now. */
  readonly claim: MacNodeBinding | null;
  readonly mac: MacFacts;
  readonly instances: readonly MacOSInstance[];
  /** By slot. */
  readonly pods: readonly (Pod | null)[];
  readonly plan: SlotPlan;
  readonly leftovers: Leftovers;
  readonly known: readonly Identity[];
  readonly auditWritable: boolean;
}

/** Serial of the Mac that a group runs on, or ran on. */
function serialOf(lease: MacNodeLease | null, instances: readonly MacOSInstance[]): string | undefined {
  return lease?.status?.chassis ?? instances.find((i) => i.status?.node !== undefined)?.status?.node?.replace(/^mac-/, '');
}

async function macOf(view: View, serial: string | undefined): Promise<MacFacts> {
  if (serial === undefined) return { macNode: null, node: null, claim: null };
  const [macNode, node, claim] = await Promise.all([
    view.get(Kinds.MacNode, { name: serial }), view.get(Kinds.Node, { name: nodeName(serial) }), view.get(Kinds.MacNodeBinding, { name: serial }),
  ]);
  return { macNode, node, claim };
}

function claimOf(lease: MacNodeLease | null, { claim }: MacFacts, namespaceUID: string | null | undefined): MacNodeBinding | null {
  if (lease === null || claim?.spec.leaseUID !== lease.metadata.uid) return null;
  // A namespace made again under the name is another tenant: it gets nothing of the old one's.
  return namespaceUID === undefined || namespaceUID === claim.spec.namespaceUID ? claim : null;
}

/** Instances are listed before pods and nodes are read, so what seems left over is looked for among them once more. */
async function leftovers(view: View, { namespace, leaseName, instances, pods, claim, mac }: Omit<GroupFacts, 'leftovers'>): Promise<Leftovers> {
  const node = claim === null ? null : mac.node;
  const found = leftoversOf(instances, pods, node);
  return isNothing(found) ? found : leftoversOf(await view.instancesOf(namespace, leaseName), pods, node);
}

/** Reads all instances of a lease, and their pods; null when there are none. */
export async function gatherGroup({ audit, stores }: Context, view: View, key: string): Promise<GroupFacts | null> {
  const [namespace = '', leaseName = ''] = key.split('/');
  const instances = await view.instancesOf(namespace, leaseName);
  const pods = await Promise.all([0, 1].map((slot) => view.get(Kinds.Pod, { namespace, name: podName(leaseName, slot) })));
  if (instances.length === 0 && pods.every((pod) => pod === null)) return null;
  const [lease, namespaceUID, auditWritable] = await Promise.all([view.get(Kinds.MacNodeLease, { namespace, name: leaseName }), view.namespaceUID(namespace), audit.writable()]);
  const mac = await macOf(view, serialOf(lease, instances));
  const claim = claimOf(lease, mac, namespaceUID);
  const plan = assignSlots(instances, pods, lease?.status?.phase === 'Bound' && claim !== null);
  const known = knownIdentities(stores, mac.macNode, instances);
  const facts = { now: await view.now(), namespace, leaseName, lease, claim, mac, instances, pods, plan, known, auditWritable };
  return { ...facts, leftovers: await leftovers(view, facts) };
}
