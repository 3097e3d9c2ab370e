/** What a simulated Mac does wrong or slowly. Each is set by assignment and stays until it is set back, unless it says "next". */
export interface SimFaults {
  /** Milliseconds that a start takes. Default 0. */
  startMs: number;
  /** Milliseconds that a guest takes to shut down; beyond the grace it is ended. Default 0. */
  stopMs: number;
  /** Milliseconds from running to an address. Default 0. */
  ipMs: number;
  /** No machine gets an address. */
  noIP: boolean;
  /** The kernel goes on counting the next machine that ends, until a reboot. */
  leakNextSlot: boolean;
  /** The next bundle is a plain clone of this instance's, with its machine id and MAC. */
  cloneNextFrom: string | undefined;
  /** Every call of the hypervisor rejects with this text. */
  unavailable: string | undefined;
  /** The next start fails with this text. */
  failNextStart: string | undefined;
}

export function noFaults(): SimFaults {
  return { startMs: 0, stopMs: 0, ipMs: 0, noIP: false, leakNextSlot: false, cloneNextFrom: undefined, unavailable: undefined, failNextStart: undefined };
}
