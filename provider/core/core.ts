import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Timers } from '../../sdk/client/timers';
import type { Facts } from './facts';
import type { Run } from './run';
import type { Wording } from './wording';

/** What all verbs of one run share. */
export interface Core {
  /** null while its address is not known. */
  readonly plane: ControlPlane | null;
  readonly facts: Facts;
  readonly run: Run;
  readonly timers: Timers;
  readonly wording: Wording;
}

/** One call of the tool. */
export interface Call {
  /** Aborted when the tool is interrupted. */
  readonly signal: AbortSignal;
  /** Calls of this process that wait for others, without this one. */
  readonly waiting: number;
  /** Ends when no other call has worked for a short while, when `wake` resolves, or when the tool is interrupted. */
  quiet(wake: Promise<unknown>): Promise<'quiet' | 'woken' | 'stopped'>;
}

/** How long each kind of waiting may take, in milliseconds. */
export interface Patience {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** What a create waits for a Mac, an update for the operator, and a delete for the release (its margin included). */
export const DEFAULT_PATIENCE: Patience = { create: 600_000, update: 300_000, delete: 600_000 };
