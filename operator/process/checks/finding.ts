/** Why the operator does not work, in a word for machines. Stable: conditions, Events and alerts go by it. */
export const Fault = {
  /** Not looked at yet, since the start. */
  NotChecked: 'NotChecked',
  /** The API server cannot be asked. */
  PlaneUnavailable: 'PlaneUnavailable',
  /** Kubernetes older than 1.35. */
  KubernetesTooOld: 'KubernetesTooOld',
  /** A CRD of MacRack is not installed. */
  CustomResourceMissing: 'CustomResourceMissing',
  /** RBAC gives the operator less than it needs. */
  RightMissing: 'RightMissing',
  /** Two of: the Date header, the stamp of a dry run, the progress of this host's monotonic clock. More than five seconds apart. */
  ClockSkew: 'ClockSkew',
  /** The record cannot be written. */
  AuditUnavailable: 'AuditUnavailable',
  /** The policy that keeps a claim until its floor does not answer. */
  PolicyMissing: 'PolicyMissing',
  /** The webhooks do not listen yet, since their CA cannot be had. */
  WebhooksDown: 'WebhooksDown',
  WebhookCertificateExpired: 'WebhookCertificateExpired',
} as const;
export type Fault = (typeof Fault)[keyof typeof Fault];

/** What a check found. `unknown`: it could not look, and what it found before stands. */
export type Finding =
  | { readonly state: 'good' }
  | { readonly state: 'bad'; readonly fault: Fault; readonly message: string }
  | { readonly state: 'unknown'; readonly fault: Fault; readonly message: string };

export const GOOD: Finding = { state: 'good' };

export function bad(fault: Fault, message: string): Finding {
  return { state: 'bad', fault, message };
}

export function unknown(fault: Fault, message: string): Finding {
  return { state: 'unknown', fault, message };
}
