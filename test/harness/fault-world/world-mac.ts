import type { MacEyes } from '../invariants/mac-history';
import type { PlaneProxy } from './plane-proxy';

/** A Mac whose agent can be killed, cut off and started again. Its machines go on meanwhile. */
export interface WorldMac {
  readonly serial: string;
  /** Of its agent. */
  readonly user: string;
  readonly mac: MacEyes;
  /** All that its agent says and hears passes here. */
  readonly proxy: PlaneProxy;
  startAgent(): Promise<unknown>;
  /** Resolves when the agent that runs may start machines. */
  ready(): Promise<void>;
  killAgent(): Promise<void>;
  end(): Promise<void>;
}
