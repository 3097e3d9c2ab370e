/** What a request wants, as authorisers see it. */
export interface Asked {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  /** Empty at the cluster scope and for lists over all namespaces. */
  namespace: string;
  name: string;
  /** The node that a list of pods is pinned to by its field selector. */
  pinnedNode?: string;
}
