import type { ManagedKind } from './finding';

/** What differs between the tools in what a user is told to do: everything else is said in the same words. */
export interface Wording {
  /** How a configuration names a lease, for an example. */
  readonly leaseExample: string;
  /** How an object that exists already gets into the state; a clause that follows a sentence. */
  readonly takeOver: (kind: ManagedKind) => string;
  /** How many resources that are made in a loop get a name each. */
  readonly nameInLoop: string;
  /** What helps where holders of a slot may be removed by the same run. */
  readonly slotExit: string;
}

/** For terraform and tofu. */
export const TERRAFORM: Wording = {
  leaseExample: 'macrack_mac_node_lease.ci.id or "team-a/ci"',
  takeOver: (kind) => (kind === 'lease' ? 'Import it or set adopt = true' : 'Import it'),
  nameInLoop: 'With count or for_each, make count.index or each.key a part of the name.',
  slotExit: 'If this run removes one of them, plan it with a higher -parallelism.',
};

/** For pulumi, which creates before it deletes what the program no longer has. */
export const PULUMI: Wording = {
  leaseExample: 'the lease itself, or "team-a/ci"',
  takeOver: (kind) => (kind === 'lease' ? 'Set adopt: true to take it into this stack' : 'Delete it with kubectl'),
  nameInLoop: 'In a loop, make the index or the key a part of the name.',
  slotExit: 'Pulumi makes new instances before it deletes those that the program no longer has: to change one, keep its resource name, which replaces it in its slot; or remove it in one update and add the other in the next.',
};
