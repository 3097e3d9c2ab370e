// Generated from the provider's schema by components/emit; do not edit.
import type { TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { type AttributeTable, optional } from '../base/attributes';
import { MacrackDataSource } from '../base/macrack-data-source';
import { DataMacrackMacNodeLeasesLeasesList } from './data-macrack-mac-node-leases-leases';

/** The leases of a namespace, sorted by name. */
export interface DataMacrackMacNodeLeasesConfig extends TerraformMetaArguments {
  /** Only leases of this class: base, pro, studio. */
  readonly class?: string;
  /** The tenant. Default: the provider's namespace, else that of the kubeconfig's context. */
  readonly namespace?: string;
  /** Only leases of this phase: Pending, Binding, Bound, Held, Releasing, Released. */
  readonly phase?: string;
}

const INPUTS: AttributeTable = {
  class: optional('string'),
  namespace: optional('string'),
  phase: optional('string'),
};

/** The leases of a namespace, sorted by name. */
export class DataMacrackMacNodeLeases extends MacrackDataSource<DataMacrackMacNodeLeasesConfig> {
  static readonly tfResourceType = 'macrack_mac_node_leases';

  private readonly leasesReference = new DataMacrackMacNodeLeasesLeasesList(this, 'leases', false);

  constructor(scope: Construct, id: string, config: DataMacrackMacNodeLeasesConfig = {}) {
    super(scope, id, DataMacrackMacNodeLeases.tfResourceType, INPUTS, config);
  }

  /** Only leases of this class: base, pro, studio. */
  get class(): string {
    return this.getStringAttribute('class');
  }

  set class(value: string) {
    this.inputs.put('class', value);
  }

  resetClass(): void {
    this.inputs.put('class', undefined);
  }

  get classInput(): string | undefined {
    return this.inputs.get('class');
  }

  /** The leases. */
  get leases(): DataMacrackMacNodeLeasesLeasesList {
    return this.leasesReference;
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

  /** Only leases of this phase: Pending, Binding, Bound, Held, Releasing, Released. */
  get phase(): string {
    return this.getStringAttribute('phase');
  }

  set phase(value: string) {
    this.inputs.put('phase', value);
  }

  resetPhase(): void {
    this.inputs.put('phase', undefined);
  }

  get phaseInput(): string | undefined {
    return this.inputs.get('phase');
  }
}
