import type { Reason } from '../../sdk/rules/reasons';
import type { Note } from '../../sdk/rules/verdict';

/** Why a finding is made: a reason of the rules, or a fact about the request or the control plane. */
export type FindingReason =
  | Reason
  | Note['reason']
  /** Leases that are billed although nobody wants them any more. */
  | 'Held'
  /** A lease that a stack made and its program no longer has. */
  | 'Orphan'
  /** An administrator of the cluster could take the policies away. */
  | 'NotTamperProof'
  /** The input is not of the allowed form. */
  | 'InvalidValue'
  /** The object exists, and no state of this run holds it. */
  | 'AlreadyExists'
  /** The object of that name is not the one in state: somebody made it anew. */
  | 'ReplacedOutside'
  /** The object carries the mark of another resource, which has taken it over. */
  | 'OwnedElsewhere'
  | 'NamespaceNotFound'
  /** The control plane does not accept the credentials. */
  | 'Unauthorized'
  /** The control plane refuses the request for lack of rights. */
  | 'Forbidden'
  /** The control plane refuses the request, for a reason of its own. */
  | 'Refused'
  /** Somebody else kept changing the object. */
  | 'Conflict'
  /** Something did not happen in the time that was given. */
  | 'Timeout'
  /** The run was interrupted. */
  | 'Interrupted'
  /** A virtual machine failed. */
  | 'InstanceFailed';

/** A kind that the tools manage. */
export type ManagedKind = 'lease' | 'instance';

/** One thing that a preview or an apply has to say, free of any protocol. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly reason: FindingReason;
  /** A few words that name the object; goes behind the reason. */
  readonly title: string;
  /** What was asked, of which object, which rule, until when, what to do now. */
  readonly detail: string;
  /** The input at fault, dotted camelCase (`minimumDuration`, `shape.memory`); empty for the whole object. */
  readonly path: string;
  /** The object on the server that the tool could take over. */
  readonly adoptable?: { readonly kind: ManagedKind; readonly id: string };
}

export type Findings = readonly Finding[];

export function failure(reason: FindingReason, path: string, title: string, detail: string): Finding {
  return { severity: 'error', reason, path, title, detail };
}

export function warning(reason: FindingReason, path: string, title: string, detail: string): Finding {
  return { severity: 'warning', reason, path, title, detail };
}

export function hasFailures(findings: Findings): boolean {
  return findings.some((finding) => finding.severity === 'error');
}
