// Generated from the provider's schema by components/emit; do not edit.
import { ImportableResource, type IResolvable, type TerraformMetaArguments, type TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { type AttributeTable, optional, required } from '../base/attributes';
import { MacrackResource } from '../base/macrack-resource';
import { MAC_OS_INSTANCE_SHAPE, type MacOSInstanceShape, MacOSInstanceShapeOutputReference } from './mac-os-instance-shape';
import { MAC_OS_INSTANCE_TIMEOUTS, type MacOSInstanceTimeouts, MacOSInstanceTimeoutsOutputReference } from './mac-os-instance-timeouts';

/** A macOS virtual machine on a leased Mac. A lease takes two. */
export interface MacOSInstanceConfig extends TerraformMetaArguments {
  /** A create also waits for an IP address, and fails without one. Default false. */
  readonly awaitIp?: boolean | IResolvable;
  /** OCI reference of the macOS image. A change replaces the instance. */
  readonly image: string;
  /** Id of the lease, "namespace/name". A change replaces the instance. */
  readonly lease: string;
  /** DNS label of at most 58 characters. */
  readonly name: string;
  /** The tenant. Default: the lease's. */
  readonly namespace?: string;
  /** False stops the machine; it keeps its slot and its disk. Default true. */
  readonly running?: boolean | IResolvable;
  /** Size. The sizes of a lease's instances together must fit its Mac. A change replaces the instance. */
  readonly shape: MacOSInstanceShape;
  /** How long to wait for each operation. */
  readonly timeouts?: MacOSInstanceTimeouts;
}

const INPUTS: AttributeTable = {
  awaitIp: optional('boolean'),
  image: required('string'),
  lease: required('string'),
  name: required('string'),
  namespace: optional('string'),
  running: optional('boolean'),
  shape: required({ object: MAC_OS_INSTANCE_SHAPE }),
  timeouts: optional({ object: MAC_OS_INSTANCE_TIMEOUTS }),
};

/** A macOS virtual machine on a leased Mac. A lease takes two. */
export class MacOSInstance extends MacrackResource<MacOSInstanceConfig> {
  static readonly tfResourceType = 'macrack_macos_instance';

  private readonly shapeReference = new MacOSInstanceShapeOutputReference(this, 'shape', this.inputs.slot('shape'));
  private readonly timeoutsReference = new MacOSInstanceTimeoutsOutputReference(this, 'timeouts', this.inputs.slot('timeouts'));

  /** Has the configuration of an object that exists written at the next plan. `importFromId` is "namespace/name". */
  static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: TerraformProvider): ImportableResource {
    return new ImportableResource(scope, importToId, { terraformResourceType: 'macrack_macos_instance', importId: importFromId, ...(provider === undefined ? {} : { provider }) });
  }

  constructor(scope: Construct, id: string, config: MacOSInstanceConfig) {
    super(scope, id, MacOSInstance.tfResourceType, INPUTS, config);
  }

  /** A create also waits for an IP address, and fails without one. Default false. */
  get awaitIp(): boolean | IResolvable {
    return this.getBooleanAttribute('await_ip');
  }

  set awaitIp(value: boolean | IResolvable) {
    this.inputs.put('awaitIp', value);
  }

  resetAwaitIp(): void {
    this.inputs.put('awaitIp', undefined);
  }

  get awaitIpInput(): boolean | IResolvable | undefined {
    return this.inputs.get('awaitIp');
  }

  /** "namespace/name", known at plan. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  /** OCI reference of the macOS image. A change replaces the instance. */
  get image(): string {
    return this.getStringAttribute('image');
  }

  set image(value: string) {
    this.inputs.put('image', value);
  }

  get imageInput(): string | undefined {
    return this.inputs.get('image');
  }

  /** IP address; null while it has none. */
  get ip(): string {
    return this.getStringAttribute('ip');
  }

  /** Id of the lease, "namespace/name". A change replaces the instance. */
  get lease(): string {
    return this.getStringAttribute('lease');
  }

  set lease(value: string) {
    this.inputs.put('lease', value);
  }

  get leaseInput(): string | undefined {
    return this.inputs.get('lease');
  }

  /** MAC address; distinct across the fleet. */
  get mac(): string {
    return this.getStringAttribute('mac');
  }

  /** Machine identifier; stable over restarts. */
  get machineId(): string {
    return this.getStringAttribute('machine_id');
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

  /** The tenant. Default: the lease's. */
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

  /** Pending, Starting, Running, Stopped, Failed or Unknown. */
  get phase(): string {
    return this.getStringAttribute('phase');
  }

  /** Why the instance is in that phase, in one word. */
  get reason(): string {
    return this.getStringAttribute('reason');
  }

  /** False stops the machine; it keeps its slot and its disk. Default true. */
  get running(): boolean | IResolvable {
    return this.getBooleanAttribute('running');
  }

  set running(value: boolean | IResolvable) {
    this.inputs.put('running', value);
  }

  resetRunning(): void {
    this.inputs.put('running', undefined);
  }

  get runningInput(): boolean | IResolvable | undefined {
    return this.inputs.get('running');
  }

  /** Size. The sizes of a lease's instances together must fit its Mac. A change replaces the instance. */
  get shape(): MacOSInstanceShapeOutputReference {
    return this.shapeReference;
  }

  putShape(value: MacOSInstanceShape): void {
    this.shapeReference.internalValue = value;
  }

  get shapeInput(): MacOSInstanceShape | IResolvable | undefined {
    return this.shapeReference.internalValue;
  }

  /** Slot of the Mac, 0 or 1. */
  get slot(): number {
    return this.getNumberAttribute('slot');
  }

  /** How long to wait for each operation. */
  get timeouts(): MacOSInstanceTimeoutsOutputReference {
    return this.timeoutsReference;
  }

  putTimeouts(value: MacOSInstanceTimeouts): void {
    this.timeoutsReference.internalValue = value;
  }

  resetTimeouts(): void {
    this.timeoutsReference.internalValue = undefined;
  }

  get timeoutsInput(): MacOSInstanceTimeouts | IResolvable | undefined {
    return this.timeoutsReference.internalValue;
  }

  /** UID of the object on the control plane. */
  get uid(): string {
    return this.getStringAttribute('uid');
  }
}
