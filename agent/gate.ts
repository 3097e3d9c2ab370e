import type { Journal } from './journal/journal';

/** Why no machine is started now. Pods wait; what runs goes on. */
export interface Closed {
  readonly reason: 'Reconciling' | 'NotEnrolled' | 'Retired' | 'HardwareMismatch' | 'KernelQuota' | 'HypervisorUnavailable' | 'JournalDamaged' | 'JournalUnwritable';
  readonly message: string;
}

/** What must be true of the Mac before a start. Closed until the first reconciliation has been through. */
export class Gate {
  #enrolment: Closed | undefined = { reason: 'NotEnrolled', message: 'the MacNode was not read yet' };
  #machines: Closed | undefined = { reason: 'Reconciling', message: 'the journal was not compared with the hypervisor yet' };

  constructor(private readonly journal: Journal) {}

  /** Undefined when a start may be judged. The graver reason comes first. */
  get closed(): Closed | undefined {
    return this.#enrolment ?? this.journal.fault ?? this.#machines;
  }

  /** True when this hardware is the one that the administrator enrolled: only then are its facts the facts of the MacNode. */
  get isThisMac(): boolean {
    return this.#enrolment === undefined || this.#enrolment.reason === 'KernelQuota';
  }

  /** True until the journal has been compared with the hypervisor once. */
  get isReconciling(): boolean {
    return this.#machines?.reason === 'Reconciling';
  }

  setEnrolment(closed: Closed | undefined): void {
    this.#enrolment = closed;
  }

  setMachines(closed: Closed | undefined): void {
    this.#machines = closed;
  }
}
