import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../cli/pulumi/outcome';
import { Workspace, worked } from '../../../cli/pulumi/workspace';
import { asking } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { observePeak } from './memory';
import { stackLines } from './stack-traces';

interface Access {
  readonly host: string;
  readonly token: string;
  readonly ca: string;
}

function accessIn(kubeconfig: string): Access {
  const text = readFileSync(kubeconfig, 'utf8');
  const field = (name: string): string => new RegExp(`"?${name}"?: "?([^"\\s,]+)`).exec(text)?.[1] ?? '';
  return { host: field('server'), token: field('token'), ca: Buffer.from(field('certificate-authority-data'), 'base64').toString() };
}

describePulumi('the configuration of a stack', { macs: macs(5), tenants: 14 }, (suite) => {
  /** A stack whose configuration names no kubeconfig, on a machine that has none. */
  const bare = (name: string, lines: readonly string[] = [lease('ci'), lease('more')]): PulumiProject => {
    const dir = join(suite().directory, 'programs', name);
    return new PulumiProject(new Workspace({ engine: suite().engine, dir, project: name, home: join(suite().directory, 'home'), env: { HOME: dir } })).program(...lines);
  };
  const errorsOf = (project: PulumiProject, run: Outcome) => project.errors(run).map(({ message }) => message);

  describe('that leads to no control plane', () => {
    it('is one sentence, with what to set, in a preview and in an update', async () => {
      const project = bare('nowhere');
      for (const run of [await project.preview(), await project.upWithoutPreview()]) {
        expect({ code: run.code, stack: stackLines(run) }).toEqual({ code: 1, stack: [] });
        expect(errorsOf(project, run)).toEqual([expect.stringMatching(/NotConnected: .*`pulumi config set macrack:kubeconfig PATH`.*macrack:host with macrack:token\. Nothing was asked of any server\.$/)]);
      }
      expect(await project.state()).toEqual({});
    });

    it('names the kubeconfig that does not exist', async () => {
      const project = suite().project(suite().tenant(), 'lost', '/nowhere/kubeconfig').program(lease('ci'));
      const run = await project.preview();
      expect([run.code, errorsOf(project, run)]).toEqual([1, [expect.stringContaining('kubeconfig /nowhere/kubeconfig does not exist')]]);
    });

    it('quotes nothing of a kubeconfig that is none', async () => {
      const path = join(suite().directory, 'broken.kubeconfig');
      writeFileSync(path, 'users: [ {token: s3cr3t\n');
      const project = suite().project(suite().tenant(), 'broken', path).program(lease('ci'));
      const run = await project.preview();
      expect([run.code, errorsOf(project, run)]).toEqual([1, [expect.stringContaining('is not YAML: see line 2')]]);
      expect(`${run.stdout}${run.stderr}`).not.toContain('s3cr3t');
    });
  });

  describe('that holds a credential', () => {
    const program = [lease('ci'), instance('vm', 'ci')];

    it.each([
      ['a token', 'token', ({ host, token }: Access) => ({ 'macrack:host': host, 'macrack:token': token })],
      ['the text of a kubeconfig', 'kubeconfig', (_access: Access, text: string) => ({ 'macrack:kubeconfig': text })],
    ] as const)('refuses %s that is not secret, in one sentence that does not show it', async (_what, key, valuesOf) => {
      const tenant = suite().tenant();
      const project = bare(`clear-${key}`);
      await project.workspace.configure(valuesOf(accessIn(tenant.kubeconfig), readFileSync(tenant.kubeconfig, 'utf8')));
      const { result: run, requests } = await asking(suite(), tenant.namespace, () => project.preview());
      expect({ code: run.code, requests, stack: stackLines(run) }).toEqual({ code: 1, requests: [], stack: [] });
      expect(errorsOf(project, run)).toEqual([expect.stringContaining(`macrack:${key} is a credential and is not secret`)]);
      expect(errorsOf(project, run)[0]).toContain(`pulumi config set --secret macrack:${key}`);
      expect(errorsOf(project, run)[0]).not.toContain(accessIn(tenant.kubeconfig).token);
    });

    it.each([
      ['a path', ({ kubeconfig }: TestTenant) => [{ 'macrack:kubeconfig': kubeconfig }, {}]],
      ['a secret kubeconfig', ({ kubeconfig }: TestTenant) => [{}, { 'macrack:kubeconfig': readFileSync(kubeconfig, 'utf8') }]],
      ['a host and a secret token', ({ kubeconfig, namespace }: TestTenant) => {
        const { host, token, ca } = accessIn(kubeconfig);
        return [{ 'macrack:host': host, 'macrack:clusterCaCertificate': ca, 'macrack:namespace': namespace }, { 'macrack:token': token }];
      }],
    ] as const)('as %s has it neither in the state nor in what is printed', async (what, valuesOf) => {
      const tenant = suite().tenant();
      const { token } = accessIn(tenant.kubeconfig);
      const project = bare(`of-${what.replaceAll(/\W/g, '-')}`, program);
      const [plain, secret] = valuesOf(tenant);
      await project.workspace.configure(plain as Record<string, string>, secret);
      const runs = [await project.preview('--show-config', '--show-sames'), await project.updated(), worked(await project.preview('--expect-no-changes'))];
      const { stdout: exported } = await project.workspace.must('stack', 'export');
      expect(token.length).toBeGreaterThan(8);
      for (const text of [exported, ...runs.map(({ stdout, stderr }) => `${stdout}${stderr}`)]) expect(text).not.toContain(token);
      expect(Object.keys(await project.state()).sort()).toEqual(['ci', 'vm']);
    });
  });

  it('that names another endpoint or context changes no resource', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(lease('moving'));
    await project.updated();
    const { host, token, ca } = accessIn(tenant.kubeconfig);
    const copy = join(suite().directory, 'copy.kubeconfig');
    writeFileSync(copy, readFileSync(tenant.kubeconfig));
    await project.workspace.configure({ 'macrack:kubeconfig': copy, 'macrack:context': tenant.namespace });
    worked(await project.preview('--expect-no-changes'));
    await project.workspace.configure({ 'macrack:host': host.replace('127.0.0.1', 'localhost'), 'macrack:clusterCaCertificate': ca, 'macrack:namespace': tenant.namespace }, { 'macrack:token': token });
    expect(actions(worked(await project.preview()))).toEqual({});
  });

  it('with a default namespace moves no lease that is in the state', async () => {
    const [tenant, other] = [suite().tenant(), suite().tenant()];
    const project = suite().project(tenant).program(lease('staying'));
    await project.updated();
    await project.workspace.configure({ 'macrack:namespace': other.namespace });
    expect(actions(worked(await project.preview()))).toEqual({});
  });

  it('run by a Pulumi that knows no hooks is refused in one sentence that names the version', async () => {
    const project = suite().project(suite().tenant(), 'old').files([
      'require("@pulumi/pulumi/runtime/state").getStore().supportsResourceHooks = false;',
      'const macrack = require("macrack/pulumi");', lease('ci'),
    ].join('\n'));
    const started = await project.workspace.start('preview', '--json');
    const { run, bytes } = await observePeak(started);
    expect({ code: run.code, stack: stackLines(run), errors: errorsOf(project, run) }).toEqual({ code: 1, stack: [], errors: [expect.stringMatching(/MacRack needs Pulumi 3\.187\.0 or later.*Update the Pulumi CLI/)] });
    expect(bytes).toBeLessThan(1 << 30);
  });

  it('of a control plane without the lease that a lookup names is one sentence, at little cost', async () => {
    const project = suite().project(suite().tenant(), 'lookup').program('module.exports = macrack.getMacNodeLease({ name: "none" }).then((found) => ({ phase: found.phase }));');
    const { run, bytes } = await observePeak(await project.workspace.start('preview', '--json'));
    expect({ code: run.code, stack: stackLines(run), errors: errorsOf(project, run) }).toEqual({ code: 1, stack: [], errors: [expect.stringContaining('LeaseNotFound')] });
    expect(bytes).toBeLessThan(1 << 30);
  });
});
