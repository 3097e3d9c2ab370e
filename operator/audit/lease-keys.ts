import type { Instant } from '../../sdk/rules/instant';
import { formatInstant } from '../../sdk/rules/instant';

/** Keys of a lease's rows: by object UID, so that two operators write the same key. */
export const LeaseKeys = {
  bind: (leaseUID: string, serial: string): string => `bind/${leaseUID}/${serial}`,
  bound: (leaseUID: string): string => `lease-bound/${leaseUID}`,
  /** A lease that is kept and held again is held a second time. */
  held: (leaseUID: string, heldSince: Instant): string => `lease-held/${leaseUID}/${formatInstant(heldSince)}`,
  release: (bindingUID: string): string => `release/${bindingUID}`,
  released: (bindingUID: string): string => `lease-released/${bindingUID}`,
  orphaned: (bindingUID: string): string => `claim-orphaned/${bindingUID}`,
  lost: (bindingUID: string): string => `claim-lost/${bindingUID}`,
  stuck: (bindingUID: string): string => `claim-stuck/${bindingUID}`,
} as const;
