import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { reasons } from '../../cli/pulumi/outcome';
import { worked, Workspace } from '../../cli/pulumi/workspace';
import { connect } from '../../sdk/client';
import { Kinds } from '../../sdk/api/kinds';
import { until } from '../../sdk/client/until';
import { instancesOnPlane, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import type { TestTenant } from '../harness/plane-suite';
import { PulumiProject } from '../harness/pulumi/pulumi-project';
import { describePulumi, type PulumiSuite } from '../harness/pulumi/pulumi-suite';

const root = resolve(__dirname, '..', '..');
const folder = join(root, 'examples', 'pulumi');

/** The files of an example as they stand, but for what is changed in its program. */
function example(name: string, change: (program: string) => string = (program) => program): Record<string, string> {
  const files = readdirSync(join(folder, name), { withFileTypes: true }).filter((entry) => entry.isFile() && !/^Pulumi\..+\.yaml$/.test(entry.name));
  const texts = Object.fromEntries(files.map((entry) => [entry.name, readFileSync(join(folder, name, entry.name), 'utf8')]));
  return { ...texts, 'index.ts': change(texts['index.ts'] ?? '') };
}

function changed(text: string, by: string): (program: string) => string {
  return (program) => {
    if (!program.includes(text)) throw new Error(`the example has no ${text}`);
    return program.replace(text, by);
  };
}

const projectOf = (suite: PulumiSuite, tenant: TestTenant, name: string): PulumiProject => suite.project(tenant, `macrack-${name}`).files(example(name));

/** Before the floor it is refused, with everything as it was; later it works. */
async function destroyedAtFloor(suite: PulumiSuite, tenant: TestTenant, project: PulumiProject): Promise<void> {
  const before = await phasesOfInstances(suite, tenant);
  const early = await project.destroy();
  expect([early.code, reasons(early, 'error'), await phasesOfInstances(suite, tenant)]).toEqual([1, ['EarlyRelease'], before]);
  await suite.passFloor();
  worked(await project.destroy());
  expect(await instancesOnPlane(suite, tenant)).toEqual({});
}

describePulumi('the examples for Pulumi', {}, (suite) => {
  it('are all tried here', () => {
    expect(readdirSync(folder).sort()).toEqual(['adopt-lease', 'ci-fleet', 'dedicated-mac', 'hold-on-destroy']);
  });

  it('dedicated-mac: one lease, two virtual machines', async () => {
    const tenant = suite().tenant();
    const project = projectOf(suite(), tenant, 'dedicated-mac');
    await project.updated();
    expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant)]).toEqual([{ ci: 'Bound' }, { 'ci-vm-0': 'Running', 'ci-vm-1': 'Running' }]);
    worked(await project.preview('--expect-no-changes'));
    const other = await project.files(example('dedicated-mac', changed('class: "base"', 'class: "pro"'))).preview();
    expect([other.code, reasons(other, 'error')]).toEqual([1, ['LeaseImmutable']]);
    await destroyedAtFloor(suite(), tenant, project.files(example('dedicated-mac')));
  });

  it('dedicated-mac: a third virtual machine does not compile', async () => {
    const third = changed('vms: [', 'vms: [\n    { image: "ghcr.io/acme/macos-sequoia:15.1", shape },');
    const run = await suite().project(suite().tenant(), 'third').files(example('dedicated-mac', third)).preview();
    expect([run.code, run.diagnostics.map(({ message }) => message).join('\n')]).toEqual([1, expect.stringMatching(/index\.ts\(\d+,\d+\): error TS2322/)]);
  });

  it('ci-fleet: two runners on each Mac, of which none goes early', async () => {
    const tenant = suite().tenant();
    const project = projectOf(suite(), tenant, 'ci-fleet');
    await project.updated();
    const running = Object.values(await instancesOnPlane(suite(), tenant)).map(({ metadata, spec, status }) => [metadata.name, spec.leaseName, status?.ip !== undefined]);
    expect(running.sort()).toEqual([['runner-0', 'ci-0', true], ['runner-1', 'ci-0', true], ['runner-2', 'ci-1', true], ['runner-3', 'ci-1', true]]);
    worked(await project.preview('--expect-no-changes'));
    await project.workspace.configure({ 'macrack-ci-fleet:macs': '1' });
    const fewer = await project.preview();
    expect([fewer.code, reasons(fewer, 'error')]).toEqual([1, ['EarlyRelease']]);
    await destroyedAtFloor(suite(), tenant, project);
  });

  it('adopt-lease: takes the lease that is there, with its floor', async () => {
    const tenant = suite().tenant();
    const plane = await connect({ configPath: tenant.kubeconfig });
    const made = await plane.create(Kinds.MacNodeLease, { metadata: { namespace: tenant.namespace, name: 'ci' }, spec: { class: 'base', minimumDuration: '24h' } });
    plane.close();
    await until('the lease is Bound', async () => ((await phasesOfLeases(suite(), tenant)).ci === 'Bound' ? true : undefined));
    const project = projectOf(suite(), tenant, 'adopt-lease');
    const refused = await project.files(example('adopt-lease', changed(', adopt: true', ''))).preview();
    expect([refused.code, reasons(refused, 'error')]).toEqual([1, ['AlreadyExists']]);
    await project.files(example('adopt-lease')).updated();
    const { metadata: { uid }, status } = await leaseOnPlane(suite(), tenant, 'ci');
    const { ci } = await project.state();
    expect([uid, ci?.outputs.uid, ci?.outputs.earliestReleaseAt]).toEqual([made.metadata.uid, uid, status?.earliestReleaseAt]);
    worked(await project.preview('--expect-no-changes'));
    await destroyedAtFloor(suite(), tenant, project);
  });

  it('hold-on-destroy: the lease stays, Held, and the next preview says so', async () => {
    const tenant = suite().tenant();
    const project = projectOf(suite(), tenant, 'hold-on-destroy');
    await project.updated();
    worked(await project.preview('--expect-no-changes'));
    const other = await project.files(example('hold-on-destroy', changed('class: "base"', 'class: "pro"'))).preview();
    expect([other.code, reasons(other, 'error')]).toEqual([1, ['LeaseImmutable']]);
    worked(await project.files(example('hold-on-destroy')).destroy());
    expect([await phasesOfLeases(suite(), tenant), await instancesOnPlane(suite(), tenant)]).toEqual([{ nightly: 'Held' }, {}]);
    const again = await project.preview();
    expect([again.code, reasons(again, 'error')]).toEqual([1, expect.arrayContaining(['NameHeld'])]);
  });

  it('the checkout is a project itself, whose program is the first of them', async () => {
    const tenant = suite().tenant();
    const dir = join(suite().directory, 'checkout');
    mkdirSync(dir);
    // Its own files and node_modules; only what a stack writes goes elsewhere.
    copyFileSync(join(root, 'Pulumi.yaml'), join(dir, 'Pulumi.yaml'));
    symlinkSync(join(root, 'examples'), join(dir, 'examples'));
    const project = new PulumiProject(new Workspace({ engine: suite().engine, dir, config: { 'macrack:kubeconfig': tenant.kubeconfig } }));
    expect(worked(await project.preview()).changeSummary).toEqual({ create: 5 });
    await project.updated();
    worked(await project.preview('--expect-no-changes'));
    const state = await project.state();
    expect([Object.keys(state), basename(String(state['ci-lease']?.id))]).toEqual([['ci', 'ci-lease', 'ci-vm-0', 'ci-vm-1'], 'ci']);
    expect(String(state['ci-lease']?.inputs.__provider)).toContain('require("macrack/pulumi/provider")');
  });
});
