import type { JournalEntry } from '../../sdk/api/mac-node';
import { MOST_MACHINES } from '../limit';
import type { Identity } from '../driver';
import type { Cause, JournalLine, RunFacts } from './line';

/** What the journal knows of one pod's machine. Created → Starting → Running → Ended, or Refused from the first two. */
export interface Run {
  readonly facts: RunFacts;
  phase: 'Created' | 'Starting' | 'Running' | 'Ended' | 'Refused';
  boot: string;
  identity?: Identity;
  startedAt?: string;
  /** Set before a machine is stopped on purpose. */
  stopCause?: Cause;
  /** How it ended. Final: a pod never gets a second machine. */
  outcome?: Cause;
}

interface Claimed { tenant: string; leaseUID: string; instanceUID: string; isWiped: boolean }

const PUBLISHED_TAIL = 64;

/** The journal, read. It explains what the hypervisor lists; it never decides what runs. */
export class Ledger {
  readonly runs = new Map<string, Run>();
  /** Newest run of each instance. */
  readonly byInstance = new Map<string, Run>();
  /** Identities that ran, by instance: they are known for good. */
  readonly identities = new Map<string, Identity>();
  readonly claims = new Map<string, Claimed>();
  tail: readonly JournalEntry[] = [];
  lines = 0;
  seq = 0;
  /** Claim of the newest intent. */
  lastBindingUID: string | undefined;
  #leak = { boot: '', leaked: 0 };

  apply({ line, boot, body }: JournalLine): void {
    this.lines = line;
    switch (body.kind) {
      case 'CreateIntent': return this.#intend(body.run, 'Created', boot);
      case 'StartIntent': return this.#intend(body.run, 'Starting', boot, body.identity);
      case 'StopIntent': return this.#stopping(body.podUID, body.cause);
      case 'Event': return this.#event(body.entry, boot, body.leaked);
      case 'Probe': return;
    }
  }

  openRuns(): readonly Run[] {
    return [...this.runs.values()].filter(({ phase }) => phase === 'Running');
  }

  /** Slots that the kernel counts and nobody runs; a reboot clears them. */
  leaked(boot: string): number {
    return this.#leak.boot === boot ? this.#leak.leaked : 0;
  }

  #intend(facts: RunFacts, phase: Run['phase'], boot: string, identity?: Identity): void {
    const run: Run = { facts, phase, boot, ...(identity === undefined ? {} : { identity }) };
    this.runs.set(facts.podUID, run);
    this.byInstance.set(facts.instanceUID, run);
    this.claims.set(facts.bindingUID, { tenant: facts.tenant, leaseUID: facts.leaseUID, instanceUID: facts.instanceUID, isWiped: false });
    this.lastBindingUID = facts.bindingUID;
  }

  #stopping(podUID: string, cause: Cause): void {
    const run = this.runs.get(podUID);
    if (run !== undefined) run.stopCause = cause;
  }

  #event(entry: JournalEntry, boot: string, leaked: number | undefined): void {
    this.seq = entry.seq;
    this.tail = [...this.tail, entry].slice(-PUBLISHED_TAIL);
    if (leaked !== undefined) this.#leak = { boot, leaked };
    switch (entry.event) {
      case 'Started': return this.#started(entry, boot);
      case 'Stopped': return this.#ended(entry, 'Ended');
      case 'Refused': return this.#ended(entry, 'Refused');
      case 'Wiped': return this.#wiped(entry.bindingUID);
    }
  }

  #started(entry: JournalEntry, boot: string): void {
    const run = this.runs.get(entry.podUID);
    if (run === undefined) return;
    run.phase = 'Running';
    run.boot = boot;
    run.startedAt = entry.at;
    if (run.identity !== undefined) this.identities.set(entry.instanceUID, run.identity);
    // As many machines as run cannot be leaked ones as well.
    this.#leak.leaked = Math.max(0, Math.min(this.#leak.leaked, MOST_MACHINES - entry.vmCount));
  }

  #ended(entry: JournalEntry, phase: 'Ended' | 'Refused'): void {
    const { instanceUID, podUID, leaseUID, bindingUID, tenant, reason = '', message = '' } = entry;
    // A machine that no pod explains, ended by a person.
    if (podUID === '') return;
    const known = this.runs.get(podUID);
    const run = known ?? { facts: { instanceUID, podUID, leaseUID, bindingUID, tenant, instance: '', pod: '', graceSeconds: 0 }, phase, boot: '' };
    run.phase = phase;
    run.outcome = { reason, message };
    this.runs.set(podUID, run);
  }

  #wiped(bindingUID: string): void {
    const claim = this.claims.get(bindingUID);
    if (claim !== undefined) claim.isWiped = true;
  }
}
