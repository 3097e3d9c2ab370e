import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { noMarker, walkMarker, type WalkMarker } from './walk-marker';

// Field 22 of the line; the command's name before it may hold spaces and parentheses.
function startFromProcfs(pid: number): string {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function startOf(pid: number): string {
  try {
    return startFromProcfs(pid);
  } catch {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim().replaceAll(/[^A-Za-z0-9]+/g, '-');
  }
}

/** Marks of the terraform command that started this process; none where it cannot be told from others. */
export function markerOfCommand(): WalkMarker {
  try {
    const start = startOf(process.ppid);
    return start === '' ? noMarker : walkMarker(join(tmpdir(), `macrack-terraform-${userInfo().uid}`), `${process.ppid}-${start}`);
  } catch {
    return noMarker;
  }
}
