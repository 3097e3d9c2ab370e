import { reasons } from '../../cli/pulumi/outcome';
import { worked } from '../../cli/pulumi/workspace';
import { instancesOnPlane, leaseOnPlane, phasesOfLeases } from '../harness/plane-eyes';
import { actions, words } from '../harness/pulumi/pulumi-project';
import { describePulumi } from '../harness/pulumi/pulumi-suite';

const vm = (name: string): string => `{ name: "${name}", image: "ghcr.io/acme/macos-sequoia:15.1", shape: { cpu: 2, memory: "4Gi", disk: "40Gi" } }`;
const mac = (...vms: readonly string[]): string => `new macrack.DedicatedMac("ci", { class: "base", vms: [${vms.map(vm).join()}] }, { protect: false });`;
const fleet = (count: number): string => `new macrack.MacFleet("farm", { class: "base", count: ${count}, vms: [] });`;

describePulumi('components of a real program', {}, (suite) => {
  it('a dedicated Mac is made, is stable, and swaps its virtual machines in one update each', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(mac('a', 'b'));
    await project.updated();
    const before = await leaseOnPlane(suite(), tenant, 'ci');
    const state = await project.state();
    expect(Object.fromEntries(Object.entries(state).map(([name, { id }]) => [name, id]))).toEqual({
      ci: undefined, 'ci-lease': `${tenant.namespace}/ci`, 'ci-vm-0': `${tenant.namespace}/a`, 'ci-vm-1': `${tenant.namespace}/b`,
    });
    expect(state.ci?.outputs).toMatchObject({ leaseId: `${tenant.namespace}/ci` });
    worked(await project.preview('--expect-no-changes'));

    const one = worked(await project.program(mac('a', 'c')).up());
    expect([actions(one), Object.keys(await instancesOnPlane(suite(), tenant)).sort()]).toEqual([{ 'ci-vm-1': 'create-replacement' }, ['a', 'c']]);
    worked(await project.program(mac('d', 'e')).up());
    expect(Object.keys(await instancesOnPlane(suite(), tenant)).sort()).toEqual(['d', 'e']);
    expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(before.metadata.uid);

    const fewer = worked(await project.program(mac('d')).up());
    expect([actions(fewer), Object.keys(await instancesOnPlane(suite(), tenant))]).toEqual([{ 'ci-vm-1': 'delete' }, ['d']]);
    const third = await project.program(mac('d', 'e', 'f')).preview();
    expect([third.code, reasons(third, 'error'), reasons(third, 'warning')]).toEqual([1, ['ThirdInstance'], []]);
  });

  it('a third virtual machine of a JavaScript program is refused in a preview, by its rule alone', async () => {
    const run = await suite().project(suite().tenant()).program(mac('a', 'b', 'c')).preview();
    expect([run.code, reasons(run, 'error'), actions(run)]).toEqual([1, ['ThirdInstance'], {}]);
    expect(run.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([expect.stringMatching(/^ThirdInstance: [^\n]*$/)]);
    expect(words(run)).not.toMatch(/unhandled|node_modules| at /);
  });

  it('an instance that is added to a dedicated Mac by hand is refused in a preview', async () => {
    const run = await suite().project(suite().tenant())
      .program(`const { lease } = ${mac('a', 'b')}`, 'new macrack.MacOSInstance("third", { lease, image: "ghcr.io/acme/macos-sequoia:15.1", shape: { cpu: 2, memory: "4Gi", disk: "40Gi" } });').preview();
    expect([run.code, reasons(run, 'error')]).toEqual([1, ['ThirdInstance']]);
  });

  it('a fleet grows, and does not shrink before the floor', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(fleet(1));
    await project.updated();
    expect(actions(await project.program(fleet(2)).updated())).toEqual({ 'farm-1': 'create', 'farm-1-lease': 'create' });
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ 'farm-0': 'Bound', 'farm-1': 'Bound' });
    const run = await project.program(fleet(1)).preview();
    expect([run.code, reasons(run, 'error'), words(run)]).toEqual([1, ['EarlyRelease'], expect.stringContaining(`lease ${tenant.namespace}/farm-1 cannot go`)]);
    expect(words(run)).not.toContain(`${tenant.namespace}/farm-0`);
  });

  it('renamed with an alias, a component keeps its lease and its virtual machines', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(mac('a'), fleet(1));
    await project.updated();
    const before = await phasesOfLeases(suite(), tenant);
    project.program(
      `new macrack.DedicatedMac("builds", { class: "base", name: "ci", vms: [${vm('a')}] }, { aliases: [{ name: "ci" }] });`,
      'new macrack.MacFleet("park", { class: "base", name: "farm", count: 1, vms: [] }, { aliases: [{ name: "farm" }] });',
    );
    const run = worked(await project.up());
    expect([Object.values(actions(run)).every((action) => action === 'update'), await phasesOfLeases(suite(), tenant)]).toEqual([true, before]);
    expect(Object.keys(await project.state()).sort()).toEqual(['builds', 'builds-lease', 'builds-vm-0', 'park', 'park-0', 'park-0-lease']);
    worked(await project.preview('--expect-no-changes'));
  });

  it('transforms and protection of a component reach its children', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant);
    const transform = 'const size = (args) => args.type.endsWith(":MacOSInstance") ? { props: { ...args.props, running: false }, opts: args.opts } : undefined;';
    project.program(transform, `new macrack.DedicatedMac("ci", { class: "base", vms: [${vm('a')}] }, { protect: true, transforms: [async (args) => size(args)] });`);
    await project.updated();
    const { deployment } = await project.workspace.exportState();
    const guarded = (deployment.resources ?? []).filter((resource) => (resource as { protect?: boolean }).protect === true).map(({ urn }) => urn.slice(urn.lastIndexOf('::') + 2));
    expect([guarded.sort(), (await instancesOnPlane(suite(), tenant)).a?.spec.running]).toEqual([['ci', 'ci-lease', 'ci-vm-0'], false]);
  });
});
