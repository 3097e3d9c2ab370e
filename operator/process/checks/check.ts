import type { Finding } from './finding';

/** One thing that must be in order for the operator to work. */
export interface Check {
  /** As /readyz calls it. */
  readonly name: string;
  /** True where nothing may be bound or released while it is bad. The record is not one: reconcilers ask it at each step themselves. */
  readonly halts: boolean;
  /** Milliseconds between two looks while all is good. */
  readonly everyMs: number;
  /** Never rejects: what cannot be looked at is a finding too. */
  look(): Promise<Finding>;
}
