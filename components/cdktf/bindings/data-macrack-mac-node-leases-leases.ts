// Generated from the provider's schema by components/emit; do not edit.
import { ComplexList } from 'cdktf';
import { ElementReference } from '../base/object-reference';
import { DataMacrackMacNodeLeasesLeasesSlotsOutputReference } from './data-macrack-mac-node-leases-leases-slots';

/** The leases. */
export class DataMacrackMacNodeLeasesLeasesOutputReference extends ElementReference {
  private readonly slotsReference = new DataMacrackMacNodeLeasesLeasesSlotsOutputReference(this, 'slots');

  /** When the Mac was bound and the 24 hours began, RFC 3339. */
  get boundAt(): string {
    return this.getStringAttribute('bound_at');
  }

  /** Serial of the Mac that is bound, in lower case. */
  get chassis(): string {
    return this.getStringAttribute('chassis');
  }

  /** Class of the Mac. */
  get class(): string {
    return this.getStringAttribute('class');
  }

  /** End of the floor: boundAt plus the larger of 24h and minimumDuration, RFC 3339. */
  get earliestReleaseAt(): string {
    return this.getStringAttribute('earliest_release_at');
  }

  /** Since when the lease is Held, RFC 3339. */
  get heldSince(): string {
    return this.getStringAttribute('held_since');
  }

  /** "namespace/name". */
  get id(): string {
    return this.getStringAttribute('id');
  }

  /** Shortest duration in whole hours. */
  get minimumDuration(): string {
    return this.getStringAttribute('minimum_duration');
  }

  /** Name of the lease. */
  get name(): string {
    return this.getStringAttribute('name');
  }

  /** Kubernetes node of the Mac. */
  get nodeAttribute(): string {
    return this.getStringAttribute('node');
  }

  /** Pending, Binding, Bound, Held, Releasing or Released. */
  get phase(): string {
    return this.getStringAttribute('phase');
  }

  /** Slots for virtual machines, as the Mac last reported. */
  get slots(): DataMacrackMacNodeLeasesLeasesSlotsOutputReference {
    return this.slotsReference;
  }

  /** UID of the object on the control plane. */
  get uid(): string {
    return this.getStringAttribute('uid');
  }
}

export class DataMacrackMacNodeLeasesLeasesList extends ComplexList {
  /** The element at `index`, from 0. */
  get(index: number): DataMacrackMacNodeLeasesLeasesOutputReference {
    return new DataMacrackMacNodeLeasesLeasesOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
