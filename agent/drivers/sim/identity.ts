import { randomBytes } from 'node:crypto';
import type { Identity } from '../../driver';

/** A fresh machine identifier (as long as an ECID) and a locally administered unicast MAC. Random, so that Macs of one network do not meet. */
export function newIdentity(): Identity {
  const tail = [...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0'));
  return { machineID: randomBytes(8).toString('base64'), mac: ['02', ...tail].join(':') };
}
