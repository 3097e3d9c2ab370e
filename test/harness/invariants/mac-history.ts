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

/** What the hypervisor of a Mac shows to whoever looks. */
export interface MacEyes {
  running(): readonly { readonly instanceUID?: string }[];
  bundles(): readonly { readonly name: string }[];
}

/** Of a Mac that writes down by itself what happens on it. */
export interface MacRecord {
  moments(): readonly MacMoment[];
  starts(): readonly MachineStart[];
}

/** The instance of a bundle; undefined for one that is none of ours. */
export const instanceOf = (bundle: string): string | undefined => (bundle.startsWith(BUNDLE_PREFIX) ? bundle.slice(BUNDLE_PREFIX.length) : undefined);

export const disksOf = (bundles: readonly string[]): string[] => bundles.map(instanceOf).filter((uid) => uid !== undefined);

/** What the hypervisors did, in order: the witness that no agent can talk into anything. */
export class MacHistory {
  readonly #seen: MacMoment[] = [];
  readonly #started: MachineStart[] = [];
  readonly #records: MacRecord[] = [];

  /** Every Mac for itself in order. */
  get moments(): readonly MacMoment[] {
    return [...this.#seen, ...this.#records.flatMap((record) => record.moments())];
  }

  get starts(): readonly MachineStart[] {
    return [...this.#started, ...this.#records.flatMap((record) => record.starts())];
  }

  /** Follows a Mac for as long as it lives. */
  watch(serial: string, mac: SimMac): void {
    mac.onChange(() => this.#note(serial, mac));
  }

  /** Believes what a Mac has written down. */
  read(record: MacRecord): void {
    this.#records.push(record);
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
        this.#started.push({ serial, instanceUID });
      },
    };
  }

  static now(serial: string, mac: MacEyes): MacMoment {
    return { serial, running: mac.running().map(({ instanceUID }) => instanceUID), disks: disksOf(mac.bundles().map(({ name }) => name)) };
  }

  #note(serial: string, mac: SimMac): void {
    this.#seen.push(MacHistory.now(serial, mac));
  }
}
