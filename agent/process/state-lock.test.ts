import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockState } from './state-lock';

describe('the lock of a state directory', () => {
  let directory: string;
  beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'macrack-lock-')); });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is one agent\'s at a time, and free again when that gives it up', async () => {
    const unlock = await lockState(directory);
    await expect(lockState(directory)).rejects.toThrow(`another agent runs with the state directory ${directory}: one Mac has one agent`);
    unlock();
    (await lockState(directory))();
  });

  it('is not to be had in a directory that is none, and says so', async () => {
    writeFileSync(join(directory, 'file'), '');
    await expect(lockState(join(directory, 'file'))).rejects.toThrow(/the state directory .* cannot be locked/);
  });
});
