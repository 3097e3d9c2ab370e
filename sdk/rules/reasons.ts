/**
 * Why a request is refused or warned about. Codes are stable and never reused; conditions, events, diagnostics and audit rows use them.
 * The messages beside them are free to improve.
 */
export const Reason = {
  /** More than two instances on one lease. Rule 1, licence section 2B(iii). */
  ThirdInstance: 'ThirdInstance',
  /** An instance outside the tenant that holds the lease. Rule 2, licence section 3A(iii). */
  CrossTenant: 'CrossTenant',
  /** A lease removed, replaced, tainted or destroyed before its floor. Rule 3, licence section 3A(ii). */
  EarlyRelease: 'EarlyRelease',
  /** A minimum duration under 24 hours, or lower than before. Rule 3. */
  FloorTooShort: 'FloorTooShort',
  /** Class, serial, namespace or name changed inside the floor. Rule 3: the change would be a replacement. */
  LeaseImmutable: 'LeaseImmutable',
  /** The instance's lease exists but is not Bound. */
  LeaseNotBound: 'LeaseNotBound',
  /** The instance names no lease of its tenant. */
  LeaseNotFound: 'LeaseNotFound',
  /** The name belongs to a lease that is Held. */
  NameHeld: 'NameHeld',
  /** The pinned serial is absent or leased: one text for both, so that no tenant learns of another. Rule 2. */
  SerialUnavailable: 'SerialUnavailable',
  /** The shapes of a lease's instances together exceed one chassis of its class. */
  ShapeTooLarge: 'ShapeTooLarge',
  /** No unleased Mac of the class is free now. */
  NoCapacity: 'NoCapacity',
  /** The control plane could not be asked: nothing is claimed. */
  NotChecked: 'NotChecked',
  /** Two virtual machines would share a machine identifier or MAC address. Run time only. Rule 1. */
  IdentityCollision: 'IdentityCollision',
  /** The hypervisor refused the start with its own limit. Run time only. Rule 1. */
  KernelLimit: 'KernelLimit',
} as const;

/** One of the refusal codes. */
export type Reason = (typeof Reason)[keyof typeof Reason];

/** The licence rule behind a reason: 1 two machines, 2 one tenant, 3 the day floor. */
export type Rule = 1 | 2 | 3;

const RULES: Partial<Record<Reason, Rule>> = {
  ThirdInstance: 1,
  IdentityCollision: 1,
  KernelLimit: 1,
  CrossTenant: 2,
  SerialUnavailable: 2,
  EarlyRelease: 3,
  FloorTooShort: 3,
  LeaseImmutable: 3,
};

/** The rule behind a reason; undefined for reasons that are not of the licence (capacity, names, reachability). */
export function ruleOf(reason: Reason): Rule | undefined {
  return RULES[reason];
}
