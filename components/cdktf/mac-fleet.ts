import { Construct } from 'constructs';
import { refuseOtherLibrary } from './base/library';
import { DedicatedMac, LEASE_FIELDS, type DedicatedMacLease } from './dedicated-mac';
import { asObject, fieldFaults, pick, stem } from './rules/construct-faults';
import { shown } from './rules/type-faults';
import { watchConstruct } from './rules/watch';
import type { Vms } from './vm';

export interface MacFleetProps extends DedicatedMacLease {
  /** How many Macs, a number that is known at synth: each is a lease of its own. */
  readonly count: number;
  /** What the names on the control plane begin with. Default: the id of the construct. */
  readonly name?: string;
  /** The virtual machines of each Mac, at most two; or what gives them for the Mac of a number, from 0. */
  readonly vms: Vms | ((mac: number) => Vms);
}

const FIELDS = [...LEASE_FIELDS, 'count', 'name', 'vms'] as const;

/** Largest fleet of one construct: a slip of the keyboard must not become a year of Macs. */
const MOST_MACS = 1000;

const isSize = (count: unknown): count is number => typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MOST_MACS;

/**
 * Leased Macs of one class, each with its virtual machines. Mac 0 is the construct `mac-0`, its lease is called `<name>-0` and its instances
 * `<name>-0-vm-0` and `<name>-0-vm-1`: a larger fleet keeps the Macs that it has, a smaller one gives up the last.
 */
export class MacFleet extends Construct {
  readonly macs: readonly DedicatedMac[];

  constructor(scope: Construct, id: string, props: MacFleetProps) {
    refuseOtherLibrary(scope, id);
    super(scope, id);
    const { count, name, vms } = asObject(props);
    this.macs = Array.from({ length: isSize(count) ? count : 0 }, (_, number) =>
      new DedicatedMac(this, `mac-${number}`, { ...pick(props, LEASE_FIELDS), name: `${stem(name, id)}-${number}`, vms: typeof vms === 'function' ? vms(number) : vms as Vms }));
    watchConstruct(this, () => faultsOf(props));
  }
}

function faultsOf(props: MacFleetProps): string[] {
  const fields = fieldFaults('MacFleet', props, FIELDS);
  const { count } = asObject(props);
  if (isSize(count)) return fields;
  return [...fields, `InvalidValue: count is ${shown(count)}. count is a whole number of Macs from 0 to ${MOST_MACS} that is known at synth, since each Mac is a construct of its own. Write it so.`];
}
