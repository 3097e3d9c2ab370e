import type { Hypervisor, SimMac } from '../../../agent';

/** What was on one Mac at one moment, by its hypervisor. */
export interface MacMoment {
  readonly serial: string;
  /** Instances that run; `undefined` for a machine that is none of ours. */
  readonly running: readonly (string | undefined)[];
  /** Instances with a disk. */
  readonly disks: readonly string[];
}

/** A machine that came up, by the hypervisor. */
export interface MachineStart {
  readonly serial: string;
  readonly instanceUID: string;
}

/** What the hypervisors did, in order: the witness that no agent can talk into anything. */
export class MacHistory {
  readonly moments: MacMoment[] = [];
  readonly starts: MachineStart[] = [];

  /** Follows a Mac for as long as it lives. */
  watch(serial: string, mac: SimMac): void {
    mac.onChange(() => this.#note(serial, mac));
  }

  /** Also sees a machine from the moment at which it is started, before anybody is told. */
  witness(serial: string, inner: Hypervisor, mac: SimMac): Hypervisor {
    return {
      ...inner,
      create: async (spec) => {
        const identity = await inner.create(spec);
        this.#note(serial, mac);
        return identity;
      },
      start: async (instanceUID) => {
        const started = inner.start(instanceUID);
        this.#note(serial, mac);
        await started;
        this.starts.push({ serial, instanceUID });
      },
    };
  }

  #note(serial: string, mac: SimMac): void {
    const disks = mac.bundles().flatMap(({ name }) => (name.startsWith('macrack-') ? [name.slice('macrack-'.length)] : []));
    this.moments.push({ serial, running: mac.running().map(({ instanceUID }) => instanceUID), disks });
  }
}
