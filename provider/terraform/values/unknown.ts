const BRAND = Symbol.for('macrack.io/terraform/unknown');

/** What Terraform already knows of a value that it does not know yet. */
export interface Refinement {
  /** true: it is certain to be null; false: it is certain not to be null; absent: either. */
  readonly isNull?: boolean;
  /** How the string begins, when it is one. */
  readonly stringPrefix?: string;
}

/**
 * A value that is known only after apply. It is neither null nor a default, so a rule that meets one must
 * say that it could not be checked: unknown is never "allowed".
 */
export class Unknown {
  readonly [BRAND] = true;
  constructor(readonly refinement: Refinement = {}) {}
}

/** The unknown about which nothing more is known; every unknown without a refinement decodes to it. */
export const UNKNOWN = new Unknown();

/** Branded and not `instanceof`, so that two copies of this package on one disk understand each other. */
export function isUnknown(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && BRAND in value;
}
