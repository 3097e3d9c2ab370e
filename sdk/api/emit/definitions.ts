import type { z } from 'zod';
import type { CelRule } from '../cel';
import { Kinds } from '../kinds';
import { macClassSpec, macClassStatus } from '../mac-class';
import { clockRules, clockSpec, macNodeBindingRules, macNodeBindingSpec } from '../mac-node-binding';
import { macNodeLeaseRules, macNodeLeaseSpec, macNodeLeaseStatus } from '../mac-node-lease';
import { macNodeRules, macNodeSpec, macNodeStatus } from '../mac-node';
import { macOSInstanceRules, macOSInstanceSpec, macOSInstanceStatus } from '../mac-os-instance';
import type { Kind } from '../object';
import { bindingColumns, classColumns, clockColumns, instanceColumns, leaseColumns, nodeColumns, type PrinterColumn } from './columns';

/** All that a CRD is made from. */
export interface Definition {
  readonly kind: Kind;
  readonly description: string;
  readonly shortNames: readonly string[];
  readonly spec: z.ZodType;
  readonly specOptional?: true;
  /** Absent: the kind has no status and no status subresource. */
  readonly status?: z.ZodType;
  /** Rules over the whole object, where metadata.name is to be seen. */
  readonly rules: readonly CelRule[];
  readonly columns: readonly PrinterColumn[];
}

const definitions = {
  MacNodeLease: {
    kind: Kinds.MacNodeLease, description: 'A lease of one whole Mac by one tenant (the namespace), for at least 24 hours.',
    shortNames: ['mnl'], spec: macNodeLeaseSpec, status: macNodeLeaseStatus, rules: macNodeLeaseRules, columns: leaseColumns,
  },
  MacOSInstance: {
    kind: Kinds.MacOSInstance, description: 'A macOS virtual machine on the Mac of a lease of the same namespace. A lease holds at most two.',
    shortNames: ['mosi'], spec: macOSInstanceSpec, status: macOSInstanceStatus, rules: macOSInstanceRules, columns: instanceColumns,
  },
  MacNode: {
    kind: Kinds.MacNode, description: 'One Mac of the fleet, named by its serial number. The administrator creates it; its agent writes the status.',
    shortNames: ['mn'], spec: macNodeSpec, status: macNodeStatus, rules: macNodeRules, columns: nodeColumns,
  },
  MacClass: {
    kind: Kinds.MacClass, description: 'A class of Macs: what one chassis has, and how many are free.',
    shortNames: ['mc'], spec: macClassSpec, status: macClassStatus, rules: [], columns: classColumns,
  },
  MacNodeBinding: {
    kind: Kinds.MacNodeBinding, description: 'Internal: the claim of one lease on one Mac, named by its serial number. It cannot end before its floor.',
    shortNames: ['mnb'], spec: macNodeBindingSpec, rules: macNodeBindingRules, columns: bindingColumns,
  },
  Clock: {
    kind: Kinds.Clock, description: 'Internal: the server stamps its creation, and policies take that for the present time.',
    shortNames: [], spec: clockSpec, specOptional: true, rules: clockRules, columns: clockColumns,
  },
} satisfies Record<string, Definition>;

export type DefinedKind = keyof typeof definitions;

/** The kinds of this group, one CRD each. */
export const Definitions: Readonly<Record<DefinedKind, Definition>> = definitions;
