import type { MacNodeLeaseStatus } from '../../../sdk/api';
import type { Wanted } from '../engine/status-diff';

/** The steps of a lease. Each makes one write on the server, or one row. */
export type LeaseStep =
  | { readonly do: 'AddFinalizer' }
  | { readonly do: 'WriteStatus'; readonly status: Wanted<MacNodeLeaseStatus>; readonly reversible: boolean }
  | { readonly do: 'Claim'; readonly serial: string }
  | { readonly do: 'BackToPending'; readonly serial: string; readonly why: string }
  | { readonly do: 'PatchNode'; readonly patch: object }
  | { readonly do: 'RecordBound' }
  | { readonly do: 'RecordHeld' }
  | { readonly do: 'RecordReleased' }
  | { readonly do: 'RecordClaimLost' }
  | { readonly do: 'DropFinalizer' }
  | { readonly do: 'Remove' };
