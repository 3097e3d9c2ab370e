import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';

/** JSON lines of operator and agents, in `plane.log` of a directory: a terminal is for what its user asked. */
export function planeLog(directory: string): { readonly logger: Logger; readonly file: string } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'plane.log');
  return { logger: pino({ level: 'debug' }, pino.destination({ dest: file, sync: true, mode: 0o600 })), file };
}
