// Generated from the provider's schema by components/emit; do not edit.
export * from './data-macrack-mac-class';
export * from './data-macrack-mac-node-lease';
export * from './data-macrack-mac-node-lease-slots';
export * from './data-macrack-mac-node-leases';
export * from './data-macrack-mac-node-leases-leases';
export * from './data-macrack-mac-node-leases-leases-slots';
export * from './mac-node-lease';
export * from './mac-node-lease-slots';
export * from './mac-node-lease-timeouts';
export * from './mac-os-instance';
export * from './mac-os-instance-shape';
export * from './mac-os-instance-timeouts';
export * from './macrack-provider';
export * from './macrack-provider-exec';
