import type { Admission } from '../admission/admission';
import type { Clock } from '../clock';
import type { ResourceRegistry } from '../resources/registry';
import type { Store } from '../store/store';

/** What every verb works on. */
export interface Plane {
  store: Store;
  clock: Clock;
  resources: ResourceRegistry;
  admission: Admission;
}
