import { randomBytes } from 'node:crypto';
import { BUNDLE_PREFIX, HypervisorError } from '../../driver';

/** Not a prefix of ours: what is being made is no disk of an instance yet, and no tenant has written to it. */
const STAGING_PREFIX = 'macrack.making.';

/** Name of the bundle of an instance. Throws `HypervisorError` for a UID that could name another file. */
export function bundleName(instanceUID: string): string {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(instanceUID)) throw new HypervisorError('Failed', `not the UID of an instance: ${JSON.stringify(instanceUID)}`);
  return BUNDLE_PREFIX + instanceUID;
}

/** The UID in a name; undefined for a machine that is not ours. */
export function instanceOf(name: string): string | undefined {
  return name.startsWith(BUNDLE_PREFIX) ? name.slice(BUNDLE_PREFIX.length) : undefined;
}

/** A new name at each call: a clone that a killed agent has left behind may still be under way, and must not meet the next one. */
export function stagingName(instanceUID: string): string {
  return `${STAGING_PREFIX}${instanceUID}.${randomBytes(6).toString('hex')}`;
}

export const isStaging = (name: string): boolean => name.startsWith(STAGING_PREFIX);
