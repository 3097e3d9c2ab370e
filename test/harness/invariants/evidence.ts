import type { AuditRow, FleetProof } from '../../../operator';
import type { MacNode, MacNodeBinding, MacNodeLease, MacOSInstance } from '../../../sdk/api/kinds';
import type { Node } from '../../../sdk/api/core-objects';
import type { Seen } from './api-history';
import type { MachineStart, MacMoment } from './mac-history';

/** What is known when everything has come to rest: by the hypervisors, by the API, by the record. */
export interface Evidence {
  /** The server's time, in milliseconds. */
  readonly at: number;
  readonly moments: readonly MacMoment[];
  readonly starts: readonly MachineStart[];
  readonly claims: readonly Seen<MacNodeBinding>[];
  readonly leases: readonly Seen<MacNodeLease>[];
  readonly instances: readonly Seen<MacOSInstance>[];
  readonly macs: readonly { readonly macNode: MacNode; readonly node: Node | null; readonly now: MacMoment }[];
  readonly rows: readonly AuditRow[];
  /** Keys of intents that nobody closed. */
  readonly openIntents: readonly string[];
  /** UIDs of leases that their tenants wanted to end. */
  readonly asked: ReadonlySet<string>;
  /** Stamps were rewritten: first the claim's, which counts, then the lease's, which may be overtaken by its end. */
  readonly aged: boolean;
  /** What the record proves; undefined where stamps were rewritten, since it keeps the true times. */
  readonly proof: FleetProof | undefined;
}

/** A law that did not hold. */
export interface Breach {
  readonly law: Law;
  readonly what: string;
}

export const LAWS = ['TwoMachines', 'OneTenant', 'Floor', 'NoLeaseLost', 'NoMacStuck', 'NoGapInTheRecord'] as const;
export type Law = (typeof LAWS)[number];
