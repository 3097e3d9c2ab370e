/** Milliseconds after which the facts of a silent agent count as stale: its instances become Unknown and its Mac takes no new lease. */
export const AGENT_STALE_MS = 40_000;

/** Milliseconds between two heartbeats of an agent. */
export const HEARTBEAT_MS = 10_000;

/** Milliseconds between two stamps of the Clock. */
export const CLOCK_PERIOD_MS = 60_000;

/**
 * Milliseconds that the operator waits past a floor before it deletes the claim: another API server's clock, or a step of this one, may stamp
 * the deletion earlier than was read, and a deletion stamped before the floor would leave the claim stuck for good. Never billed.
 */
export const RELEASE_MARGIN_MS = 60_000;
