import { join } from 'node:path';
import pino, { type Logger } from 'pino';

/** Logs of a suite go to a file in its directory: a failing test prints where it is, a passing one stays quiet. */
export function fileLogger(directory: string): Logger {
  return pino({ level: 'debug' }, pino.destination({ dest: join(directory, 'plane.log'), mkdir: true, sync: true }));
}
