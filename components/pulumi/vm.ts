import type { Input } from '@pulumi/pulumi';
import type { Shape, Timeouts } from '../../provider/pulumi/program';

/** A virtual machine of a dedicated Mac. */
export interface Vm {
  /** Name of the instance on the control plane. Default: the lease's name, then `-vm-0` or `-vm-1`. A change replaces the instance. */
  readonly name?: Input<string>;
  /** OCI reference of the macOS image. A change replaces the instance. */
  readonly image: Input<string>;
  /** Size. The sizes of both together must fit the Mac. A change replaces the instance. */
  readonly shape: Input<Shape>;
  /** False stops the machine; it keeps its slot and its disk. Default true. */
  readonly running?: Input<boolean>;
  /** A create also waits for an IP address, and fails without one. Default false. */
  readonly awaitIp?: Input<boolean>;
  /** How long to wait for each operation. */
  readonly timeouts?: Input<Timeouts>;
}

/** At most two on a Mac: a third does not compile. Apple's licence, section 2B(iii). */
export type Vms = readonly [] | readonly [Vm] | readonly [Vm, Vm];

/** The fields of a `Vm`. */
export const VM_FIELDS: readonly (keyof Vm)[] = ['name', 'image', 'shape', 'running', 'awaitIp', 'timeouts'];
