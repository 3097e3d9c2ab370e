import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerProgram } from './program';

describe('the program that the launcher runs', () => {
  const dist = mkdtempSync(join(tmpdir(), 'macrack-program-'));
  const folder = join(dist, 'provider', 'terraform');
  const write = (path: string, seconds: number): void => {
    writeFileSync(path, '');
    utimesSync(path, seconds, seconds);
  };

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    write(join(folder, 'tsconfig.tsbuildinfo'), 1000);
  });
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  it('is main.js while there is no bundle', () => {
    expect(providerProgram(dist)).toBe(join(folder, 'main.js'));
  });

  it('is the bundle that was made after the build', () => {
    write(join(folder, 'bundle.js'), 2000);
    expect(providerProgram(dist)).toBe(join(folder, 'bundle.js'));
  });

  it('is main.js again when the code was built after the bundle', () => {
    write(join(folder, 'tsconfig.tsbuildinfo'), 3000);
    expect(providerProgram(dist)).toBe(join(folder, 'main.js'));
  });
});
