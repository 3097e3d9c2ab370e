import type { Json, JsonObject } from '../../devplane/json';

/** What the random operations are about. Names are of one sequence: those of the cluster carry its number. */
export const RESOURCES = {
  lease: { path: 'apis/macrack.io/v1', plural: 'macnodeleases', kind: 'MacNodeLease', apiVersion: 'macrack.io/v1', scope: 'tenant' },
  instance: { path: 'apis/macrack.io/v1', plural: 'macosinstances', kind: 'MacOSInstance', apiVersion: 'macrack.io/v1', scope: 'tenant' },
  claim: { path: 'apis/macrack.io/v1', plural: 'macnodebindings', kind: 'MacNodeBinding', apiVersion: 'macrack.io/v1', scope: 'cluster' },
  mac: { path: 'apis/macrack.io/v1', plural: 'macnodes', kind: 'MacNode', apiVersion: 'macrack.io/v1', scope: 'cluster' },
  node: { path: 'api/v1', plural: 'nodes', kind: 'Node', apiVersion: 'v1', scope: 'cluster' },
  pod: { path: 'api/v1', plural: 'pods', kind: 'Pod', apiVersion: 'v1', scope: 'tenant' },
  sign: { path: 'apis/coordination.k8s.io/v1', plural: 'leases', kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', scope: 'kube-node-lease' },
  event: { path: 'api/v1', plural: 'events', kind: 'Event', apiVersion: 'v1', scope: 'tenant' },
  role: { path: 'apis/rbac.authorization.k8s.io/v1', plural: 'roles', kind: 'Role', apiVersion: 'rbac.authorization.k8s.io/v1', scope: 'tenant' },
} as const;

export type ResourceName = keyof typeof RESOURCES;

/** Who asks. The agent is that of the sequence's own Mac. */
export type Actor = 'admin' | 'operator' | 'tenant' | 'viewer' | 'agent' | 'scheduler';

/** Which version or uid a write names: none, the one last seen by this sequence, or another. */
export type Named = 'none' | 'current' | 'other';

export const PATCH_TYPES = {
  merge: 'application/merge-patch+json', json: 'application/json-patch+json', strategic: 'application/strategic-merge-patch+json', apply: 'application/apply-patch+yaml',
} as const;

interface On {
  readonly as: Actor;
  readonly resource: ResourceName;
  /** Its place in the names of the resource. */
  readonly name: string;
}
interface Write extends On {
  readonly dryRun: boolean;
}

/** One request, as data: it prints, replays and shrinks. `@` in a text stands for the number of the sequence, `@@` for its namespace. */
export type Operation =
  | (Write & { readonly do: 'create'; readonly metadata: JsonObject; readonly body: JsonObject; readonly strict: boolean })
  | (Write & { readonly do: 'patch'; readonly type: keyof typeof PATCH_TYPES; readonly patch: Json; readonly status: boolean; readonly version: Named; readonly uid: Named })
  | (Write & { readonly do: 'replace'; readonly edit: JsonObject; readonly status: boolean; readonly version: Named })
  | (Write & { readonly do: 'delete'; readonly version: Named; readonly uid: Named; readonly grace?: number })
  | (Write & { readonly do: 'empty'; readonly selector: string })
  | (On & { readonly do: 'read' })
  | (On & { readonly do: 'list'; readonly labels: string; readonly fields: string; readonly everywhere: boolean })
  | (Write & { readonly do: 'bind' })
  | (Write & { readonly do: 'evict'; readonly grace?: number });

export interface Sequence {
  readonly operations: readonly Operation[];
  /** Whether the namespace is deleted at the end. */
  readonly endsNamespace: boolean;
}
