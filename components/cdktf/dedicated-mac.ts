import type { IResolvable, TerraformProvider } from 'cdktf';
import { Construct } from 'constructs';
import { refuseOtherLibrary } from './base/library';
import { MacNodeLease } from './bindings/mac-node-lease';
import type { MacNodeLeaseTimeouts } from './bindings/mac-node-lease-timeouts';
import { MacOSInstance } from './bindings/mac-os-instance';
import type { MacOSInstanceShape } from './bindings/mac-os-instance-shape';
import { asObject, fieldFaults, pick, shapeFaults, stem } from './rules/construct-faults';
import { watchConstruct } from './rules/watch';
import { VM_FIELDS, type Vm, type Vms } from './vm';

/** What the lease of a dedicated Mac may say. */
export interface DedicatedMacLease {
  /** `base`, `pro` or `studio`. */
  readonly class: string;
  /** The tenant. Default: the provider's namespace, else that of the kubeconfig's context. */
  readonly namespace?: string;
  /** Shortest duration in whole hours, "24h" to "8760h". It can be raised, never lowered. Default "24h". */
  readonly minimumDuration?: string;
  /** What a destroy before the floor does, "refuse" or "hold". It counts from what is applied. Default "refuse". */
  readonly onEarlyRelease?: string;
  /** Takes over the lease of this name if there is one, Held or Bound. Its floor does not change. */
  readonly adopt?: boolean | IResolvable;
  /** How long to wait for each operation of the lease. */
  readonly timeouts?: MacNodeLeaseTimeouts;
  /** Configuration of the provider for the lease and its instances. Default: the stack's. */
  readonly provider?: TerraformProvider;
  /**
   * What one Mac of the class has, where that is known: sizes are then judged at synth. The classes are kept on the control plane, which the
   * plan asks in any case.
   */
  readonly chassis?: MacOSInstanceShape;
}

export interface DedicatedMacProps extends DedicatedMacLease {
  /** Name of the lease on the control plane. Default: the id of the construct. */
  readonly name?: string;
  /** Pins one Mac by its serial number, in either case. Default: the operator chooses. */
  readonly serial?: string;
  /** The virtual machines, at most two. */
  readonly vms: Vms;
}

const OF_LEASE = ['class', 'namespace', 'serial', 'minimumDuration', 'onEarlyRelease', 'adopt', 'timeouts', 'provider'] as const;

/** The fields that a dedicated Mac and a fleet of them have in common. */
export const LEASE_FIELDS = [...OF_LEASE.filter((field) => field !== 'serial'), 'chassis'] as const;

const FIELDS = [...OF_LEASE, 'name', 'vms', 'chassis'] as const;

/** One leased Mac and its virtual machines: `lease`, and `vm-0` and `vm-1` for each of them. */
export class DedicatedMac extends Construct {
  readonly lease: MacNodeLease;
  readonly instances: readonly MacOSInstance[];

  constructor(scope: Construct, id: string, props: DedicatedMacProps) {
    refuseOtherLibrary(scope, id);
    super(scope, id);
    const { name: written, vms } = asObject(props);
    const name = written ?? id;
    this.lease = new MacNodeLease(this, 'lease', { ...pick(props, OF_LEASE), name });
    // JavaScript may hand over three, or none at all: all are declared, and judged with everything else.
    const wanted: readonly Vm[] = Array.isArray(vms) ? vms as readonly Vm[] : [];
    this.instances = wanted.map((vm, slot) => new MacOSInstance(this, `vm-${slot}`, {
      name: `${stem(name, id)}-vm-${slot}`, ...pick(vm, VM_FIELDS), lease: this.lease.id, ...pick(props, ['provider']),
    }));
    watchConstruct(this, () => this.faults(props));
  }

  private faults(props: DedicatedMacProps): string[] {
    const { vms, chassis } = asObject(props) as { readonly vms?: unknown; readonly chassis?: unknown };
    const inVms = Array.isArray(vms) ? vms.flatMap((vm, slot) => fieldFaults('Vm', vm, VM_FIELDS, `vms[${slot}].`))
      : [`InvalidValue: vms is ${vms === undefined ? 'left out' : 'no list'}. vms is a list of at most two virtual machines, [] for a Mac without any. Write it so.`];
    const { nameInput: name, classInput: className } = this.lease;
    return [...fieldFaults('DedicatedMac', props, FIELDS), ...inVms, ...shapeFaults({ name, class: className }, chassis, this.instances.map(({ shapeInput }) => shapeInput))];
  }
}
