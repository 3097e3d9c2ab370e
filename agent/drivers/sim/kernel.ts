import { HypervisorError } from '../../driver';

/** The framework's limit error. */
export function kernelLimit(): HypervisorError {
  return new HypervisorError('KernelLimit', 'VZErrorDomain 6: The maximum supported number of active virtual machines has been reached. The number of VMs exceeds the system limit');
}

/** The kernel's own count of machines. It knows nothing of the agent and is never asked by it. */
export class SimKernel {
  #running = 0;
  #leaked = 0;

  constructor(readonly quota: number) {}

  /** Takes a slot or throws the framework's limit error. */
  take(): void {
    if (this.#running + this.#leaked >= this.quota) throw kernelLimit();
    this.#running += 1;
  }

  /** A leaked slot stays counted until the reboot. */
  give(leak: boolean): void {
    this.#running -= 1;
    if (leak) this.#leaked += 1;
  }

  reboot(): void {
    this.#running = 0;
    this.#leaked = 0;
  }
}
