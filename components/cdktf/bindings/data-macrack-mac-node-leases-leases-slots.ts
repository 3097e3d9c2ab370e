// Generated from the provider's schema by components/emit; do not edit.
import { ObjectReference } from '../base/object-reference';

/** Slots for virtual machines, as the Mac last reported. */
export class DataMacrackMacNodeLeasesLeasesSlotsOutputReference extends ObjectReference<object> {
  /** Virtual machines that its kernel counts and nobody runs. */
  get leaked(): number {
    return this.getNumberAttribute('leaked');
  }

  /** Virtual machines that the Mac takes. */
  get total(): number {
    return this.getNumberAttribute('total');
  }

  /** Virtual machines that it has. */
  get used(): number {
    return this.getNumberAttribute('used');
  }
}
