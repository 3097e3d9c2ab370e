import { AuditType } from '../../operator/audit/audit-log';
import { tryParseInstant, type Instant } from '../../sdk/rules/instant';

/** Reads an instant. Throws RangeError. */
export function instantOf(text: string): Instant {
  const at = tryParseInstant(text);
  if (at === undefined) throw new RangeError(`takes an instant such as 2026-11-30T10:00:00Z, not ${JSON.stringify(text)}`);
  return at;
}

/** Reads the type of a row. Throws RangeError. */
export function auditType(text: string): AuditType {
  const found = Object.values(AuditType).find((type) => type.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new RangeError(`takes one of ${Object.values(AuditType).map((type) => JSON.stringify(type)).join(', ')}, not ${JSON.stringify(text)}`);
  return found;
}
