import type { Stores } from '../../reconcile/engine/stores';
import { freeSerials } from '../../reconcile/lease/facts';
import { isWaiting } from '../../reconcile/lease/waiting-line';
import { INSTANCES_PER_CHASSIS } from '../../../sdk/rules/limits';
import { instant } from '../../../sdk/rules/instant';

/** How the chassis of one class stand. Counts only: no tenant, lease or serial is named. */
export interface ClassCounts {
  readonly class: string;
  readonly total: number;
  /** Under a claim, Held ones included: what is billed. */
  readonly leased: number;
  readonly held: number;
  /** Could be bound now. */
  readonly unleased: number;
  /** Leases that wait for a Mac. */
  readonly pending: number;
  /** Macs whose agent reports more machines than the licence allows. Any is an alarm. */
  readonly overLimit: number;
}

function countsOf(stores: Stores, name: string): ClassCounts {
  const macs = stores.macNodes.by('class', name);
  const claims = macs.map((m) => stores.claims.get(m.metadata.name)).filter((c) => c !== undefined);
  const held = claims.filter(({ spec }) => stores.leases.get(`${spec.leaseNamespace}/${spec.leaseName}`)?.status?.phase === 'Held');
  return {
    class: name, total: macs.length, leased: claims.length, held: held.length, unleased: freeSerials(stores, name, stores.newestReport() ?? instant(0)).length,
    pending: stores.leases.by('class', name).filter(isWaiting).length,
    overLimit: macs.filter((m) => (m.status?.vmCount ?? 0) > INSTANCES_PER_CHASSIS).length,
  };
}

/** Of every class that there is, as of the last events of the watches. */
export function countClasses(stores: Stores): readonly ClassCounts[] {
  return stores.classes.values().map(({ metadata }) => countsOf(stores, metadata.name));
}
