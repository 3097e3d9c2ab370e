import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryFindEngine } from '../../cli/terraform/engine';
import { Workspace } from '../../cli/terraform/workspace';
import { until } from '../../sdk/client/until';
import { describeRealPlane } from '../harness/real-plane-suite';
import { saying } from '../harness/saying';
import { macrack, macrackInForeground } from './command';

const engine = tryFindEngine();
const home = mkdtempSync(join(tmpdir(), 'macrack-dev-real-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The directory of the plane that a process has started. */
function planeOf(pid: number | undefined): string | undefined {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith('macrack-real-plane-')).map((name) => join(tmpdir(), name));
  return directories.find((directory) => {
    try {
      return readFileSync(join(directory, 'owner'), 'utf8') === String(pid);
    } catch {
      return false; // Of another suite, which has just made it or removes it now.
    }
  });
}

const processesWith = (text: string) => execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(`${text}/`));

describeRealPlane('macrack dev --real', () => {
  const directory = join(home, 'plane');
  const run = macrackInForeground('dev', '--real', '--macs', '1', '--class', 'pro', '--dir', directory);
  let plane = '';

  beforeAll(async () => {
    await until('the plane is up', () => Promise.resolve(run.printed().includes('Ctrl-C') ? true : undefined));
    plane = planeOf(run.child.pid) ?? '';
  });
  afterAll(() => {
    run.child.kill('SIGTERM');
  });

  it('answers the kubectl that it prints, with the Macs that were asked for', () => {
    const [, kubectl = '', kubeconfig = ''] = /^ {2}(\S+kubectl) --kubeconfig (\S+) get macclasses$/m.exec(run.printed()) ?? [];
    const table = execFileSync(kubectl, ['--kubeconfig', kubeconfig, 'get', 'macclasses', '--no-headers'], { encoding: 'utf8' });
    expect(table.split('\n').find((line) => line.startsWith('pro'))?.split(/\s+/).slice(0, 3)).toEqual(['pro', '1', '1']);
    expect(processesWith(plane).length).toBe(4);
  });

  // Only a real engine can read what is printed; with CI=true a skip is a failure.
  (engine === undefined ? it.skip : it)('plans what it prints', async () => {
    if (engine === undefined) return;
    const head = /main\.tf begins with:\n(.*?)\n {2}terraform plan/s.exec(run.printed())?.[1] ?? '';
    const workspace = new Workspace({ engine, dir: join(home, 'workspace'), cliConfig: /TF_CLI_CONFIG_FILE=(\S+)/.exec(run.printed())?.[1] ?? '' });
    workspace.write(`${head}\nresource "macrack_mac_node_lease" "ci" {\n  name = "ci"\n  class = "pro"\n}\n`);
    const { code, stdout, stderr } = await workspace.plan();
    expect({ code, said: `${stdout}${stderr}` }).toEqual({ code: 0, said: saying('Plan: 1 to add') });
  });

  it('says that there is no clock to move, and keeps what names tenants from other users of the machine', () => {
    expect(run.printed()).toEqual(saying('There is no clock to move'));
    expect(['plane.log', 'admin.kubeconfig', '.'].filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  it('ends everything on Ctrl-C, also on one that arrives twice, and leaves no process', async () => {
    run.interrupt();
    run.interrupt();
    const { code, signal } = await run.ended;
    expect({ code, signal, left: processesWith(plane), directory: existsSync(plane) }).toEqual({ code: 0, signal: null, left: [], directory: false });
  });

  it('ends everything also while it starts, and goes on from the directory of an earlier run', async () => {
    const early = macrackInForeground('dev', '--real', '--macs', '1', '--dir', directory);
    const begun = await until('a plane is being started', () => Promise.resolve(planeOf(early.child.pid)));
    early.interrupt();
    const { code, stdout } = await early.ended;
    expect({ code, stdout, left: processesWith(begun), directory: existsSync(begun) }).toEqual({ code: 0, stdout: '', left: [], directory: false });
  });
});

describe('macrack dev --real refuses', () => {
  it.each([
    [['--real', '--kubernetes-bin', home], `the real control plane is not here and cannot be built: ${home} lacks etcd, kube-apiserver, kube-scheduler, kube-controller-manager, kubectl`],
    [['--kubernetes-bin', home], 'dev: --kubernetes-bin goes with --real'],
    [['--real', '--port', '8443'], "option '--real' cannot be used with option '--port <port>'"],
    [['--real', '--data-dir', home], "option '--real' cannot be used with option '--data-dir <dir>'"],
  ])('%j in one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await macrack('dev', ...args).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: saying(sentence) });
  });
});
