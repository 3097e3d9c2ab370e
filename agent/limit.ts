/**
 * The most macOS machines that may run on one Mac (Apple's licence, section 2B(iii)). Written here and not imported from the rules:
 * the agent is a stop of its own, and a mistake in one must not be a mistake in both.
 */
export const MOST_MACHINES = 2;
