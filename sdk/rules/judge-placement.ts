import { isKnown, type Maybe } from './unknown';
import { ALLOWED, both, refuse, undetermined, type Verdict } from './verdict';

/** A lease as its instances see it. */
export interface PlacementLease {
  /** Phase on the server; `declared` when this run makes or adopts it. */
  readonly phase: Maybe<string>;
  /** UID of the namespace that the claim was made for; null while there is no claim. */
  readonly namespaceUID: Maybe<string | null>;
}

/** What the one-tenant rule is judged on. */
export interface PlacementFacts {
  readonly instance: { readonly namespace: string; readonly name: string; readonly namespaceUID: Maybe<string> };
  readonly leaseRef: { readonly namespace: string; readonly name: string };
  /** The lease of that name; null when the tenant has none. Never looked up in another tenant's namespace. */
  readonly lease: Maybe<PlacementLease | null>;
}

const section = "Apple's licence, section 3A(iii), permits one tenant on a leased Mac until the lease ends";

function crossTenant({ instance, leaseRef }: PlacementFacts): Verdict {
  return refuse('CrossTenant', 'lease', `Instance ${instance.namespace}/${instance.name} asks for a Mac outside its own namespace: ${leaseRef.namespace}/${leaseRef.name} `
    + `is not a lease of tenant ${instance.namespace}. ${section}. Name a lease of namespace ${instance.namespace}, or create one there.`);
}

function recreatedNamespace({ instance, leaseRef }: PlacementFacts): Verdict {
  return refuse('CrossTenant', 'lease', `Lease ${leaseRef.namespace}/${leaseRef.name} was bound for an earlier namespace of the name ${instance.namespace}; instance ${instance.name} `
    + `belongs to the namespace that exists now, which is another tenant. ${section}. Create a lease of your own under another name.`);
}

function notFound({ instance, leaseRef }: PlacementFacts): Verdict {
  return refuse('LeaseNotFound', 'lease', `Instance ${instance.namespace}/${instance.name} names lease ${leaseRef.name}, and namespace ${leaseRef.namespace} has no lease of that name. `
    + `An instance runs on a leased Mac only; there is no other place for it. Create the lease first, or correct the name.`);
}

function exitOf(phase: string, { namespace, name }: PlacementFacts['leaseRef']): string {
  switch (phase) {
    case 'Held': return 'Keep the lease (adopt it) or use another one.';
    case 'Releasing': return 'That lease is ending and never becomes Bound again. Create a new lease and name that one.';
    case 'Released': return 'That lease has ended and never becomes Bound again. Create a new lease and name that one.';
    default: return `Wait until \`kubectl get macnodelease ${name} -n ${namespace}\` shows Bound, or use another one.`;
  }
}

function notBound({ instance, leaseRef }: PlacementFacts, phase: string): Verdict {
  return refuse('LeaseNotBound', 'lease', `Instance ${instance.namespace}/${instance.name} cannot start: lease ${leaseRef.namespace}/${leaseRef.name} is ${phase}, and only a Bound lease takes new instances. `
    + exitOf(phase, leaseRef));
}

function judgeTenant(facts: PlacementFacts, lease: PlacementLease): Verdict {
  const { namespaceUID } = facts.instance;
  if (lease.namespaceUID === null) return ALLOWED;
  if (!isKnown(namespaceUID) || !isKnown(lease.namespaceUID)) return undetermined(`whether namespace ${facts.instance.namespace} is still the tenant of lease ${facts.leaseRef.name}`);
  return namespaceUID === lease.namespaceUID ? ALLOWED : recreatedNamespace(facts);
}

function judgePhase(facts: PlacementFacts, { phase }: PlacementLease): Verdict {
  if (!isKnown(phase)) return undetermined(`whether lease ${facts.leaseRef.namespace}/${facts.leaseRef.name} is Bound`);
  return phase === 'Bound' || phase === 'declared' ? ALLOWED : notBound(facts, phase);
}

/** Rule 2: an instance runs on a Bound lease of its own tenant. */
export function judgePlacement(facts: PlacementFacts): Verdict {
  if (facts.instance.namespace !== facts.leaseRef.namespace) return crossTenant(facts);
  if (!isKnown(facts.lease)) return undetermined(`whether lease ${facts.leaseRef.namespace}/${facts.leaseRef.name} exists`);
  if (facts.lease === null) return notFound(facts);
  return both(judgeTenant(facts, facts.lease), judgePhase(facts, facts.lease));
}
