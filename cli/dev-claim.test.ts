import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory } from './dev-claim';

describe('a directory of a development plane', () => {
  let directory: string;
  beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'macrack-claim-')); });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is made where it is missing, taken, and given back', () => {
    const inner = join(directory, 'inner');
    claimDirectory(inner)();
    expect(existsSync(join(inner, 'plane.pid'))).toBe(false);
    claimDirectory(inner)();
  });

  it('is refused while the plane of another process has it, and taken over once that has ended', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(directory, 'plane.pid'), String(other.pid));
    expect(() => claimDirectory(directory)).toThrow(`a plane runs in ${directory} already (process ${other.pid ?? 0})`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(() => claimDirectory(directory)).not.toThrow();
  });
});
