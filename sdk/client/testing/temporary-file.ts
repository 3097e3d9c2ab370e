import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a file into a new directory and returns its path. */
export function temporaryFile(name: string, content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'macrack-client-')), name);
  writeFileSync(path, content);
  return path;
}
