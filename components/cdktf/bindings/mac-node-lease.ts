// Generated from the provider's schema by components/emit; do not edit.
import { ImportableResource, type IResolvable, type TerraformMetaArguments, type TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { type AttributeTable, optional, required } from '../base/attributes';
import { MacrackResource } from '../base/macrack-resource';
import { MacNodeLeaseSlotsOutputReference } from './mac-node-lease-slots';
import { MAC_NODE_LEASE_TIMEOUTS, type MacNodeLeaseTimeouts, MacNodeLeaseTimeoutsOutputReference } from './mac-node-lease-timeouts';

/** A whole Mac, dedicated to one tenant for at least 24 consecutive hours. */
export interface MacNodeLeaseConfig extends TerraformMetaArguments {
  /** Takes over the lease of this name if there is one, Held or Bound. While it is set, a lease of the state that has become Held is taken back by the next apply, and the plan says `Adopts`. Its floor does not change. */
  readonly adopt?: boolean | IResolvable;
  /** base, pro or studio. */
  readonly class: string;
  /** Shortest duration in whole hours, "24h" to "8760h". It can be raised, never lowered. Default "24h". */
  readonly minimumDuration?: string;
  /** DNS label of at most 58 characters. */
  readonly name: string;
  /** The tenant. Default: the provider's namespace, else that of the kubeconfig's context. */
  readonly namespace?: string;
  /** "refuse": a destroy before the floor is refused at plan. "hold": the lease becomes Held, and billed, until its floor. It counts from what is applied, not from the configuration. Default "refuse". */
  readonly onEarlyRelease?: string;
  /** Pins one Mac by its serial number, in either case. Left out, the operator chooses; it never fills this in. */
  readonly serial?: string;
  /** How long to wait for each operation. */
  readonly timeouts?: MacNodeLeaseTimeouts;
}

const INPUTS: AttributeTable = {
  adopt: optional('boolean'),
  class: required('string'),
  minimumDuration: optional('string'),
  name: required('string'),
  namespace: optional('string'),
  onEarlyRelease: optional('string'),
  serial: optional('string'),
  timeouts: optional({ object: MAC_NODE_LEASE_TIMEOUTS }),
};

/** A whole Mac, dedicated to one tenant for at least 24 consecutive hours. */
export class MacNodeLease extends MacrackResource<MacNodeLeaseConfig> {
  static readonly tfResourceType = 'macrack_mac_node_lease';

  private readonly slotsReference = new MacNodeLeaseSlotsOutputReference(this, 'slots');
  private readonly timeoutsReference = new MacNodeLeaseTimeoutsOutputReference(this, 'timeouts', this.inputs.slot('timeouts'));

  /** Has the configuration of an object that exists written at the next plan. `importFromId` is "namespace/name". */
  static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: TerraformProvider): ImportableResource {
    return new ImportableResource(scope, importToId, { terraformResourceType: 'macrack_mac_node_lease', importId: importFromId, ...(provider === undefined ? {} : { provider }) });
  }

  constructor(scope: Construct, id: string, config: MacNodeLeaseConfig) {
    super(scope, id, MacNodeLease.tfResourceType, INPUTS, config);
  }

  /** Takes over the lease of this name if there is one, Held or Bound. While it is set, a lease of the state that has become Held is taken back by the next apply, and the plan says `Adopts`. Its floor does not change. */
  get adopt(): boolean | IResolvable {
    return this.getBooleanAttribute('adopt');
  }

  set adopt(value: boolean | IResolvable) {
    this.inputs.put('adopt', value);
  }

  resetAdopt(): void {
    this.inputs.put('adopt', undefined);
  }

  get adoptInput(): boolean | IResolvable | undefined {
    return this.inputs.get('adopt');
  }

  /** When the Mac was bound and the 24 hours began, RFC 3339. */
  get boundAt(): string {
    return this.getStringAttribute('bound_at');
  }

  /** Serial of the Mac that is bound, in lower case. */
  get chassis(): string {
    return this.getStringAttribute('chassis');
  }

  /** base, pro or studio. */
  get class(): string {
    return this.getStringAttribute('class');
  }

  set class(value: string) {
    this.inputs.put('class', value);
  }

  get classInput(): string | undefined {
    return this.inputs.get('class');
  }

  /** End of the floor: boundAt plus the larger of 24h and minimumDuration, RFC 3339. */
  get earliestReleaseAt(): string {
    return this.getStringAttribute('earliest_release_at');
  }

  /** Since when the lease is Held, RFC 3339. */
  get heldSince(): string {
    return this.getStringAttribute('held_since');
  }

  /** "namespace/name", known at plan. It is what an instance takes as `lease`. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  /** Shortest duration in whole hours, "24h" to "8760h". It can be raised, never lowered. Default "24h". */
  get minimumDuration(): string {
    return this.getStringAttribute('minimum_duration');
  }

  set minimumDuration(value: string) {
    this.inputs.put('minimumDuration', value);
  }

  resetMinimumDuration(): void {
    this.inputs.put('minimumDuration', undefined);
  }

  get minimumDurationInput(): string | undefined {
    return this.inputs.get('minimumDuration');
  }

  /** DNS label of at most 58 characters. */
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

  /** "refuse": a destroy before the floor is refused at plan. "hold": the lease becomes Held, and billed, until its floor. It counts from what is applied, not from the configuration. Default "refuse". */
  get onEarlyRelease(): string {
    return this.getStringAttribute('on_early_release');
  }

  set onEarlyRelease(value: string) {
    this.inputs.put('onEarlyRelease', value);
  }

  resetOnEarlyRelease(): void {
    this.inputs.put('onEarlyRelease', undefined);
  }

  get onEarlyReleaseInput(): string | undefined {
    return this.inputs.get('onEarlyRelease');
  }

  /** Pending, Binding, Bound, Held, Releasing or Released. */
  get phase(): string {
    return this.getStringAttribute('phase');
  }

  /** Pins one Mac by its serial number, in either case. Left out, the operator chooses; it never fills this in. */
  get serial(): string {
    return this.getStringAttribute('serial');
  }

  set serial(value: string) {
    this.inputs.put('serial', value);
  }

  resetSerial(): void {
    this.inputs.put('serial', undefined);
  }

  get serialInput(): string | undefined {
    return this.inputs.get('serial');
  }

  /** Slots for virtual machines, as the Mac last reported. */
  get slots(): MacNodeLeaseSlotsOutputReference {
    return this.slotsReference;
  }

  /** How long to wait for each operation. */
  get timeouts(): MacNodeLeaseTimeoutsOutputReference {
    return this.timeoutsReference;
  }

  putTimeouts(value: MacNodeLeaseTimeouts): void {
    this.timeoutsReference.internalValue = value;
  }

  resetTimeouts(): void {
    this.timeoutsReference.internalValue = undefined;
  }

  get timeoutsInput(): MacNodeLeaseTimeouts | IResolvable | undefined {
    return this.timeoutsReference.internalValue;
  }

  /** UID of the object on the control plane. */
  get uid(): string {
    return this.getStringAttribute('uid');
  }
}
