// Generated from the provider's schema by components/emit; do not edit.
import type { TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { type AttributeTable, optional, required } from '../base/attributes';
import { MacrackDataSource } from '../base/macrack-data-source';
import { DataMacrackMacNodeLeaseSlotsOutputReference } from './data-macrack-mac-node-lease-slots';

/** A lease that exists, whoever manages it. */
export interface DataMacrackMacNodeLeaseConfig extends TerraformMetaArguments {
  /** Name of the lease. */
  readonly name: string;
  /** The tenant. Default: the provider's namespace, else that of the kubeconfig's context. */
  readonly namespace?: string;
}

const INPUTS: AttributeTable = {
  name: required('string'),
  namespace: optional('string'),
};

/** A lease that exists, whoever manages it. */
export class DataMacrackMacNodeLease extends MacrackDataSource<DataMacrackMacNodeLeaseConfig> {
  static readonly tfResourceType = 'macrack_mac_node_lease';

  private readonly slotsReference = new DataMacrackMacNodeLeaseSlotsOutputReference(this, 'slots');

  constructor(scope: Construct, id: string, config: DataMacrackMacNodeLeaseConfig) {
    super(scope, id, DataMacrackMacNodeLease.tfResourceType, INPUTS, config);
  }

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

  set name(value: string) {
    this.inputs.put('name', value);
  }

  get nameInput(): string | undefined {
    return this.inputs.get('name');
  }

  /** The tenant. Default: the provider's namespace, else that of the kubeconfig's context. */
  get namespace(): string {
    return this.getStringAttribute('namespace');
  }

  set namespace(value: string) {
    this.inputs.put('namespace', value);
  }

  resetNamespace(): void {
    this.inputs.put('namespace', undefined);
  }

  get namespaceInput(): string | undefined {
    return this.inputs.get('namespace');
  }

  /** Kubernetes node of the Mac. */
  get nodeAttribute(): string {
    return this.getStringAttribute('node');
  }

  /** Pending, Binding, Bound, Held, Releasing or Released. */
  get phase(): string {
    return this.getStringAttribute('phase');
  }

  /** The Mac that is pinned; null where none is. */
  get serial(): string {
    return this.getStringAttribute('serial');
  }

  /** Slots for virtual machines, as the Mac last reported. */
  get slots(): DataMacrackMacNodeLeaseSlotsOutputReference {
    return this.slotsReference;
  }

  /** UID of the object on the control plane. */
  get uid(): string {
    return this.getStringAttribute('uid');
  }
}
