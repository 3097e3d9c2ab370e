import type { Timers } from '../../../sdk/client/timers';
import type { Check } from './check';
import { Fault, unknown, type Finding } from './finding';

const AGAIN_MS = 3_000;

/** How one check stands. */
export interface Standing {
  readonly name: string;
  readonly halts: boolean;
  /** Of the last look. */
  readonly latest: Finding;
  /** The last that was not `unknown`; what could not be looked at since the start is not good. */
  readonly standing: Finding;
}

/** Something that is not in order. */
export interface Trouble { readonly fault: Fault; readonly message: string }

const troubleOf = (finding: Finding): Trouble | undefined => (finding.state === 'good' ? undefined : { fault: finding.fault, message: finding.message });
const NOT_YET = unknown(Fault.NotChecked, 'not checked yet');

/** Looks at everything again and again, soon where it is not good, so that the operator recovers by itself. */
export class Checkup {
  readonly #standings = new Map<string, Standing>();
  readonly #pending = new Map<string, () => void>();
  #stopped = false;

  /** @param onChange called after a look that found something else than the one before */
  constructor(private readonly checks: readonly Check[], private readonly timers: Timers, private readonly onChange: () => void) {
    for (const { name, halts } of checks) this.#standings.set(name, { name, halts, latest: NOT_YET, standing: NOT_YET });
  }

  start(): void {
    for (const check of this.checks) void this.#look(check);
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#pending.values()) cancel();
  }

  standings(): readonly Standing[] {
    return [...this.#standings.values()];
  }

  /** Why nothing may be bound or released; undefined when all is in order, or was when last it could be looked at. */
  halted(): Trouble | undefined {
    return this.standings().filter(({ halts }) => halts).map(({ standing }) => troubleOf(standing)).find((t) => t !== undefined);
  }

  /** What is wrong with this replica now, worst first. */
  troubles(): readonly Trouble[] {
    const sorted = [...this.standings()].sort((a, b) => Number(b.halts) - Number(a.halts));
    return sorted.map(({ latest }) => troubleOf(latest)).filter((t) => t !== undefined);
  }

  /** Takes a finding that was made outside the rounds. It counts at once, and is looked at again soon. */
  found(name: string, finding: Finding): void {
    this.#take(name, finding);
    const check = this.checks.find((c) => c.name === name);
    if (check !== undefined && !this.#stopped) this.#plan(check, AGAIN_MS);
  }

  /** Looks at one thing now, since it may have changed. */
  again(name: string): void {
    const check = this.checks.find((c) => c.name === name);
    if (check === undefined || this.#stopped) return;
    this.#pending.get(name)?.();
    void this.#look(check);
  }

  async #look(check: Check): Promise<void> {
    this.#pending.delete(check.name);
    const finding = await check.look();
    if (this.#stopped) return;
    this.#take(check.name, finding);
    this.#plan(check, finding.state === 'good' ? check.everyMs : Math.min(AGAIN_MS, check.everyMs));
  }

  #plan(check: Check, wait: number): void {
    this.#pending.get(check.name)?.();
    this.#pending.set(check.name, this.timers.after(wait, () => void this.#look(check)));
  }

  #take(name: string, latest: Finding): void {
    const before = this.#standings.get(name);
    if (before === undefined) return;
    this.#standings.set(name, { ...before, latest, standing: latest.state === 'unknown' ? before.standing : latest });
    const same = JSON.stringify(before.latest) === JSON.stringify(latest);
    if (!same) this.onChange();
  }
}
