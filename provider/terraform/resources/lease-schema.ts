import { computed, optional, optionalComputed, required } from '../schema/attributes';
import { schema, type Planned, type Stored } from '../schema/schema';
import { bool, number, object, string } from '../schema/types';
import { timeoutsAttribute } from './timeouts';

const SLOTS = object({
  total: computed(number, 'Virtual machines that the Mac takes.'),
  used: computed(number, 'Virtual machines that it has.'),
  leaked: computed(number, 'Virtual machines that its kernel counts and nobody runs.'),
});

/** What a lease reports; the data source has the same. */
export const leaseOutputs = {
  uid: computed(string, 'UID of the object on the control plane.'),
  phase: computed(string, 'Pending, Binding, Bound, Held, Releasing or Released.'),
  chassis: computed(string, 'Serial of the Mac that is bound, in lower case.'),
  node: computed(string, 'Kubernetes node of the Mac.'),
  bound_at: computed(string, 'When the Mac was bound and the 24 hours began, RFC 3339.'),
  earliest_release_at: computed(string, 'End of the floor: bound_at plus the larger of 24h and minimum_duration, RFC 3339.'),
  held_since: computed(string, 'Since when the lease is Held, RFC 3339.'),
  slots: computed(SLOTS, 'Slots for virtual machines, as the Mac last reported.'),
};

export const leaseSchema = schema('A whole Mac, dedicated to one tenant for at least 24 consecutive hours.', {
  id: computed(string, '"namespace/name", known at plan. It is what an instance takes as `lease`.'),
  namespace: optionalComputed(string, "The tenant. Default: the provider's namespace, else that of the kubeconfig's context."),
  name: required(string, 'DNS label of at most 58 characters.'),
  class: required(string, 'base, pro or studio.'),
  serial: optional(string, 'Pins one Mac by its serial number, in either case. Left out, the operator chooses; it never fills this in.'),
  minimum_duration: optionalComputed(string, 'Shortest duration in whole hours, "24h" to "8760h". It can be raised, never lowered. Default "24h".'),
  on_early_release: optionalComputed(string, '"refuse": a destroy before the floor is refused at plan. "hold": the lease becomes Held, and billed, until its floor. It counts from what is applied, not from the configuration. Default "refuse".'),
  adopt: optional(bool, 'Takes over the lease of this name if there is one, Held or Bound. While it is set, a lease of the state that has become Held is taken back by the next apply, and the plan says `Adopts`. Its floor does not change.'),
  timeouts: timeoutsAttribute,
  ...leaseOutputs,
});

export type LeasePlanned = Planned<typeof leaseSchema>;
export type LeaseStored = Stored<typeof leaseSchema>;
