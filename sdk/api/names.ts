/** API group of every MacRack kind. */
export const GROUP = 'macrack.io';
/** Served and stored version. */
export const VERSION = 'v1';
export const API_VERSION = `${GROUP}/${VERSION}`;

/** Extended resource of a Mac node; one unit is one running macOS virtual machine. */
export const VM_RESOURCE = 'macrack.io/macos-vm';

export const Taint = {
  /** On a Mac that nobody leases. */
  Unleased: 'macrack.io/unleased',
  /** On a leased Mac; its value is the tenant, that is the namespace. */
  Tenant: 'macrack.io/tenant',
} as const;

export const Finalizer = {
  /** Keeps a lease until its floor. */
  Floor: 'macrack.io/floor',
  /** Keeps a claim until its deletion was stamped past its floor. */
  Claim: 'macrack.io/claim',
  /** Keeps an instance until its machine has stopped and its disk is gone. */
  Vm: 'macrack.io/vm',
} as const;

export const Label = {
  Serial: 'macrack.io/serial',
  /** Set by the operator on a node; agents may not write this prefix. */
  NodeSerial: 'node-restriction.kubernetes.io/macrack-serial',
  Lease: 'macrack.io/lease',
  Instance: 'macrack.io/instance',
} as const;

export const Annotation = {
  /** Who created the object, as the API server authenticated them; stamped by the mutating webhook. */
  RequestedBy: 'macrack.io/requested-by',
  /** Who last set `spec.release`; stamped by the mutating webhook. */
  ReleaseRequestedBy: 'macrack.io/release-requested-by',
  /** Which resource of which program keeps the object in its state, written by a tool for itself. */
  Owner: 'macrack.io/owner',
  /** What that resource wishes for its early release, where that is not to be refused; written by a tool for its own messages. */
  OnEarlyRelease: 'macrack.io/on-early-release',
  InstanceUID: 'macrack.io/instance-uid',
  LeaseUID: 'macrack.io/lease-uid',
  BindingUID: 'macrack.io/binding-uid',
  Shape: 'macrack.io/shape',
  /** On a node: UIDs of the instances whose disks must stay, separated by commas. */
  KeepDisks: 'macrack.io/keep-disks',
  /** On a MacNode: id of the bootstrap token that its enrolment made. Not a secret. */
  Enrolment: 'macrack.io/enrolment',
  /** On a certificate signing request of an agent: platform UUID of the hardware that asks. */
  HardwareUUID: 'macrack.io/hardware-uuid',
} as const;

/** The one Clock. */
export const CLOCK_NAME = 'clock';

/** Longest name of a lease or instance: pods append `-vm-0`. */
export const LONGEST_NAME = 58;

/** A DNS label of at most 58 characters. */
export const NAME_PATTERN = /^[a-z0-9]([-a-z0-9]{0,56}[a-z0-9])?$/;

/** Apple serials, of any length in use, in either case. */
export const SERIAL_PATTERN = /^[A-Za-z0-9]{1,32}$/;

/** Node of a Mac. */
export function nodeName(serial: string): string {
  return `mac-${serial.toLowerCase()}`;
}

/** Pod that runs in a slot of a lease. */
export function podName(lease: string, slot: number): string {
  return `${lease}-vm-${slot}`;
}
