export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Goes to Terraform's own log (`TF_LOG`), never to the terminal. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Lines of JSON in the form that Terraform reads from the stderr of a provider. */
export function hclog(write: (line: string) => void): Log {
  return (level, message, fields = {}) => write(`${JSON.stringify({ ...fields, '@level': level, '@message': message, '@module': 'macrack' })}\n`);
}
