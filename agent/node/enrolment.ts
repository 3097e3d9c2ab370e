import type { MacNode } from '../../sdk/api/kinds';
import type { Closed } from '../gate';
import { MOST_MACHINES } from '../limit';

/** What the hypervisor says of the Mac itself. */
export interface Hardware { readonly hardwareUUID: string; readonly kernelQuota: number }

/**
 * Whether this Mac may serve under its serial: the administrator has enrolled it, it is the hardware that was enrolled, and its kernel stops
 * at the licence's number. Undefined when it may.
 */
export function refuseEnrolment(serial: string, macNode: MacNode | null, hardware: Hardware): Closed | undefined {
  if (macNode === null) {
    return { reason: 'NotEnrolled', message: `there is no MacNode ${serial}: its administrator enrols a Mac by creating one with this hardware UUID: ${hardware.hardwareUUID}` };
  }
  if (macNode.spec.retired) {
    return { reason: 'Retired', message: `Mac ${serial} is retired: nothing is registered, reported or started by it. Enrol it again with macrack mac enrol ${serial} to bring it back.` };
  }
  const enrolled = macNode.spec.hardwareUUID;
  if (enrolled.toLowerCase() !== hardware.hardwareUUID.toLowerCase()) {
    return { reason: 'HardwareMismatch', message: `an agent with hardware UUID ${hardware.hardwareUUID} reports as Mac ${serial}, which was enrolled with ${enrolled}. Nothing is started or reported by it until the administrator sets spec.hardwareUUID of the MacNode.` };
  }
  if (hardware.kernelQuota > MOST_MACHINES) {
    return { reason: 'KernelQuota', message: `the kernel of Mac ${serial} allows ${hardware.kernelQuota} macOS machines and the licence ${MOST_MACHINES} (rule 1): the quota was raised by a boot argument. Remove it and restart the Mac.` };
  }
  return undefined;
}
