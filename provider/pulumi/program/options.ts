import { mergeOptions, type CustomResourceOptions } from '@pulumi/pulumi';
import { leaseFloorHook } from './lease-floor-hook';

/**
 * A Mac and its slots cannot be had twice, so a replacement is always delete first. Ours goes last: with a user's `false` the engine
 * would make a third machine, or adopt the lease that the other half of the replacement then releases.
 */
const DELETE_FIRST: CustomResourceOptions = { deleteBeforeReplace: true };

export function instanceOptions(opts: CustomResourceOptions | undefined): CustomResourceOptions {
  // A program that is called within another process imports the package outside of its run: this is where the run is first met.
  leaseFloorHook();
  return mergeOptions(opts, DELETE_FIRST);
}

/** Options of a lease: the same, and the hook that guards its delete. */
export function leaseOptions(opts: CustomResourceOptions | undefined): CustomResourceOptions {
  const hook = leaseFloorHook();
  return mergeOptions(opts, { ...DELETE_FIRST, ...(hook === undefined ? {} : { hooks: { beforeDelete: [hook] } }) });
}
