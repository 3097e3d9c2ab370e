import { watchStrays } from './collector';
import { leaseFloorHook } from './lease-floor-hook';

/**
 * Guards the leases of the state in this run, also where the program declares nothing any more: the engine finds the guard only where it
 * is registered. The import of the package does it, and each of its resources; an inline program of the Automation API, which is imported
 * outside of its run, calls this when it has lost its last. Does nothing outside a run.
 * @throws RunError on a Pulumi that knows no hooks
 */
export function guardLeases(): void {
  leaseFloorHook();
  watchStrays();
}
