import type { TerraformElement, TerraformStack } from 'cdktf';
import type { Inputs } from '../base/inputs';

/** A construct of ours in an app, as the rules see it. */
export interface Subject {
  readonly element: TerraformElement;
  readonly stack: TerraformStack;
  /** `macrack_mac_node_lease`, `macrack`, … */
  readonly type: string;
  /** As the user calls it: `MacNodeLease`. */
  readonly kind: string;
  readonly inputs: Inputs<object>;
}

/** An element that says its Terraform type. */
export interface TypedElement extends TerraformElement {
  readonly terraformResourceType: string;
}

/** Where a subject stands in the tree, for messages. */
export const pathOf = ({ element }: Subject): string => element.node.path;
