import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directories: string[] = [];

// Loaded at the head of a test file, so this is an afterAll of that file.
afterAll(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Writes a file into a new directory, which goes at the end of the test file, and returns its path. */
export function temporaryFile(name: string, content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-client-'));
  directories.push(directory);
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}
