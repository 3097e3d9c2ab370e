import type { Step } from '../step';
import { pinForeignSerial, pinHeldSerial, placeOnForeignLease } from './cross-tenant';
import { destroyToHeld, refuseEarlyDestroy, warnOfHeld } from './hold';
import { leaseAndRun } from './lease-and-run';
import { askAudit, releaseAtFloor } from './release';
import { thirdOnExistingLease, thirdOnNewLease } from './third-instance';

/** The main job, in the order in which it is told. */
export const STEPS: readonly Step[] = [
  leaseAndRun,
  thirdOnExistingLease,
  thirdOnNewLease,
  pinForeignSerial,
  placeOnForeignLease,
  refuseEarlyDestroy,
  destroyToHeld,
  warnOfHeld,
  pinHeldSerial,
  releaseAtFloor,
  askAudit,
];
