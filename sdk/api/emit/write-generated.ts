import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_FOLDERS, generatedFiles } from './generated-files';

function removeStale(root: string, folder: string, wanted: ReadonlyMap<string, string>): void {
  for (const name of readdirSync(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (!wanted.has(path)) rmSync(join(root, path));
  }
}

/** Writes every generated file below `root` and removes what no schema makes any more. Returns the paths written. */
export function writeGenerated(root: string): string[] {
  const files = generatedFiles();
  for (const folder of GENERATED_FOLDERS) {
    mkdirSync(join(root, folder), { recursive: true });
    removeStale(root, folder, files);
  }
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  return [...files.keys()];
}
