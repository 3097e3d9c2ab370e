import type { Request } from './request';
import type { Scene } from './scene';
import type { Site } from './site';

/** The licence's rules; `stops`: the machinery that holds them; `tenancy`: what a tenant may know of others. */
export type Rule = 1 | 2 | 3 | 'stops' | 'tenancy';

/** A file of deploy/policies without its ending, or a stop that is no file of ours. */
export type Stop =
  | `p${string}` | 'release-floor' | `m${string}`
  | 'CRD' | 'RBAC' | 'Node authorizer' | 'NodeRestriction' | 'API server' | 'webhook' | 'operator' | 'scheduler' | 'agent';

interface Named {
  /** Never reused. */
  readonly id: string;
  /** What is tried, as a sentence. */
  readonly attack: string;
  readonly rule: Rule;
  /** The attacker, as the table names them. */
  readonly who: 'admin' | 'admin as operator' | 'admin as scheduler' | 'admin as node' | 'admin as controller' | 'daily admin' | 'agent' | 'tenant' | 'admin and host';
}

/** Each of its requests is refused by this stop, in these words. */
export interface Refused extends Named {
  readonly outcome: 'refused';
  readonly by: Stop;
  readonly says: RegExp;
  /** Where one request is answered by another stop than the rest; by its place in the list. */
  readonly except?: Readonly<Record<number, { readonly by: Stop; readonly says: RegExp }>>;
  readonly requests: (site: Site, other: Site) => readonly Request[];
  /** The same by kubectl, as a member of system:masters. */
  readonly kubectl?: (site: Site, other: Site) => readonly (readonly string[])[];
  /** What answers when the policy is taken out of the API server's files; default: nothing, the request is accepted. Where that is a policy, either may speak. */
  readonly without?: Stop | Readonly<Record<number, Stop>>;
}

/** Accepted by the API, wholly or in part, and the rule holds all the same: `play` proves it by the state afterwards, or throws. */
export interface Held extends Named {
  readonly outcome: 'held' | 'recorded';
  readonly by: Stop;
  /** What is seen afterwards, as a sentence. */
  readonly proof: string;
  readonly play: (scene: Scene) => Promise<void>;
}

export type Attack = Refused | Held;
