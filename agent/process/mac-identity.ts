import { SERIAL_PATTERN } from '../../sdk/api/names';
import type { OpenedDriver } from './drivers';

/** What an administrator enrols a Mac by. */
export interface MacIdentity {
  /** Lower case. */
  readonly serial: string;
  readonly hardwareUUID: string;
  readonly kernelQuota: number;
}

/** Reads the Mac. @param given from the command line; on a real Mac it must be the Mac's own. @throws Error without a serial, or with another one */
export async function readMacIdentity({ hypervisor, serialNumber }: OpenedDriver, given: string | undefined): Promise<MacIdentity> {
  const own = await serialNumber?.();
  if (own !== undefined && given !== undefined && own.toLowerCase() !== given.toLowerCase()) {
    throw new Error(`--serial says ${given}, and this Mac is ${own}: leave --serial out`);
  }
  const serial = own ?? given;
  if (serial === undefined) throw new Error('this driver knows no serial number: give one with --serial');
  if (!SERIAL_PATTERN.test(serial)) throw new Error(`${JSON.stringify(serial)} is no serial number of a Mac: letters and digits, at most 32`);
  return { serial: serial.toLowerCase(), hardwareUUID: await hypervisor.hardwareUUID(), kernelQuota: await hypervisor.probeLimit() };
}
