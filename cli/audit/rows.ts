import type { AuditRow, AuditType, RowFilter } from '../../operator/audit/audit-log';
import { formatInstant } from '../../sdk/rules/instant';
import { toStandardOutput, withRecord, type Print } from './with-record';

export interface RowsOptions {
  readonly file: string;
  readonly serial?: string;
  readonly lease?: string;
  readonly type?: AuditType;
}

const lineOf = (row: AuditRow): string => JSON.stringify({ ...row, at: formatInstant(row.at) });

/** Prints rows of the record. @throws Error where there is none */
export async function rows({ file, serial, lease, type }: RowsOptions, print: Print = toStandardOutput): Promise<void> {
  const filter: RowFilter = { ...(serial !== undefined && { serial: serial.toLowerCase() }), ...(lease !== undefined && { leaseUID: lease }), ...(type !== undefined && { type }) };
  const found = await withRecord(file, (record) => record.rows(filter));
  for (const row of found) print(lineOf(row));
}
