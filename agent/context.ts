import type { Logger } from 'pino';
import type { ControlPlane } from '../sdk/client/control-plane';
import type { AgentClock } from './clock';
import type { Hypervisor } from './driver';
import type { Gate } from './gate';
import type { Journal } from './journal/journal';
import type { KeyedMutex, Mutex } from './mutex';
import type { PodCache } from './pods/pod-cache';

/** What the steps of an agent work with. */
export interface Context {
  readonly plane: ControlPlane;
  /** Lower case; the name of the MacNode and of the claim. */
  readonly serial: string;
  /** Name of the Node. */
  readonly node: string;
  readonly hypervisor: Hypervisor;
  readonly journal: Journal;
  readonly clock: AgentClock;
  readonly gate: Gate;
  readonly pods: PodCache;
  /** Held while a machine is started and while disks are deleted: never two starts at once, and no disk goes under a start. */
  readonly startLock: Mutex;
  /** By instance: a stop that was meant for a former machine never hits the next one. */
  readonly machineLock: KeyedMutex;
  readonly log: Logger;
  /** `https://host:port` of the agent's API; undefined while it is not served. */
  readonly endpoint: () => string | undefined;
  /** Something that the status shows has changed. */
  readonly changed: () => void;
}
