import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATIC_PLUGINS, staticFolder } from '../../realplane/static-admission';
import type { StaticFiles } from './static-files';

const isManifest = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

function manifestsIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => isManifest(name) && statSync(join(directory, name)).isFile());
}

/**
 * Writes the files below a directory, each whole at once, since an API server may be watching. All four directories of the plugins exist
 * afterwards: without one the API server does not start. Returns manifests that are there and are not among the files: they stay in force.
 */
export function writeStaticFiles(out: string, files: StaticFiles): string[] {
  const folders = STATIC_PLUGINS.map(staticFolder);
  for (const folder of folders) mkdirSync(join(out, folder), { recursive: true });
  for (const [path, text] of files) {
    writeFileSync(join(out, `${path}.new`), text);
    renameSync(join(out, `${path}.new`), join(out, path));
  }
  const written = new Set([...files.keys()].map((path) => path.split('/')[0]));
  return folders.filter((folder) => written.has(folder)).flatMap((folder) => manifestsIn(join(out, folder)).map((name) => join(folder, name))).filter((path) => !files.has(path));
}
