import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomInt } from 'node:crypto';
import { isAlive } from './processes';

// Below the range from which Linux takes ports for outgoing connections: those would otherwise be taken between the look and the start.
const FIRST = 20_000;
const LAST = 32_000;
const reservations = join(tmpdir(), 'macrack-ports');

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function tryReserve(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function endStale(file: string): void {
  try {
    if (!isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export interface Ports {
  readonly numbers: readonly number[];
  release(): void;
}

/** Free ports of the loopback address that no other suite on this machine takes before `release`. */
export async function reservePorts(count: number): Promise<Ports> {
  mkdirSync(reservations, { recursive: true });
  const taken = new Map<number, string>();
  while (taken.size < count) {
    const port = randomInt(FIRST, LAST);
    const file = join(reservations, String(port));
    endStale(file);
    if (!tryReserve(file)) continue;
    if (await isFree(port)) taken.set(port, file);
    else rmSync(file, { force: true });
  }
  return { numbers: [...taken.keys()], release: () => [...taken.values()].forEach((file) => rmSync(file, { force: true })) };
}
