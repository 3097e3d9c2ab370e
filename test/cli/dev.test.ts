import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../../sdk/client/until';
import { type Engine, tryFindEngine } from '../../cli/terraform/engine';
import { Workspace } from '../../cli/terraform/workspace';
import { connect } from '../../sdk/client';
import { Kinds } from '../../sdk/api';
import { saying } from '../harness/saying';
import { macrack, type Run } from './command';

const readme = resolve(__dirname, '..', '..', 'README.md');
const engine = tryFindEngine();
// Skipped on a machine without the tool that each drives, since only the real one can judge; with CI=true a skip is a failure.
const describeEngine = (name: string, tests: (found: Engine) => void) => (engine === undefined ? describe.skip(name, () => undefined) : describe(name, () => tests(engine)));
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

describe('macrack dev', () => {
  const home = mkdtempSync(join(tmpdir(), 'macrack-dev-'));
  const directory = join(home, 'plane');
  let run: Run;

  beforeAll(async () => {
    run = macrack('dev', '--macs', '2', '--class', 'pro', '--dir', directory);
    await until('the plane is up', () => Promise.resolve(run.printed().includes('Ctrl-C') ? true : undefined));
  });

  afterAll(() => {
    run.child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
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

  describeEngine('with the engine', (engine) => {
    const plan = async (name: string, hcl: string) => {
      const workspace = new Workspace({ engine, dir: join(directory, name), cliConfig: /TF_CLI_CONFIG_FILE=(\S+)/.exec(run.printed())?.[1] ?? '' });
      workspace.write(hcl);
      const { code, stdout, stderr } = await workspace.plan();
      return { code, said: `${stdout}${stderr}` };
    };

    it('plans what the README says to write, without an init', async () => {
      const block = /```hcl\n(.*?)```/s.exec(readFileSync(readme, 'utf8'))?.[1] ?? '';
      const hcl = block.replace('"tenant-a.kubeconfig"', JSON.stringify(join(directory, 'tenant-a.kubeconfig')));
      expect(await plan('readme', hcl)).toEqual({ code: 0, said: saying('Plan: 3 to add') });
    });

    it('plans what it prints', async () => {
      const head = /main\.tf begins with:\n(.*?)\n {2}terraform plan/s.exec(run.printed())?.[1] ?? '';
      const lease = 'resource "macrack_mac_node_lease" "ci" {\n  name = "ci"\n  class = "pro"\n}\n';
      expect(await plan('printed', `${head}\n${lease}`)).toEqual({ code: 0, said: saying('Plan: 1 to add') });
    });
  });

  it('keeps what names tenants from other users of the machine', () => {
    const readable = ['plane.log', 'admin.kubeconfig', '.'].filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0);
    expect(readable).toEqual([]);
  });

  it('says what to do when its port is taken', async () => {
    const port = /https:\/\/127\.0\.0\.1:(\d+)/.exec(run.printed())?.[1] ?? '';
    const { code, stderr } = await macrack('dev', '--port', port, '--dir', join(home, 'second')).ended;
    expect({ code, told: stderr.includes(`port ${port} of 127.0.0.1 is taken: choose another one`) }).toEqual({ code: 1, told: true });
  });

  it('ends with 0 on SIGTERM', async () => {
    run.child.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    expect({ code, labelled: stderr.includes('development plane: no compliance claim') }).toEqual({ code: 0, labelled: true });
  });
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
  });
});
