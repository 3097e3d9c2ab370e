// Generated from the provider's schema by components/emit; do not edit.
import type { TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { type AttributeTable, required } from '../base/attributes';
import { MacrackDataSource } from '../base/macrack-data-source';

/** A class of Macs: what one has, and how many are free. It names no tenant. */
export interface DataMacrackMacClassConfig extends TerraformMetaArguments {
  /** base, pro, studio. */
  readonly name: string;
}

const INPUTS: AttributeTable = {
  name: required('string'),
};

/** A class of Macs: what one has, and how many are free. It names no tenant. */
export class DataMacrackMacClass extends MacrackDataSource<DataMacrackMacClassConfig> {
  static readonly tfResourceType = 'macrack_mac_class';

  constructor(scope: Construct, id: string, config: DataMacrackMacClassConfig) {
    super(scope, id, DataMacrackMacClass.tfResourceType, INPUTS, config);
  }

  /** Cores of one Mac. */
  get cpu(): number {
    return this.getNumberAttribute('cpu');
  }

  /** Disk of one Mac. */
  get disk(): string {
    return this.getStringAttribute('disk');
  }

  /** Macs that are Held. */
  get held(): number {
    return this.getNumberAttribute('held');
  }

  /** Name of the class. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  /** Macs that are leased, Held ones included. */
  get leased(): number {
    return this.getNumberAttribute('leased');
  }

  /** Memory of one Mac. */
  get memory(): string {
    return this.getStringAttribute('memory');
  }

  /** base, pro, studio. */
  get name(): string {
    return this.getStringAttribute('name');
  }

  set name(value: string) {
    this.inputs.put('name', value);
  }

  get nameInput(): string | undefined {
    return this.inputs.get('name');
  }

  /** When the next of the Macs that are Held or being released comes free, rounded up to the hour, RFC 3339; null where none is. */
  get nextReleaseAt(): string {
    return this.getStringAttribute('next_release_at');
  }

  /** Macs of the class. */
  get total(): number {
    return this.getNumberAttribute('total');
  }

  /** Macs that can be leased now. */
  get unleased(): number {
    return this.getNumberAttribute('unleased');
  }
}
