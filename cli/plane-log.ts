import { join } from 'node:path';
import pino, { type Logger } from 'pino';

/** JSON lines of operator and agents, in `plane.log` of a directory: a terminal is for what its user asked. */
export function planeLog(directory: string): { readonly logger: Logger; readonly file: string } {
  const file = join(directory, 'plane.log');
  return { logger: pino({ level: 'debug' }, pino.destination({ dest: file, mkdir: true, sync: true })), file };
}
