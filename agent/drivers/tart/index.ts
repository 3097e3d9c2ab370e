export { tartHypervisor, type TartHypervisor, type TartOptions } from './hypervisor';
export { MACOS_PROGRAMS, type HostPrograms } from './host';
export { realSubprocesses, type Command, type Launched, type Outcome, type Subprocesses } from './subprocesses';
