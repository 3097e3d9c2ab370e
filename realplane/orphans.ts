import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './processes';

const PREFIX = 'macrack-real-plane-';
const OWNER = 'owner';

/** A new directory for a plane, which is known to belong to this process. Servers are started with it in their arguments. */
export function planeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(directory, OWNER), String(process.pid));
  return directory;
}

// Only where the kernel shows the command line is it certain that a process id still means our server.
function serversOf(directory: string): number[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1).some((arg) => arg.includes(`${directory}/`));
    } catch {
      return false; // It ended meanwhile, or is another user's.
    }
  });
}

function isAbandoned(directory: string): boolean {
  try {
    return !isAlive(Number(readFileSync(join(directory, OWNER), 'utf8')));
  } catch {
    return false; // Its suite has just made it, or removes it now.
  }
}

// Another suite that starts now may have been quicker.
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

/** Ends the servers of suites that were killed before they could, and removes their directories. */
export function endOrphans(): void {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name));
  for (const directory of directories.filter(isAbandoned)) {
    for (const pid of serversOf(directory)) endNow(pid);
    rmSync(directory, { recursive: true, force: true });
  }
}
