import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installMacrack } from '../../../cli/pulumi/install';
import { Workspace, worked } from '../../../cli/pulumi/workspace';
import { asking, claimsOf, instancesOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, nameOf, PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

const MANY = 100;

describePulumi('stacks', { macs: macs(12), tenants: 14 }, (suite) => {
  describe('of one namespace', () => {
    it('that update at once lease a Mac each, and neither sees the leases of the other as its own', async () => {
      const tenant = suite().tenant();
      const both = ['one', 'two'].map((name) => suite().project(tenant, name).program(lease(`ci-${name}`), instance(`vm-${name}`, `ci-${name}`)));
      await Promise.all(both.map((project) => project.updated()));
      expect(await phasesOfLeases(suite(), tenant)).toEqual({ 'ci-one': 'Bound', 'ci-two': 'Bound' });
      expect(await claimsOf(suite(), tenant)).toHaveLength(2);
      for (const project of both) {
        const run = worked(await project.preview('--expect-no-changes'));
        expect(project.warnings(run)).toEqual([]);
      }
    });

    it('share the slots of a lease: a third instance is refused whichever stack asks for it', async () => {
      const tenant = suite().tenant();
      await suite().project(tenant, 'owner').program(lease('ci'), instance('vm-1', 'ci'), instance('vm-2', 'ci')).updated();
      const guest = suite().project(tenant, 'guest').program(instance('vm-3', 'ci', { lease: `${tenant.namespace}/ci` }));
      const { result: run, writes } = await asking(suite(), tenant.namespace, () => guest.upWithoutPreview());
      expect({ code: run.code, writes }).toEqual({ code: 1, writes: [] });
      expect(new Set(guest.errors(run).map(({ reason, resource }) => `${reason} ${resource}`))).toEqual(new Set(['ThirdInstance vm-3']));
    });

    it('do not take the lease of another stack by its name; with `adopt` it is theirs', async () => {
      const tenant = suite().tenant();
      await suite().project(tenant, 'first').program(lease('ci')).updated();
      const second = suite().project(tenant, 'second').program(lease('ci'));
      for (const run of [await second.preview(), await second.upWithoutPreview()]) {
        expect([run.code, second.errors(run).map(({ reason, resource }) => [reason, resource])]).toEqual([1, [['AlreadyExists', 'ci']]]);
        expect(second.errors(run)[0]?.message).toMatch(/Set adopt: true to take it into this stack, or choose another name/);
      }
      const adopting = worked(await second.program(lease('ci', { adopt: true })).preview());
      expect(second.warnings(adopting).map(({ reason, resource }) => [reason, resource])).toEqual([['Adopts', 'ci']]);
      await second.updated();
      expect(await claimsOf(suite(), tenant)).toHaveLength(1);
    });
  });

  it('that are renamed keep what they have: the mark of the owner is written anew, and nothing else changes', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(lease('ci'), instance('vm', 'ci'));
    await project.updated();
    const before = (await instancesOnPlane(suite(), tenant))['vm']?.metadata.uid;
    const { dir } = project.workspace;
    await project.workspace.must('stack', 'rename', 'renamed');
    const renamed = new PulumiProject(new Workspace({ engine: suite().engine, dir, project: 'main', stack: 'renamed', home: join(suite().directory, 'home') }));
    const run = worked(await renamed.preview());
    expect({ planned: actions(run), errors: renamed.errors(run) }).toEqual({ planned: { ci: 'update', vm: 'update' }, errors: [] });
    await renamed.updated();
    worked(await renamed.preview('--expect-no-changes'));
    expect([(await instancesOnPlane(suite(), tenant))['vm']?.metadata.uid, await claimsOf(suite(), tenant)]).toEqual([before, [expect.any(String)]]);
  });

  describe(`with ${MANY} resources at fault`, () => {
    const sentences = (project: PulumiProject, run: Awaited<ReturnType<PulumiProject['preview']>>) => {
      const errors = project.errors(run).filter(({ reason }) => reason !== undefined);
      const checks = errors.filter(({ message }) => message.includes(' has a problem: '));
      return { code: run.code, resources: new Set(errors.map(({ resource }) => resource)).size, reasons: new Set(errors.map(({ reason }) => reason)), checks: checks.length, said: errors.length - checks.length };
    };
    const isQuiet = ({ stdout, stderr, diagnostics }: Awaited<ReturnType<PulumiProject['preview']>>) => !/Channel has been shut down|failed to deliver/.test(`${stdout}${stderr}${diagnostics.map(({ message }) => message).join('\n')}`);

    it.each(['leases', 'instances'] as const)('name each of the %s, at itself, in one preview that one check refuses', async (kind) => {
      const tenant = suite().tenant();
      const names = Array.from({ length: MANY }, (_, i) => `r-${i}`);
      const lines = kind === 'leases' ? names.map((name) => lease(name, { minimumDuration: '1h' })) : [lease('ci'), ...names.map((name) => instance(name, 'ci', { image: 'not an image' }))];
      const project = suite().project(tenant, kind).program(...lines);
      for (const run of [await project.preview(), await project.upWithoutPreview()]) {
        expect(sentences(project, run)).toMatchObject({ code: 1, reasons: new Set([kind === 'leases' ? 'FloorTooShort' : 'InvalidValue']), checks: 1, said: MANY });
        expect(isQuiet(run)).toBe(true);
      }
      expect([await phasesOfLeases(suite(), tenant), await instancesOnPlane(suite(), tenant)]).toEqual([{}, {}]);
    });
  });

  it('of the Automation API are refused alike, in a preview and in an update without one', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant, 'inline').files({ 'automation.js': AUTOMATION });
    const { stdout } = await promisify(execFile)('node', ['automation.js'], { cwd: project.workspace.dir, env: { ...project.workspace.env, KUBECONFIG_OF_STACK: tenant.kubeconfig, LEASE: `${tenant.namespace}/ci` }, maxBuffer: 16 << 20 });
    const said = JSON.parse(stdout) as Record<'two' | 'preview' | 'up' | 'removed' | 'nothing' | 'fleet', string>;
    expect(said.two).toBe('{"create":4}');
    for (const text of [said.preview, said.up]) expect(text).toMatch(new RegExp(`ThirdInstance: lease ${tenant.namespace}/ci takes two instances`));
    for (const text of [said.removed, said.nothing, said.fleet]) expect(text).toMatch(/EarlyRelease: lease .*\/ci cannot go before its floor/);
    expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant)]).toEqual([{ ci: 'Bound' }, { 'vm-1': 'Running', 'vm-2': 'Running' }]);
  });

  it('of an older version of the package are run by the next one: nothing changes, and a destroy works', async () => {
    const tenant = suite().tenant();
    const directory = join(suite().directory, 'versions');
    const workspace = new Workspace({ engine: suite().engine, dir: join(directory, 'programs', 'main'), project: 'main', home: join(suite().directory, 'home'), config: { 'macrack:kubeconfig': tenant.kubeconfig } });
    mkdirSync(directory, { recursive: true });
    installMacrack(directory);
    const project = new PulumiProject(workspace).program(lease('ci'), instance('vm', 'ci'));
    await project.updated();
    const stored = async () => Object.fromEntries((await workspace.exportState()).deployment.resources?.flatMap(({ urn, inputs }) => (inputs?.__provider === undefined ? [] : [[nameOf(urn), inputs.__provider]])) ?? []);
    const before = await stored();
    const used = installNext(join(directory, 'node_modules', 'macrack'));

    worked(await project.preview('--expect-no-changes'));
    expect([await stored(), existsSync(used)]).toEqual([before, true]);
    await suite().passFloor();
    worked(await workspace.destroy());
    expect([await project.state(), await instancesOnPlane(suite(), tenant), await claimsOf(suite(), tenant)]).toEqual([{}, {}, []]);
  });
});

