export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Goes to Terraform's own log (`TF_LOG`), never to the terminal. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
