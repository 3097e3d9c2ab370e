export * from './bindings';
export { DedicatedMac, type DedicatedMacLease, type DedicatedMacProps } from './dedicated-mac';
export { MacFleet, type MacFleetProps } from './mac-fleet';
export type { Vm, Vms } from './vm';
