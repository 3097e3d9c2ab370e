import type { MacOSInstance, MacOSInstanceStatus, Pod } from '../../../sdk/api';
import type { AuditEvent } from '../../audit/audit-log';
import type { Wanted } from '../engine/status-diff';

/** The steps of an instance. Each makes one write on the server, some with a row before it. */
export type InstanceStep =
  | { readonly do: 'Adopt'; readonly instance: MacOSInstance }
  /** `event` is recorded first: stored once, so a kill between the two costs nothing. */
  | { readonly do: 'WriteStatus'; readonly instance: MacOSInstance; readonly status: Wanted<MacOSInstanceStatus>; readonly reversible: boolean; readonly event?: AuditEvent }
  | { readonly do: 'PatchNode'; readonly patch: object }
  | { readonly do: 'CreatePod'; readonly instance: MacOSInstance; readonly slot: number }
  | { readonly do: 'DeletePod'; readonly pod: Pod }
  | { readonly do: 'DropFinalizer'; readonly instance: MacOSInstance };
