import { ComponentResource, type ComponentResourceOptions } from '@pulumi/pulumi';
import { guardLeases } from '../../provider/pulumi/program';
import { childOptions, DedicatedMac, dedicatedMacFaults, SHARED_FIELDS, type DedicatedMacArgs, type DedicatedMacLease } from './dedicated-mac';
import { fieldFaults, invalid, shown } from './faults';
import { pick } from './pick';
import { refuseInputs, type InputFault } from './refused-inputs';
import type { Vms } from './vm';

export interface MacFleetArgs extends DedicatedMacLease {
  /** How many Macs, at most 1000: each is a lease of its own. */
  readonly count: number;
  /** What the names on the control plane begin with. Default: the name of the component. */
  readonly name?: string;
  /** The virtual machines of each Mac, at most two; or what gives them for the Mac of a number, from 0. */
  readonly vms: Vms | ((mac: number) => Vms);
}

const FIELDS = [...SHARED_FIELDS, 'count', 'name', 'vms'] as const;

/** Largest fleet of one component: a slip of the keyboard must not become a year of Macs. */
const MOST_MACS = 1000;

const isSize = (count: unknown): count is number => typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MOST_MACS;

/** The arguments of each Mac. */
function macsOf(name: string, args: MacFleetArgs): readonly DedicatedMacArgs[] {
  const { count, vms, name: prefix = name } = args;
  return Array.from({ length: isSize(count) ? count : 0 }, (_, mac) => ({ ...pick(args, SHARED_FIELDS), name: `${prefix}-${mac}`, vms: typeof vms === 'function' ? vms(mac) : vms }));
}

function faultsOf(name: string, args: MacFleetArgs, macs: readonly DedicatedMacArgs[]): readonly InputFault[] {
  const component = { kind: 'MacFleet', name };
  const size = isSize(args.count) ? []
    : [invalid(component, 'count', `count is ${shown(args.count)}. count is a whole number of Macs from 0 to ${MOST_MACS} that is known when the program runs, since each Mac is a resource of its own. Write it so.`)];
  const prefix = args.name === undefined || typeof args.name === 'string' ? [] : [invalid(component, 'name', `name is ${shown(args.name)}. name is a text that is known when the program runs. Write it so.`)];
  // A list that all Macs share has its faults once.
  const judged = typeof args.vms === 'function' ? macs : macs.slice(0, 1);
  return [...fieldFaults(component, 'MacFleet', args, FIELDS), ...size, ...prefix, ...judged.flatMap((mac, number) => dedicatedMacFaults(`${name}-${number}`, mac))];
}

/**
 * Leased Macs of one class, each with its virtual machines. Mac 0 is the component `NAME-0` with the children `NAME-0-lease`, `NAME-0-vm-0`
 * and `NAME-0-vm-1`: a larger fleet keeps the Macs that it has, a smaller one gives up the last.
 * @throws InputPropertiesError with every fault of the fleet and its Macs
 */
export class MacFleet extends ComponentResource {
  readonly macs: readonly DedicatedMac[];

  constructor(name: string, args: MacFleetArgs, opts?: ComponentResourceOptions) {
    const given = (args as MacFleetArgs | undefined) ?? ({} as MacFleetArgs);
    const macs = macsOf(name, given);
    refuseInputs(faultsOf(name, given, macs));
    // A fleet of none has no resource that does it, and may have had some.
    guardLeases();
    super('macrack:index:MacFleet', name, {}, opts);
    this.macs = macs.map((mac, number) => new DedicatedMac(`${name}-${number}`, mac, childOptions(this, opts)));
    this.registerOutputs({ leaseIds: this.macs.map(({ lease }) => lease.leaseId) });
  }
}
