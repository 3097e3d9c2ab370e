import { ComponentResource, interpolate, type ComponentResourceOptions, type CustomResourceOptions, type Input } from '@pulumi/pulumi';
import { MacNodeLease, MacOSInstance, type MacNodeLeaseArgs } from '../../provider/pulumi/program';
import { fieldFaults, vmsFaults } from './faults';
import { pick } from './pick';
import { refuseInputs, type InputFault } from './refused-inputs';
import { VM_FIELDS, type Vm, type Vms } from './vm';

/** What a dedicated Mac says of its lease; each as `MacNodeLease` takes it. */
export type DedicatedMacLease = Pick<MacNodeLeaseArgs, 'class' | 'namespace' | 'minimumDuration' | 'onEarlyRelease' | 'adopt' | 'timeouts' | 'statusInDiff'>;

export interface DedicatedMacArgs extends DedicatedMacLease {
  /** Name of the lease on the control plane. Default: the name of the component. */
  readonly name?: Input<string>;
  /** Pins one Mac by its serial number, in either case. Default: the operator chooses. */
  readonly serial?: Input<string>;
  /** The virtual machines, at most two. Each keeps its place: the first is slot 0 for as long as it is the first. */
  readonly vms: Vms;
}

/** The fields of a lease that a fleet has as well. */
export const SHARED_FIELDS = ['class', 'namespace', 'minimumDuration', 'onEarlyRelease', 'adopt', 'timeouts', 'statusInDiff'] as const;

const OF_LEASE = [...SHARED_FIELDS, 'serial'] as const;
const FIELDS = [...OF_LEASE, 'name', 'vms'] as const;

const NONE = {} as DedicatedMacArgs;

/** What can be said of the arguments without an engine; TypeScript says most of it before. */
export function dedicatedMacFaults(name: string, args: DedicatedMacArgs): readonly InputFault[] {
  const component = { kind: 'DedicatedMac', name };
  return [...fieldFaults(component, 'DedicatedMac', args, FIELDS), ...vmsFaults(component, args.vms, { name: args.name ?? name, namespace: args.namespace })];
}

/** Everything that a component passes on to its children, beside what the engine passes on by itself. */
export function childOptions(parent: ComponentResource, opts: ComponentResourceOptions | undefined): CustomResourceOptions {
  return { parent, ...(opts?.dependsOn === undefined ? {} : { dependsOn: opts.dependsOn }) };
}

/**
 * One leased Mac and its virtual machines. Its children are `NAME-lease`, `NAME-vm-0` and `NAME-vm-1`, NAME being the component's; on the
 * control plane they are called after the lease. A virtual machine that is changed in its place is replaced there, delete first, so that
 * one update swaps it for another.
 * @throws InputPropertiesError for a third virtual machine, and for fields that do not exist
 */
export class DedicatedMac extends ComponentResource {
  readonly lease: MacNodeLease;
  /** In the order of `vms`. */
  readonly instances: readonly MacOSInstance[];

  constructor(name: string, args: DedicatedMacArgs, opts?: ComponentResourceOptions) {
    refuseInputs(dedicatedMacFaults(name, (args) ?? NONE));
    super('macrack:index:DedicatedMac', name, {}, opts);
    const leaseName = args.name ?? name;
    const options = childOptions(this, opts);
    this.lease = new MacNodeLease(`${name}-lease`, { ...pick(args, OF_LEASE), name: leaseName }, options);
    const vms: readonly Vm[] = args.vms;
    this.instances = vms.map((vm, slot) => new MacOSInstance(`${name}-vm-${slot}`, { name: slotName(leaseName, slot), ...pick(vm, VM_FIELDS), lease: this.lease }, options));
    this.registerOutputs({ leaseId: this.lease.leaseId });
  }
}

// A plain name stays plain: what is an output is not known before anything is registered.
function slotName(lease: Input<string>, slot: number): Input<string> {
  return typeof lease === 'string' ? `${lease}-vm-${slot}` : interpolate`${lease}-vm-${slot}`;
}
