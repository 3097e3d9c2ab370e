import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSecretFiles } from './secret-files';

let directory: string;
beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'secret-files-')); });
afterEach(() => { rmSync(directory, { recursive: true }); });

describe('files with a secret', () => {
  it('are for their owner alone', () => {
    const out = join(directory, 'made');
    writeSecretFiles(out, { 'ca.crt': 'certificate', 'ca.key': 'key' });
    expect([out, ...readdirSync(out).map((name) => join(out, name))].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  });

  it('are all written or none, so that no key is taken for whole that is not', () => {
    expect(() => writeSecretFiles(directory, { 'ca.crt': 'certificate', 'missing/ca.key': 'key' })).toThrow(`${directory} cannot be written: ENOENT`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('never take the place of files that are there', () => {
    mkdirSync(join(directory, 'ca.key'));
    writeFileSync(join(directory, 'other'), '');
    expect(() => writeSecretFiles(directory, { 'ca.crt': 'certificate', 'ca.key': 'key' })).toThrow('ca.key is there already');
    expect(readdirSync(directory)).toEqual(['ca.key', 'other']);
  });
});