/** Puts the next version in the place of the installed one: other files behind the same entry points. @returns a file that it makes when it is called */
function installNext(root: string): string {
  const used = join(root, 'next-was-called');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> };
  cpSync(join(root, 'dist'), join(root, 'next'), { recursive: true });
  writeFileSync(join(root, 'next', 'provider.js'), `require("node:fs").writeFileSync(${JSON.stringify(used)}, "");\nmodule.exports = require("./provider/pulumi/bundle.js");\n`);
  writeFileSync(join(root, 'package.json'), JSON.stringify({
    ...manifest, version: '99.0.0',
    exports: { ...manifest.exports, './pulumi': { default: './next/components/pulumi/bundle.js' }, './pulumi/provider': { default: './next/provider.js' } },
  }));
  writeFileSync(join(root, 'dist', 'provider', 'pulumi', 'bundle.js'), 'throw new Error("the old version is gone");\n');
  return used;
}

const AUTOMATION = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const macrack = require("macrack/pulumi");
const of = (vms, named) => async () => {
  const ci = named ?? new macrack.MacNodeLease("ci", { class: "base" });
  for (let i = 1; i <= vms; i += 1) new macrack.MacOSInstance("vm-" + i, { lease: ci, image: "ghcr.io/acme/macos:15.1", shape: { cpu: 2, memory: "4Gi", disk: "40Gi" } });
};
async function refusal(act) {
  try {
    await act();
    return "not refused";
  } catch (error) {
    return error.message;
  }
}
async function main() {
  const select = async (program) => {
    const stack = await LocalWorkspace.createOrSelectStack({ projectName: "inline", stackName: "dev", program });
    await stack.setConfig("macrack:kubeconfig", { value: process.env.KUBECONFIG_OF_STACK });
    return stack;
  };
  const two = await (await select(of(2))).up();
  const third = await select(of(3));
  console.log(JSON.stringify({
    two: JSON.stringify(two.summary.resourceChanges),
    preview: await refusal(() => third.preview()), up: await refusal(() => third.up()),
    removed: await refusal(async () => (await select(of(2, process.env.LEASE))).preview()),
    nothing: await refusal(async () => (await select(async () => macrack.guardLeases())).preview()),
    fleet: await refusal(async () => (await select(async () => void new macrack.MacFleet("none", { class: "base", count: 0, vms: [] }))).preview()),
  }));
}
main().catch((error) => { console.error(error); process.exitCode = 1; });
`;
