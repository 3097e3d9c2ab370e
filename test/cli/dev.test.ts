import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../cli/demo/wait';
import { connect } from '../../sdk/client';
import { Kinds } from '../../sdk/api';
import { macrack, type Run } from './command';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

describe('macrack dev', () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-dev-'));
  let run: Run;

  beforeAll(async () => {
    run = macrack('dev', '--macs', '2', '--class', 'pro', '--dir', directory);
    await until('the plane is up', () => Promise.resolve(run.printed().includes('Ctrl-C') ? true : undefined), 60);
  }, 90_000);

  afterAll(() => {
    run.child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  it('serves the Macs that were asked for', async () => {
    const plane = await connect({ configPath: join(directory, 'admin.kubeconfig') });
    const { items } = await plane.list(Kinds.MacNode);
    plane.close();
    expect(items.map((mac) => `${mac.metadata.name} ${mac.spec.class}`).sort()).toEqual(['sim0001 pro', 'sim0002 pro']);
  });

  it('prints and logs no token', () => {
    const token = /token: (\S+)/.exec(readFileSync(join(directory, 'tenant-a.kubeconfig'), 'utf8'))?.[1] ?? '';
    expect(token.length).toBeGreaterThan(20);
    expect(run.printed()).not.toContain(token);
    const log = readFileSync(join(directory, 'plane.log'), 'utf8');
    expect(log).not.toContain(token);
  });

  (hasKubectl ? it : it.skip)('answers kubectl with the columns that support reads', () => {
    const table = execFileSync('kubectl', ['--kubeconfig', join(directory, 'tenant-a.kubeconfig'), 'get', 'macclasses', '--no-headers'], { encoding: 'utf8' });
    expect(table.split('\n').find((line) => line.startsWith('pro'))?.split(/\s+/).slice(0, 3)).toEqual(['pro', '2', '2']);
  });

  it('ends with 0 on SIGTERM', async () => {
    run.child.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    expect({ code, labelled: stderr.includes('development plane: no compliance claim') }).toEqual({ code: 0, labelled: true });
  }, 60_000);
});

describe('the command line refuses', () => {
  it.each([
    [['dev', '--macs', '0'], '--macs takes a whole number from 1 to 500'],
    [['dev', '--macs', 'two'], '--macs takes a whole number from 1 to 500'],
    [['dev', '--class', 'ultra'], '--class takes base, pro, studio'],
    [['dev', '--port', '70000'], '--port takes a whole number from 0 to 65535'],
    [['lease'], "unknown command 'lease'"],
  ])('%j, naming what is allowed', async (args, sentence) => {
    const { code, stderr, stdout } = await macrack(...args).ended;
    expect({ code, told: stderr.includes(sentence), stdout }).toEqual({ code: 1, told: true, stdout: '' });
  }, 60_000);
});
