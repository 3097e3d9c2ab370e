import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DurableSimMac } from '../../../agent/drivers/sim';
import { MacRecorder } from './mac-recorder';

const SERIAL = 'c02rec';
const moment = (running: readonly (string | undefined)[], disks: readonly string[]) => ({ serial: SERIAL, running, disks });

describe('what a simulated Mac writes down', () => {
  let directory: string;
  let path: string;
  let mac: DurableSimMac;
  let recorder: MacRecorder;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-recorder-'));
    path = join(directory, 'sim.sqlite');
    mac = new DurableSimMac(path);
    recorder = new MacRecorder(SERIAL, path);
  });
  afterEach(() => {
    recorder.close();
    mac.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is every moment in order, also of machines that have come and gone between two looks', async () => {
    mac.createBundle('macrack-a');
    await mac.boot('macrack-a');
    await mac.shutDown('macrack-a', 0);
    mac.deleteBundle('macrack-a');
    expect(recorder.moments()).toEqual([moment([], ['a']), moment(['a'], ['a']), moment([], ['a']), moment([], ['a']), moment([], [])]);
    expect(recorder.starts()).toEqual([{ serial: SERIAL, instanceUID: 'a' }]);
  });

  it('has machines that are none of ours, which are nobody\'s start', async () => {
    mac.createBundle('by-hand');
    await mac.boot('by-hand');
    expect(recorder.moments().at(-1)).toEqual(moment([undefined], []));
    expect(recorder.starts()).toEqual([]);
  });

  it('knows each start of a machine that was started twice, and reads on where it has read', async () => {
    mac.createBundle('macrack-a');
    await mac.boot('macrack-a');
    expect(recorder.starts()).toHaveLength(1);
    mac.end('macrack-a');
    await mac.boot('macrack-a');
    expect(recorder.starts()).toHaveLength(2);
    expect(recorder.moments().map(({ running }) => running.length)).toEqual([0, 1, 0, 1]);
  });

  it('is what a kernel that counts too few lets run', async () => {
    mac.set({ leaked: -1 });
    for (const name of ['macrack-a', 'macrack-b', 'macrack-c']) {
      mac.createBundle(name);
      await mac.boot(name);
    }
    expect(recorder.moments().at(-1)?.running).toHaveLength(3);
  });

  it('has what another process did before it was killed, and not what that had only begun', () => {
    const act = `const db = new (require('better-sqlite3'))(process.argv[1]);
      db.prepare('INSERT INTO bundles VALUES (?, ?, ?)').run('macrack-a', 'id', 'mac');
      db.exec("BEGIN IMMEDIATE; INSERT INTO bundles VALUES ('macrack-b', 'id', 'mac')");
      process.kill(process.pid, 'SIGKILL');`;
    expect(spawnSync(process.execPath, ['-e', act, path], { cwd: __dirname }).signal).toBe('SIGKILL');
    expect(recorder.moments()).toEqual([moment([], ['a'])]);
  });
});
