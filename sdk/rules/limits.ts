/**
 * The two numbers of the licence. They stand here once for all code that asks the rules; the independent stops (CRD CEL,
 * policies, node capacity, the agent's count) state them in their own words and are held against these by the conformance table.
 */

/** macOS virtual machines that may run on one Mac at a time. Source: macOS licence agreement, section 2B(iii). */
export const INSTANCES_PER_CHASSIS = 2;

/** Shortest lease in milliseconds: 24 consecutive hours, counted as 86 400 s. Source: macOS licence agreement, section 3A(ii). */
export const FLOOR_MS = 24 * 60 * 60 * 1000;

/** Longest floor that a lease may ask for, in milliseconds (8760 h, one year): a floor only grows, so a typing error must stay finite. */
export const LONGEST_FLOOR_MS = 8760 * 60 * 60 * 1000;
