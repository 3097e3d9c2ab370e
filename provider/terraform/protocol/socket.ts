import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A place for a unix socket that only this user can reach. */
export interface SocketPlace {
  readonly path: string;
  remove(): void;
}

/** The shortest limit of the systems we run on (macOS), less the final zero byte. */
const LONGEST_PATH = 103;

/** A fresh directory of mode 0700: the permission of the socket itself is not honoured everywhere. */
export function makeSocketPlace(parent = tmpdir()): SocketPlace {
  const room = join(parent, 'macrack-provider-XXXXXX', 's').length <= LONGEST_PATH ? parent : '/tmp';
  const directory = mkdtempSync(join(room, 'macrack-provider-'));
  return { path: join(directory, 's'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}
