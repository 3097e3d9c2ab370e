import type { AuditLog } from '../../audit/audit-log';
import type { Check } from './check';
import { bad, Fault, GOOD } from './finding';

export function auditCheck(audit: Pick<AuditLog, 'writable'>): Check {
  return {
    name: 'audit', halts: false, everyMs: 5_000,
    look: async () => (await audit.writable() ? GOOD : bad(Fault.AuditUnavailable, 'the audit record cannot be written. Nothing is bound, started or released until it can; running machines stay. Look at the disk of the audit file.')),
  };
}
