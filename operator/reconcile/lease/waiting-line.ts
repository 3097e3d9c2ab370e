import type { MacNodeLease } from '../../../sdk/api';
import { wantsRelease } from './asks';

const byAge = (a: MacNodeLease, b: MacNodeLease): number => {
  const x = `${a.metadata.creationTimestamp} ${a.metadata.uid}`;
  const y = `${b.metadata.creationTimestamp} ${b.metadata.uid}`;
  return x < y ? -1 : x > y ? 1 : 0;
};

export function isWaiting(lease: MacNodeLease): boolean {
  return (lease.status?.phase ?? 'Pending') === 'Pending' && !wantsRelease(lease);
}

const pinOf = (lease: MacNodeLease): string | undefined => lease.spec.serial?.toLowerCase();

/**
 * Who gets which free Mac: first come, first served within a class, by creation stamp and then uid. A pin takes its own Mac or waits.
 * A lease without a pin prefers a Mac that nobody waiting has pinned, but is not passed over for a younger pin.
 * @returns serial by lease UID.
 */
export function assign(leases: readonly MacNodeLease[], freeSerials: readonly string[]): Map<string, string> {
  const waiting = leases.filter(isWaiting).sort(byAge);
  const pinned = new Set(waiting.map(pinOf));
  const free = [...freeSerials].sort((a, b) => Number(pinned.has(a)) - Number(pinned.has(b)) || (a < b ? -1 : 1));
  const given = new Map<string, string>();
  for (const lease of waiting) {
    const pin = pinOf(lease);
    const at = pin === undefined ? 0 : free.indexOf(pin);
    const [serial] = at < 0 ? [] : free.splice(at, 1);
    if (serial !== undefined) given.set(lease.metadata.uid, serial);
  }
  return given;
}
