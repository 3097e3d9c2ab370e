import type { ControlPlane } from '../../sdk/client/control-plane';
import type { AgentReader } from '../../sdk/client/agent-reader';
import type { AuditLog } from '../audit/audit-log';
import type { Stores } from './engine/stores';

/** Where the operator says what people should know. The shape of a pino logger. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What every reconciler works with. */
export interface Context {
  readonly plane: ControlPlane;
  /** Asks Macs live. */
  readonly agents: AgentReader;
  readonly audit: AuditLog;
  readonly stores: Stores;
  readonly log: Log;
}
