import type { ControlPlane } from '../../sdk/client/control-plane';
import { recordingControlPlane, type Write } from '../../sdk/client/interrupted-plane';
import type { AuditLog } from '../audit/audit-log';

/** Where a process dies: at a write of a label, before it is made or after it was. */
export interface KillPoint { readonly label: string; readonly moment: 'before' | 'after' }

/**
 * A process that can be killed at any write, of the server or of the record, as both ports enumerate them. After its death nothing it does has
 * an effect any more.
 */
export class Mortal {
  /** Every write so far, as `verb kind#n`. */
  readonly labels: string[] = [];
  dead = false;
  readonly #counts = new Map<string, number>();
  readonly #labelOf = new Map<number, string>();

  constructor(private readonly killAt?: KillPoint) {}

  plane(inner: ControlPlane): ControlPlane {
    return recordingControlPlane(inner, {
      before: (write) => {
        this.#labelOf.set(write.number, this.#label(describe(write)));
        this.#pass(this.#labelOf.get(write.number) ?? '', 'before');
      },
      after: (write) => this.#pass(this.#labelOf.get(write.number) ?? '', 'after'),
    });
  }

  audit(inner: AuditLog): AuditLog {
    return {
      append: (event) => this.#row(`append ${event.type}`, () => inner.append(event)),
      appendJournal: (serial, seq, event) => this.#row(`journal ${event.type}`, () => inner.appendJournal(serial, seq, event)),
      intent: (intent) => this.#row(`intent ${intent.type}`, () => inner.intent(intent)),
      outcome: (key, event) => this.#row(`outcome ${event.type}`, () => inner.outcome(key, event)),
      abandon: (key, at, why) => this.#row('abandon', () => inner.abandon(key, at, why)),
      openIntents: () => inner.openIntents(), openIntent: (key) => inner.openIntent(key), has: (key) => inner.has(key), rows: (filter) => inner.rows(filter),
      writable: () => inner.writable(), journalSeq: (serial) => inner.journalSeq(serial), seen: (chassis) => inner.seen(chassis),
      noteDeletion: (uid, actor, at) => inner.noteDeletion(uid, actor, at), deletionActor: (uid) => inner.deletionActor(uid),
      proveFleet: (period) => inner.proveFleet(period), close: () => inner.close(),
    };
  }

  async #row<T>(kind: string, work: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Error('the process is dead');
    const label = this.#label(kind);
    this.#pass(label, 'before');
    const result = await work();
    this.#pass(label, 'after');
    return result;
  }

  #label(kind: string): string {
    const n = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, n);
    this.labels.push(`${kind}#${n}`);
    return `${kind}#${n}`;
  }

  #pass(label: string, moment: KillPoint['moment']): void {
    this.dead ||= this.killAt?.label === label && this.killAt.moment === moment;
    if (this.dead) throw new Error('the process is dead');
  }
}

const describe = ({ verb, kind, subresource }: Write): string => `${verb} ${kind}${subresource === undefined ? '' : '/status'}`;
