import type { MacNode } from '../api';

/** What a host agent says of its Mac at the moment of asking: the hypervisor's own list, not a report that was stored. */
export interface AgentState {
  /** Lower case. */
  readonly serial: string;
  readonly hardwareUUID: string;
  /** Names the present boot of the Mac. */
  readonly bootID: string;
  /** The claim that the agent serves; undefined for none. */
  readonly bindingUID?: string;
  /** `max` is the constant of the licence (section 2B(iii)), `kernelQuota` what the kernel of this Mac allows. */
  readonly capacity: { readonly max: number; readonly running: number; readonly kernelQuota: number };
  /** Every running machine; without `instanceUID` it is none of ours. */
  readonly vms: readonly { readonly name: string; readonly instanceUID?: string; readonly machineID: string; readonly mac: string; readonly state: string }[];
  /** Every bundle of ours, running or not. */
  readonly disks: readonly { readonly instanceUID: string }[];
}

/** The agent of a Mac could not be asked, or it is not the agent of that Mac. Nothing irreversible is done on that Mac until it can. */
export class AgentUnavailable extends Error {
  override readonly name = 'AgentUnavailable';

  constructor(readonly serial: string, why: string, options?: { cause?: unknown }) {
    super(`the agent of Mac ${serial} cannot be asked: ${why}`, options);
  }
}

/** Asks agents live, before a step that cannot be taken back. */
export interface AgentReader {
  /** @throws AgentUnavailable when it does not answer in time, its certificate is not of that Mac, or it names another serial */
  read(mac: MacNode): Promise<AgentState>;
}
