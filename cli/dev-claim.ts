import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Two planes in one directory would write each other's kubeconfigs. The message names the one that runs. */
export class DirectoryInUse extends Error {}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownerOf(file: string): number | undefined {
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return Number.isInteger(pid) && pid !== process.pid && isAlive(pid) ? pid : undefined;
}

/**
 * Takes a directory for the plane of this process. What a killed process left is taken over.
 * @returns gives it back
 * @throws DirectoryInUse while another process has it
 */
export function claimDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'plane.pid');
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = ownerOf(file);
    if (owner !== undefined) throw new DirectoryInUse(`a plane runs in ${directory} already (process ${owner}). End that one, or choose another directory with --dir.`);
    writeFileSync(file, String(process.pid));
  }
  return () => rmSync(file, { force: true });
}
