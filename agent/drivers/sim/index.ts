export { SimMac, type SimMacOptions } from './mac';
export { simHypervisor } from './hypervisor';
export type { SimFaults } from './faults';
export { DurableSimMac, type DurableSimSettings } from './durable-mac';
export { durableSimHypervisor } from './durable-hypervisor';
