import type { Instant } from '../../sdk/rules/instant';
import type { FleetProof } from './prove-fleet';

/** What is recorded. The first six are the record that an auditor reads; the others explain coverage. */
export const AuditType = {
  LeaseBound: 'Lease bound',
  InstanceStarted: 'Instance started',
  InstanceStopped: 'Instance stopped',
  ThirdInstanceRejected: 'Third instance rejected',
  CrossTenantRejected: 'Cross-tenant schedule rejected',
  EarlyDeleteHeld: 'Early delete converted to Held',
  LeaseReleased: 'Lease released',
  /** A start refused for a reason that is neither of the above (an identity in use). */
  StartRefused: 'Start refused',
  DisksWiped: 'Disks wiped',
  /** Numbers of an agent's journal that never arrived. */
  JournalGap: 'Journal gap',
  /** A claim whose lease is gone: it ends at its floor. */
  ClaimOrphaned: 'Claim orphaned',
  /** A claim that is gone although its lease is not released: only file access on the control-plane host can do that. */
  ClaimLost: 'Claim lost',
  /** A claim whose deletion was stamped before its floor: it can never end through the API. */
  ClaimStuck: 'Claim stuck',
  /** A certificate of a Mac's agent was allowed, or refused, by the rules of its enrolment. */
  CertificateApproved: 'Agent certificate approved',
  CertificateDenied: 'Agent certificate denied',
} as const;
export type AuditType = (typeof AuditType)[keyof typeof AuditType];

/** Who stopped a request. */
export type Layer = 'webhook' | 'policy' | 'operator' | 'scheduler' | 'agent' | 'kernel';

/** The columns that rows are searched by. */
export interface Subject {
  readonly tenant?: string;
  readonly serial?: string;
  readonly leaseUID?: string;
  readonly actor?: string;
  readonly layer?: Layer;
}

export interface AuditEvent extends Subject {
  readonly type: AuditType;
  /** The same event has the same key, whoever writes it and however often: it is stored once. */
  readonly dedupe: string;
  /** Time of the API server. */
  readonly at: Instant;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Written before a step that cannot be taken back; closed by the outcome, or abandoned. */
export interface Intent extends Subject {
  readonly key: string;
  readonly type: AuditType;
  readonly at: Instant;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A stored row. `stage` is `event` for what has no intent. */
export interface AuditRow extends AuditEvent {
  readonly seq: number;
  readonly stage: 'intent' | 'outcome' | 'abandoned' | 'event';
  readonly operation?: string;
}

/** What is known of a chassis apart from its rows. */
export interface ChassisSeen {
  readonly serial: string;
  readonly enrolledAt: Instant;
  /** Newest heartbeat: nothing is known of later. */
  readonly lastSeen: Instant;
}

export interface RowFilter {
  readonly type?: AuditType;
  readonly leaseUID?: string;
  readonly serial?: string;
}

/** The record. Every method rejects with `AuditUnavailable` when the store cannot be used; nothing irreversible is done then. */
export interface AuditLog {
  /** Stores the event once. False when it was there already. */
  append(event: AuditEvent): Promise<boolean>;
  /** Stores a line of a Mac's journal once, by its number. */
  appendJournal(serial: string, seq: number, event: AuditEvent): Promise<boolean>;
  /** Opens an intent; does nothing while one of this key is open. */
  intent(intent: Intent): Promise<void>;
  /** Stores the outcome once, which closes the intent of the key. */
  outcome(key: string, event: AuditEvent): Promise<boolean>;
  /** Closes the open intent of the key without an outcome: the step was not taken. Does nothing when none is open. */
  abandon(key: string, at: Instant, why: string): Promise<void>;
  openIntents(): Promise<readonly Intent[]>;
  openIntent(key: string): Promise<Intent | undefined>;
  has(dedupe: string): Promise<boolean>;
  rows(filter?: RowFilter): Promise<readonly AuditRow[]>;
  /** True if a row could be written now. */
  writable(): Promise<boolean>;
  /** Highest journal number taken in from a Mac's agent; 0 for none. */
  journalSeq(serial: string): Promise<number>;
  /** Notes an agent's heartbeat. Stored at most once a minute per chassis. */
  seen(chassis: ChassisSeen): Promise<void>;
  /** Keeps who asked for the deletion of a lease until the reconciler writes the row. The first one stays. */
  noteDeletion(leaseUID: string, actor: string, at: Instant): Promise<void>;
  deletionActor(leaseUID: string): Promise<string | undefined>;
  /** Did any chassis run a third machine, or two tenants, in the period? */
  proveFleet(period: { readonly from: Instant; readonly to: Instant }): Promise<FleetProof>;
  close(): Promise<void>;
}

/** The record cannot be written or read: the operator binds, starts and releases nothing until it can. */
export class AuditUnavailable extends Error {
  override readonly name = 'AuditUnavailable';

  constructor(file: string, cause: unknown) {
    super(`the audit store ${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}. Nothing is bound, started or released until it can; running machines stay.`, { cause });
  }
}
