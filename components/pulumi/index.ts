export { getMacClass, getMacNodeLease, getMacNodeLeases, guardLeases, MacNodeLease, MacOSInstance } from '../../provider/pulumi/program';
export type { MacClassResult, MacNodeLeaseArgs, MacNodeLeaseResult, MacOSInstanceArgs, Shape, Slots, Timeouts } from '../../provider/pulumi/program';
export { DedicatedMac, type DedicatedMacArgs, type DedicatedMacLease } from './dedicated-mac';
export { MacFleet, type MacFleetArgs } from './mac-fleet';
export type { Vm, Vms } from './vm';
