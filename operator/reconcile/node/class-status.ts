import { RELEASE_MARGIN_MS, type MacClassStatus, type MacNodeLease } from '../../../sdk/api';
import { formatInstant, instant, type Instant } from '../../../sdk/rules/instant';
import { floorEnd } from '../claim/floor';
import type { Stores } from '../engine/stores';
import type { Wanted } from '../engine/status-diff';
import { freeSerials } from '../lease/facts';
import { staleAt } from './report';

const HOUR_MS = 3_600_000;

/** Rounded up to the hour: the exact instant would tell one tenant when another one bound. */
export function roundUpToHour(at: Instant): Instant {
  return instant(Math.ceil(at / HOUR_MS) * HOUR_MS);
}

const isGoing = (lease: MacNodeLease | undefined): boolean => lease?.status?.phase === 'Held' || lease?.status?.phase === 'Releasing';

/** Counts of a class; no names. `unleased` are the Macs that could be bound now, so the three need not add up to the total. */
export function classStatus(stores: Stores, className: string, now: Instant): Wanted<MacClassStatus> {
  const macNodes = stores.macNodes.by('class', className);
  const claims = macNodes.map((m) => stores.claims.get(m.metadata.name)).filter((c) => c !== undefined);
  const leases = claims.map((c) => stores.leases.get(`${c.spec.leaseNamespace}/${c.spec.leaseName}`));
  const ends = claims.flatMap((c, i) => (isGoing(leases[i]) ? [floorEnd(c, leases[i]?.spec.minimumDuration) + RELEASE_MARGIN_MS] : []));
  const held = leases.filter((l) => l?.status?.phase === 'Held').length;
  return {
    // A retired Mac counts for as long as its lease is billed.
    total: macNodes.filter((m) => !m.spec.retired || stores.claims.get(m.metadata.name) !== undefined).length,
    unleased: freeSerials(stores, className, now).filter((serial) => stores.doubts.of(serial) === undefined).length, leased: claims.length - held, held,
    nextReleaseAt: ends.length === 0 ? undefined : formatInstant(roundUpToHour(instant(Math.max(now, Math.min(...ends))))),
  };
}

/** When the first fresh Mac of the class goes silent unless it reports again. */
export function nextSilence(stores: Stores, className: string, now: Instant): Instant | undefined {
  const times = stores.macNodes.by('class', className).map(staleAt).filter((t) => t !== undefined && t > now);
  return times.length === 0 ? undefined : instant(Math.min(...(times as Instant[])));
}
