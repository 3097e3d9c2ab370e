import type { Maybe } from '../../sdk/rules/unknown';
import type { ManagedKind } from './finding';
import type { Owner } from './ownership';
import { SlotLedger, type DeclaredInstance, type Fate } from './slot-ledger';

/** What the tool does in this process; some tools do not tell a preview from an apply. */
export type Walk = 'preview' | 'apply' | 'unknown';

/** What an address of a configuration wants of an object: to have it, or to have it destroyed. */
export type Wish = 'have' | 'destroy';

/** A lease as this run declares it. */
export interface DeclaredLease {
  readonly fate: Fate;
  readonly class: Maybe<string>;
  readonly serial: Maybe<string | null>;
  /** Bound by the end of this run, although the server may say Held now. */
  readonly becomesBound: boolean;
}

/**
 * What one process of a tool has read and declared so far. Calls arrive in any order and at once, so every judgement over
 * several resources is made on what is here, and made again when it changes.
 */
export class Run {
  private readonly said = new Set<string>();
  private readonly uids = new Map<string, string>();
  private readonly stored = new Set<string>();
  private readonly wishes = new Map<string, Set<Wish>>();
  private readonly ledgers = new Map<string, SlotLedger>();
  private readonly declared = new Map<string, DeclaredLease>();
  private readonly replaced = new Set<string>();
  private readonly created = new Set<string>();
  private readonly keepers = new Map<string, Owner>();
  private isPreview = false;
  private hasApplied = false;
  private wake: () => void = () => undefined;
  private change = this.nextChange();

  /**
   * `hint` is what the tool lets on about itself; what it does outweighs that. `asks` tells how it calls. `ahead`: about every resource
   * before the first is written. `each`: about one at a time, just before it is written and in the process that writes, so that every
   * answer must stand by itself and nothing is left to the apply. `isAlone` is false while other processes of the same run declare
   * resources that this one does not hear of.
   */
  constructor(private readonly hint: () => Walk = () => 'unknown', private readonly asks: 'ahead' | 'each' = 'ahead', readonly isAlone: () => boolean = () => true) {}

  get walk(): Walk {
    if (this.asks === 'each') return 'preview';
    if (this.hasApplied) return 'apply';
    return this.isPreview ? 'preview' : this.hint();
  }

  /** Only a preview refreshes, and only a preview is asked about a delete before it is done. */
  markPreview(): void {
    this.isPreview = true;
  }

  markApplying(): void {
    this.hasApplied = true;
  }

  /** True for the first who says it in this run, and for everybody where each answer stands by itself. */
  isFirstToSay(what: string): boolean {
    if (this.asks === 'ahead' && this.said.has(what)) return false;
    this.said.add(what);
    return true;
  }

  markRead(kind: ManagedKind, id: string, uid: string): void {
    this.markPreview();
    this.markStored(kind, id);
    this.uids.set(`${kind} ${id}`, uid);
  }

  /** An object of that name is in the state: it was read, or a change of it was asked for. */
  markStored(kind: ManagedKind, id: string): void {
    this.stored.add(`${kind} ${id}`);
  }

  /** True where a create of that name can only be the second half of a replacement, or the state has the object under another address. */
  isStored(kind: ManagedKind, id: string): boolean {
    return this.stored.has(`${kind} ${id}`);
  }

  /** Notes what an address wants of the object of that name. True where another address wants the contrary, in whatever order they are asked. */
  isTorn(kind: ManagedKind, id: string, wish: Wish): boolean {
    const key = `${kind} ${id}`;
    const wishes = this.wishes.get(key) ?? new Set();
    this.wishes.set(key, wishes.add(wish));
    return wishes.size > 1;
  }

  /** True if the object of this uid is in the state that this run works on. */
  wasRead(kind: ManagedKind, id: string, uid: string): boolean {
    return this.uids.get(`${kind} ${id}`) === uid;
  }

  declareLease(id: string, lease: DeclaredLease): void {
    this.declared.set(id, lease);
    this.changedNow();
  }

  lease(id: string): DeclaredLease | undefined {
    return this.declared.get(id);
  }

  get leases(): ReadonlyMap<string, DeclaredLease> {
    return this.declared;
  }

  /** The update call judged the replacement of this lease; its create call need not again. */
  markReplaced(id: string): void {
    this.replaced.add(id);
  }

  isReplaced(id: string): boolean {
    return this.replaced.has(id);
  }

  /** True for the first create of this name in this run; an update of the name, be it the first half of a replacement, is none. */
  isFirstCreate(kind: ManagedKind, id: string): boolean {
    const key = `${kind} ${id}`;
    if (this.created.has(key)) return false;
    this.created.add(key);
    return true;
  }

  /** False where another resource of this run keeps the object of that name. Resources without a mark cannot be told apart. */
  isKeeper(kind: ManagedKind, id: string, owner: Owner): boolean {
    if (owner === undefined) return true;
    const key = `${kind} ${id}`;
    const keeper = this.keepers.get(key) ?? owner;
    this.keepers.set(key, keeper);
    return keeper === owner;
  }

  ledger(lease: string): SlotLedger {
    const ledger = this.ledgers.get(lease) ?? new SlotLedger();
    this.ledgers.set(lease, ledger);
    return ledger;
  }

  declareInstance(lease: string, id: string, instance: DeclaredInstance): void {
    this.ledger(lease).declare(id, instance);
    this.changedNow();
  }

  /** Resolves at the next declaration. Take it before looking, so that no change is missed. */
  changed(): Promise<void> {
    return this.change;
  }

  private changedNow(): void {
    const wake = this.wake;
    this.change = this.nextChange();
    wake();
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
