/** Pending → Binding → Bound ⇄ Held → Releasing → Released. */
export const LEASE_PHASES = ['Pending', 'Binding', 'Bound', 'Held', 'Releasing', 'Released'] as const;
export type LeasePhase = (typeof LEASE_PHASES)[number];

/** Failed and Stopped hold no virtual machine; Stopped keeps its slot, Failed does not. */
export const INSTANCE_PHASES = ['Pending', 'Starting', 'Running', 'Stopped', 'Failed', 'Unknown'] as const;
export type InstancePhase = (typeof INSTANCE_PHASES)[number];

/** Classes of chassis that a tenant may lease. */
export const CLASSES = ['base', 'pro', 'studio'] as const;
export type ClassName = (typeof CLASSES)[number];

export const Condition = {
  Ready: 'Ready',
  /** The kernel counts a machine that is gone. */
  SlotLeak: 'SlotLeak',
  /** The instance has an IP address. */
  Addressable: 'Addressable',
  /** On a class: an administrator of the cluster cannot take the policies away. */
  TamperProof: 'TamperProof',
  /** On a class: the operator binds and releases leases; its reason says why not. */
  OperatorReady: 'OperatorReady',
} as const;
