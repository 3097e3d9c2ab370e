/** What no two machines may share. Fixed when the bundle is created, the same over every restart. */
export interface Identity {
  readonly machineID: string;
  readonly mac: string;
}

/** A machine that the hypervisor counts as running, whoever started it. */
export interface RunningVM extends Identity {
  /** UID of the instance, from the bundle's name; undefined for a machine that is not named as ours are. */
  readonly instanceUID?: string;
  /** Name of the bundle, for people. */
  readonly name: string;
  readonly ip?: string;
  readonly state: 'Starting' | 'Running' | 'Stopping';
}

/** A bundle of ours on the Mac, running or not. */
export interface Disk extends Identity {
  readonly instanceUID: string;
}

export interface VmSpec {
  readonly instanceUID: string;
  /** OCI reference. */
  readonly image: string;
  readonly shape: { readonly cpu: number; readonly memory: string; readonly disk: string };
}

/**
 * A hypervisor on one Mac. Its list is the truth about what runs; bundles are named by instance UID.
 * Every method may be called again after a crash of the caller: create, stop and delete are idempotent.
 */
export interface Hypervisor {
  /** Platform UUID of the hardware. */
  hardwareUUID(): Promise<string>;
  /** Names the present boot of the Mac; another value means that every earlier machine is gone. */
  bootID(): Promise<string>;
  /** How many machines the kernel allows at once. */
  probeLimit(): Promise<number>;
  /** Every running machine, also those that a person started. */
  list(): Promise<readonly RunningVM[]>;
  disks(): Promise<readonly Disk[]>;
  /** Makes the bundle of an instance from an image, with an identity of its own; an existing bundle is kept and its identity returned. */
  create(spec: VmSpec): Promise<Identity>;
  /** Resolves when the machine runs. Rejects with `HypervisorError`, code `KernelLimit` where the kernel counts too many. */
  start(instanceUID: string): Promise<void>;
  /** Resolves when the process of the machine is gone: asks the guest, and ends it after `graceMs` milliseconds. Nothing to stop is success. */
  stop(instanceUID: string, graceMs: number): Promise<void>;
  /** Removes the bundle; rejects while its machine runs. Nothing to remove is success. */
  delete(instanceUID: string): Promise<void>;
  /** Calls back after a machine appeared, went or got an address; a hint only, `list` decides. Returns the unsubscribe. */
  onChange(listener: () => void): () => void;
}

/** `KernelLimit`: the kernel refused one more machine. `Busy`: the machine runs. `Failed`: anything else, in the hypervisor's words. */
export type HypervisorFault = 'KernelLimit' | 'Busy' | 'Failed';

export class HypervisorError extends Error {
  override readonly name = 'HypervisorError';

  constructor(readonly fault: HypervisorFault, message: string, options?: { cause?: unknown }) {
    super(message, options);
  }
}

/** The refusal of the kernel itself, as against that of the agent. */
export function isKernelLimit(error: unknown): boolean {
  return error instanceof HypervisorError && error.fault === 'KernelLimit';
}

/** Prefix of the names of our bundles. */
export const BUNDLE_PREFIX = 'macrack-';
