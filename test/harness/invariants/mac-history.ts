import { BUNDLE_PREFIX, type Hypervisor, type SimMac } from '../../../agent';

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

  static now(serial: string, mac: SimMac): MacMoment {
    const disks = mac.bundles().flatMap(({ name }) => (name.startsWith(BUNDLE_PREFIX) ? [name.slice(BUNDLE_PREFIX.length)] : []));
    return { serial, running: mac.running().map(({ instanceUID }) => instanceUID), disks };
  }

  #note(serial: string, mac: SimMac): void {
    this.moments.push(MacHistory.now(serial, mac));
  }
}
