// Generated from the provider's schema by components/emit; do not edit.
export { type DataMacrackMacClassConfig, DataMacrackMacClass } from './data-macrack-mac-class';
export { type DataMacrackMacNodeLeaseConfig, DataMacrackMacNodeLease } from './data-macrack-mac-node-lease';
export { DataMacrackMacNodeLeaseSlotsOutputReference } from './data-macrack-mac-node-lease-slots';
export { type DataMacrackMacNodeLeasesConfig, DataMacrackMacNodeLeases } from './data-macrack-mac-node-leases';
export { DataMacrackMacNodeLeasesLeasesOutputReference, DataMacrackMacNodeLeasesLeasesList } from './data-macrack-mac-node-leases-leases';
export { DataMacrackMacNodeLeasesLeasesSlotsOutputReference } from './data-macrack-mac-node-leases-leases-slots';
export { type MacNodeLeaseConfig, MacNodeLease } from './mac-node-lease';
export { MacNodeLeaseSlotsOutputReference } from './mac-node-lease-slots';
export { type MacNodeLeaseTimeouts, MacNodeLeaseTimeoutsOutputReference } from './mac-node-lease-timeouts';
export { type MacOSInstanceConfig, MacOSInstance } from './mac-os-instance';
export { type MacOSInstanceShape, MacOSInstanceShapeOutputReference } from './mac-os-instance-shape';
export { type MacOSInstanceTimeouts, MacOSInstanceTimeoutsOutputReference } from './mac-os-instance-timeouts';
export { type MacrackProviderConfig, MacrackProvider } from './macrack-provider';
export { type MacrackProviderExec } from './macrack-provider-exec';
