import { AuditUnavailable, type AuditLog } from '../../operator/audit/audit-log';
import { readSqliteAuditLog } from '../../operator/audit/sqlite-audit-log';

export type Print = (line: string) => void;
export const toStandardOutput: Print = (line) => void process.stdout.write(`${line}\n`);

/** Reads the record of a file. @throws Error in one sentence where there is none, or it is something else */
export async function withRecord<T>(file: string, use: (record: Pick<AuditLog, 'rows' | 'proveFleet'>) => Promise<T>): Promise<T> {
  try {
    const record = readSqliteAuditLog(file);
    return await use(record).finally(() => record.close());
  } catch (error) {
    if (!(error instanceof AuditUnavailable)) throw error;
    throw new Error(`${file} cannot be read as an audit record: ${(error.cause as Error).message}`, { cause: error });
  }
}
