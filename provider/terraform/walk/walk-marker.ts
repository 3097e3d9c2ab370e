import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Walk } from '../../core/run';

/**
 * What the provider processes of one terraform command leave each other. Terraform does not tell a planned create from the same one that
 * it plans again while it applies, but it starts its processes in a fixed order: one that only validates, then one that plans, then
 * one that applies; a saved plan is applied without the first two. (Seen with terraform 1.11.4.)
 */
export interface WalkMarker {
  /** This process validates resources without being configured. */
  validated(): void;
  /** This process is configured, with values that `identity` tells from those of other aliases. */
  configured(identity: string): Walk;
  /** For a process that plans: false once another one was configured, that of an alias. It may have ended by then: each ends with its last resource. */
  isAlone(): boolean;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function isAlive(entry: string): boolean {
  try {
    process.kill(Number.parseInt(entry, 10), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const PROCESS = 'process-';

function others(place: string, self: string): string[] {
  const marks = existsSync(place) ? readdirSync(place).filter((name) => name.startsWith(PROCESS)) : [];
  return marks.filter((name) => name !== `${PROCESS}${self}`);
}

function removeEnded(home: string): void {
  for (const entry of readdirSync(home).filter((name) => !isAlive(name))) rmSync(join(home, entry), { recursive: true, force: true });
}

/** True if this call made the file. */
function claim(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Keeps the marks in `home`, in a directory named after the process id of the command and its start. Without a writable place nothing is known. */
export function walkMarker(home: string, command: string, self = String(process.pid)): WalkMarker {
  const place = join(home, command);
  const validated = join(place, 'validated');
  return {
    validated() {
      try {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        removeEnded(home);
        claim(validated);
      } catch {
        // The marks only decide which process says a warning; a preview then says it wherever it may be one.
      }
    },
    configured(identity) {
      try {
        if (!existsSync(validated)) return 'apply';
        claim(join(place, `${PROCESS}${self}`));
        return claim(join(place, hash(identity))) ? 'preview' : 'apply';
      } catch {
        return 'unknown';
      }
    },
    isAlone() {
      try {
        return others(place, self).length === 0;
      } catch {
        return true;
      }
    },
  };
}

/** For a provider that is not started by the command that it serves. */
export const noMarker: WalkMarker = { validated: () => undefined, configured: () => 'unknown', isAlone: () => true };
