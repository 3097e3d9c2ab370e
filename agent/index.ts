export { startAgent, type AgentApiOptions, type AgentOptions, type RunningAgent } from './start-agent';
export type { ServingTls } from './api/serve';
export { BUNDLE_PREFIX, HypervisorError, isKernelLimit, type Disk, type Hypervisor, type HypervisorFault, type Identity, type RunningVM, type VmSpec } from './driver';
export { runAgent, type AgentProcessOptions } from './process/run';
export { SimMac, simHypervisor, type SimFaults, type SimMacOptions } from './drivers/sim';
