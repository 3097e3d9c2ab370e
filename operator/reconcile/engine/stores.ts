import { Kinds, Label, type CertificateSigningRequest, type MacClass, type MacNode, type MacNodeBinding, type MacNodeLease, type MacOSInstance, type Node, type Pod } from '../../../sdk/api';
import { parseInstant, type Instant } from '../../../sdk/rules/instant';
import { Doubts } from '../agents/doubts';
import { ObjectStore } from './store';

const group = (namespace: string | undefined, lease: string | undefined): string | undefined =>
  namespace === undefined || lease === undefined ? undefined : `${namespace}/${lease}`;

class MacNodeStore extends ObjectStore<MacNode> {
  newest: Instant | undefined;

  override put(macNode: MacNode): void {
    super.put(macNode);
    const seen = macNode.status?.lastSeen === undefined ? undefined : parseInstant(macNode.status.lastSeen);
    if (seen !== undefined && (this.newest === undefined || seen > this.newest)) this.newest = seen;
  }
}

/** Everything that the operator watches, as of the last event. May lag behind the server: never the ground for a step that cannot be taken back. */
export class Stores {
  readonly leases = new ObjectStore<MacNodeLease>({ class: (l) => l.spec.class });
  readonly instances = new ObjectStore<MacOSInstance>({ lease: (i) => group(i.metadata.namespace, i.spec.leaseName) });
  readonly claims = new ObjectStore<MacNodeBinding>({ leaseUID: (c) => c.spec.leaseUID, lease: (c) => `${c.spec.leaseNamespace}/${c.spec.leaseName}` });
  readonly macNodes = new MacNodeStore({ class: (m) => m.spec.class });
  readonly classes = new ObjectStore<MacClass>();
  readonly nodes = new ObjectStore<Node>();
  readonly certificates = new ObjectStore<CertificateSigningRequest>();
  readonly pods = new ObjectStore<Pod>({ lease: (p) => group(p.metadata.namespace, p.metadata.labels?.[Label.Lease]) });

  /** What is known of Macs from asking them, not from a watch. */
  readonly doubts = new Doubts();

  /** Newest report of any agent: a lower bound of the server's time that costs no request. */
  newestReport(): Instant | undefined {
    return this.macNodes.newest;
  }

  /** The store that holds a kind. */
  of(plural: string): ObjectStore<never> {
    const stores: Readonly<Record<string, unknown>> = {
      [Kinds.MacNodeLease.plural]: this.leases, [Kinds.MacOSInstance.plural]: this.instances, [Kinds.MacNodeBinding.plural]: this.claims,
      [Kinds.MacNode.plural]: this.macNodes, [Kinds.MacClass.plural]: this.classes, [Kinds.Node.plural]: this.nodes, [Kinds.Pod.plural]: this.pods,
      [Kinds.CertificateSigningRequest.plural]: this.certificates,
    };
    const store = stores[plural];
    if (store === undefined) throw new Error(`the operator does not watch ${plural}`);
    return store as ObjectStore<never>;
  }
}
