import { guardLeases } from './guard-leases';

export { MacNodeLease, type MacNodeLeaseArgs, type Slots, type Timeouts } from './mac-node-lease';
export { MacOSInstance, type MacOSInstanceArgs, type Shape } from './mac-os-instance';
export { getMacClass, getMacNodeLease, getMacNodeLeases, type MacClassResult, type MacNodeLeaseResult } from './lookups';
export { guardLeases } from './guard-leases';
export { programError } from './program-error';

// A program that no longer has a lease still deletes it, and the engine finds the guard only where it is registered. Leases that no
// state has are told of in such a program too.
guardLeases();
