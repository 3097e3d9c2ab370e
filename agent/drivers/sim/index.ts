export { SimMac, type SimMacOptions } from './mac';
export { simHypervisor } from './hypervisor';
export type { SimFaults } from './faults';
