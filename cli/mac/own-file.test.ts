import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '../../sdk/rules/instant';
import { bootstrapKubeconfig } from './bootstrap-kubeconfig';
import { OwnFile } from './own-file';

let directory: string;
beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'own-file-')); });
afterEach(() => { rmSync(directory, { recursive: true }); });

const kubeconfig = (id: string): string => bootstrapKubeconfig('https://10.0.0.1:6443', 'ca', { id, secret: 'secret', expiresAt: instant(0) });

function write(path: string, text: string): void {
  const file = OwnFile.prepare(path);
  file.write(text);
  file.discard();
}

describe('the file of an enrolment', () => {
  it('is for its owner alone, and takes the place of an earlier one', () => {
    const path = join(directory, 'c02a.kubeconfig');
    for (const id of ['abc123', 'def456']) write(path, kubeconfig(id));
    expect(readFileSync(path, 'utf8')).toBe(kubeconfig('def456'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['c02a.kubeconfig']);
  });

  it('leaves nothing behind when nothing was written', () => {
    OwnFile.prepare(join(directory, 'c02a.kubeconfig')).discard();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("never takes the place of another file: the administrator's own kubeconfig would be lost", () => {
    const path = join(directory, 'config');
    writeFileSync(path, 'current-context: admin\n');
    symlinkSync(path, join(directory, 'link'));
    for (const other of [path, join(directory, 'link'), directory]) {
      expect(() => OwnFile.prepare(other)).toThrow(`--out ${other} is there already, and no file of an earlier enrolment: choose another file, or move it away`);
    }
    expect(readFileSync(path, 'utf8')).toBe('current-context: admin\n');
  });

  it('is known to be writable before there is a secret', () => {
    const path = join(directory, 'absent', 'c02a.kubeconfig');
    expect(() => OwnFile.prepare(path)).toThrow(`--out ${path} cannot be written (ENOENT): nothing was changed`);
  });
});
