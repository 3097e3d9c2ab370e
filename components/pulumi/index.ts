export { getMacClass, getMacNodeLease, getMacNodeLeases, MacNodeLease, MacOSInstance } from '../../provider/pulumi/program';
export type { MacClassResult, MacNodeLeaseArgs, MacNodeLeaseResult, MacOSInstanceArgs, Shape, Slots, Timeouts } from '../../provider/pulumi/program';
