import { computed, optional, optionalComputed, required } from '../schema/attributes';
import { schema, type Planned, type Stored } from '../schema/schema';
import { bool, number, object, string } from '../schema/types';
import { timeoutsAttribute } from './timeouts';

const SHAPE = object({
  cpu: required(number, 'Cores, a whole number.'),
  memory: required(string, 'Memory as a quantity, for example "8Gi".'),
  disk: required(string, 'Disk as a quantity, for example "100Gi".'),
});

export const instanceSchema = schema('A macOS virtual machine on a leased Mac. A lease takes two.', {
  id: computed(string, '"namespace/name", known at plan.'),
  namespace: optionalComputed(string, "The tenant. Default: the lease's."),
  name: required(string, 'DNS label of at most 58 characters.'),
  lease: required(string, 'Id of the lease, "namespace/name". A change replaces the instance.'),
  image: required(string, 'OCI reference of the macOS image. A change replaces the instance.'),
  shape: required(SHAPE, "Size. The sizes of a lease's instances together must fit its Mac. A change replaces the instance."),
  running: optionalComputed(bool, 'False stops the machine; it keeps its slot and its disk. Default true.'),
  await_ip: optional(bool, 'A create also waits for an IP address, and fails without one. Default false.'),
  timeouts: timeoutsAttribute,
  uid: computed(string, 'UID of the object on the control plane.'),
  phase: computed(string, 'Pending, Starting, Running, Stopped, Failed or Unknown.'),
  reason: computed(string, 'Why the instance is in that phase, in one word.'),
  slot: computed(number, 'Slot of the Mac, 0 or 1.'),
  node: computed(string, 'Kubernetes node of the Mac.'),
  machine_id: computed(string, 'Machine identifier; stable over restarts.'),
  mac: computed(string, 'MAC address; distinct across the fleet.'),
  ip: computed(string, 'IP address; null while it has none.'),
});

export type InstancePlanned = Planned<typeof instanceSchema>;
export type InstanceStored = Stored<typeof instanceSchema>;
