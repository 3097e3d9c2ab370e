import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryJournal } from '../testing/rig';
import { Journal, type NewEntry } from './journal';
import type { RunFacts } from './line';
import { linesFile, type DurableLines } from './lines-file';

const run: RunFacts = { instanceUID: 'i', instance: 'vm', pod: 'ci-vm-0', podUID: 'p', leaseUID: 'l', bindingUID: 'b', tenant: 'tenant-a', graceSeconds: 120 };
const identity = { machineID: 'm', mac: '02:00:00:00:00:01' };
const entry = (event: NewEntry['event'], more: Partial<NewEntry> = {}): NewEntry => ({
  event, at: '2026-01-01T00:00:00Z', instanceUID: 'i', podUID: 'p', leaseUID: 'l', bindingUID: 'b', tenant: 'tenant-a', vmCount: 1, ...more,
});

describe('the durable journal', () => {
  let file: ReturnType<typeof temporaryJournal>;
  const opened: Journal[] = [];
  const open = async () => {
    const journal = await Journal.open(linesFile(file.path));
    opened.push(journal);
    return journal;
  };
  beforeEach(() => { file = temporaryJournal(); });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((journal) => journal.close()));
    file.remove();
  });

  async function writeTwo(): Promise<Journal> {
    const journal = await open();
    await journal.append('boot', { kind: 'StartIntent', run, identity });
    await journal.record('boot', entry('Started'));
    return journal;
  }

  it('is read back as it was written', async () => {
    const journal = await writeTwo();
    const again = await open();
    expect(again.fault).toBeUndefined();
    expect(again.ledger).toEqual(journal.ledger);
    expect(again.ledger.runs.get('p')).toMatchObject({ phase: 'Running', identity, startedAt: '2026-01-01T00:00:00Z' });
  });

  it('counts events without gaps, whatever lies between them, also when they are written at once', async () => {
    const journal = await open();
    await Promise.all([journal.record('boot', entry('Refused', { podUID: '1' })), journal.append('boot', { kind: 'Probe' }), journal.record('boot', entry('Refused', { podUID: '2' }))]);
    expect((await open()).ledger.tail.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('publishes the last 64 events', async () => {
    const journal = await open();
    for (let i = 0; i < 70; i += 1) await journal.record('boot', entry('Refused', { podUID: String(i) }));
    expect(journal.ledger.tail.map(({ seq }) => seq)).toEqual(Array.from({ length: 64 }, (_, i) => i + 7));
  });

  it('loses nothing but an unfinished last line, at whatever byte the power went', async () => {
    await writeTwo();
    const whole = readFileSync(file.path);
    const firstLine = whole.indexOf(0x0a) + 1;
    for (let bytes = 0; bytes < whole.length; bytes += 1) {
      writeFileSync(file.path, whole.subarray(0, bytes));
      const journal = await open();
      expect(journal.fault).toBeUndefined();
      expect(journal.ledger.lines).toBe(bytes < firstLine ? 0 : 1);
    }
  });

  it('writes on behind an unfinished line as if it were not there', async () => {
    await writeTwo();
    appendFileSync(file.path, '{"line":3,"bo');
    const journal = await open();
    await journal.record('boot', entry('Stopped', { reason: 'Crashed' }));
    const again = await open();
    expect(again.fault).toBeUndefined();
    expect(again.ledger.tail.map(({ seq, event }) => [seq, event])).toEqual([[1, 'Started'], [2, 'Stopped']]);
  });

  it.each([
    ['a line is missing', (lines: string[]) => lines.slice(1)],
    ['a line is no JSON', (lines: string[]) => ['garbage', ...lines.slice(1)]],
    ['a line is there twice', (lines: string[]) => [lines[0] ?? '', ...lines]],
  ])('is damaged, and takes no more lines, when %s', async (_what, damage) => {
    await writeTwo();
    writeFileSync(file.path, damage(readFileSync(file.path, 'utf8').split('\n')).join('\n'));
    const journal = await open();
    expect(journal.fault?.reason).toBe('JournalDamaged');
    await expect(journal.append('boot', { kind: 'Probe' })).rejects.toMatchObject({ fault: { reason: 'JournalDamaged' } });
  });

  it('is unwritable until a line is on the disk again, and never knows of a line that is not', async () => {
    const lines: string[] = [];
    let isFull = true;
    const store: DurableLines = { read: () => Promise.resolve([]), append: (line) => (isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : Promise.resolve(void lines.push(line))), close: () => Promise.resolve() };
    const journal = await Journal.open(store);
    await expect(journal.record('boot', entry('Started'))).rejects.toMatchObject({ fault: { reason: 'JournalUnwritable' } });
    expect([journal.fault?.message, journal.ledger.seq]).toEqual(['ENOSPC: no space left on device', 0]);
    isFull = false;
    await journal.record('boot', entry('Refused'));
    expect([journal.fault, journal.ledger.seq, lines.length]).toEqual([undefined, 1, 1]);
  });

  it('forgets a leak with the boot in which it was found', async () => {
    const journal = await open();
    await journal.record('boot', entry('Refused', { reason: 'KernelLimit' }), { leaked: 1 });
    expect([journal.ledger.leaked('boot'), journal.ledger.leaked('next boot')]).toEqual([1, 0]);
    expect((await open()).ledger.leaked('boot')).toBe(1);
  });

  it('counts no slot as leaked in which a machine runs', async () => {
    const journal = await open();
    await journal.record('boot', entry('Refused', { podUID: 'other' }), { leaked: 1 });
    await journal.append('boot', { kind: 'StartIntent', run, identity });
    await journal.record('boot', entry('Started', { vmCount: 2 }));
    expect(journal.ledger.leaked('boot')).toBe(0);
  });
});
