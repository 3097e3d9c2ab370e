import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { walkMarker, type WalkMarker } from './walk-marker';

describe('the marks that the processes of one command leave each other', () => {
  let home: string;
  beforeEach(() => { home = mkdtempSync(join(tmpdir(), 'macrack-walk-')); });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  // A new object stands for a new process: they share nothing but the files.
  const process = (command = `${globalThis.process.pid}-1`) => walkMarker(home, command);

  it('tell the process that plans from the one that applies', () => {
    process().validated();
    expect(process().configured('a')).toBe('preview');
    expect(process().configured('a')).toBe('apply');
  });

  it('know that a saved plan is applied without a validation', () => {
    expect(process().configured('a')).toBe('apply');
  });

  it('keep the aliases of a provider apart', () => {
    process().validated();
    expect([process().configured('a'), process().configured('b')]).toEqual(['preview', 'preview']);
  });

  it('tell a process that plans whether another one was configured, also with the same arguments', () => {
    const [self, alias] = [1, 2].map((pid) => walkMarker(home, `${globalThis.process.pid}-1`, String(pid))) as [WalkMarker, WalkMarker];
    self.validated();
    self.configured('a');
    expect(self.isAlone()).toBe(true);
    alias.configured('a');
    expect(self.isAlone()).toBe(false);
  });

  it('keep commands apart, and forget those that have ended', () => {
    mkdirSync(join(home, '999999999-1'));
    process().validated();
    expect(readdirSync(home)).toEqual([`${globalThis.process.pid}-1`]);
    expect(process(`${globalThis.process.pid}-2`).configured('a')).toBe('apply');
  });

  it('hold no secret', () => {
    process().validated();
    process().configured('token=hunter2');
    expect(readdirSync(join(home, `${globalThis.process.pid}-1`)).join()).not.toContain('hunter2');
  });

  it('say nothing where they cannot be written', () => {
    const blocked = join(home, 'file');
    writeFileSync(blocked, '');
    const marker = walkMarker(blocked, '1-1');
    expect(() => marker.validated()).not.toThrow();
    expect(marker.configured('a')).toBe('apply');
  });
});
