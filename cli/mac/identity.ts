import { SERIAL_PATTERN } from '../../sdk/api/names';

const UUID = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

/** A serial from the command line, in lower case. @throws RangeError */
export function serialNumber(text: string): string {
  if (!SERIAL_PATTERN.test(text)) throw new RangeError(`A serial number has 1 to 32 letters and digits, and ${JSON.stringify(text)} is none.`);
  return text.toLowerCase();
}

/** A platform UUID from the command line, as the Mac prints it. @throws RangeError */
export function hardwareUUID(text: string): string {
  if (!UUID.test(text)) throw new RangeError(`A hardware UUID reads 01234567-89AB-CDEF-0123-456789ABCDEF, and ${JSON.stringify(text)} does not.`);
  return text.toUpperCase();
}
