/** One tenant with one leased Mac. */
export interface Site {
  /** Name of the namespace. */
  readonly tenant: string;
  readonly lease: string;
  readonly serial: string;
  readonly node: string;
  /** Names of its instances, by slot. */
  readonly instances: readonly string[];
  readonly pods: readonly string[];
  readonly leaseUID: string;
  readonly claimUID: string;
  readonly namespaceUID: string;
  readonly nodeUID: string;
}
