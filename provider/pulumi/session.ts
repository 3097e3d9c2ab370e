import { connect } from '../../sdk/client/connect';
import type { ConnectOptions } from '../../sdk/client/connect-options';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { processTimers, type Timers } from '../../sdk/client/timers';
import type { Core } from '../core/core';
import { Facts } from '../core/facts';
import type { Run } from '../core/run';
import { PULUMI } from '../core/wording';
import { connectOptionsOf, type ReadConfig } from './config';

/** What a process of Pulumi shares: the way to the control plane, and what this run has declared. */
export interface Session {
  readonly core: Core & { readonly plane: ControlPlane };
  /** Of leases that name none: that of the stack configuration, else of the kubeconfig's context. */
  readonly namespace: string;
}

/** What a session rests on; the defaults are real. */
export interface SessionParts {
  readonly connect?: (options: ConnectOptions) => Promise<ControlPlane>;
  readonly timers?: Timers;
}

/** Prepares the way to the control plane; nothing is asked yet. Rejects with ConnectionError. */
export async function openSession(read: ReadConfig, run: Run, parts: SessionParts = {}): Promise<Session> {
  const plane = await (parts.connect ?? connect)(connectOptionsOf(read));
  return {
    core: { plane, facts: new Facts(plane), run, timers: parts.timers ?? processTimers, wording: PULUMI },
    namespace: read('namespace') ?? plane.namespace,
  };
}
