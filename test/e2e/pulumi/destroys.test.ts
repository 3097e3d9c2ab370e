import { start } from '../../../cli/pulumi/run';
import { asking, instancesOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject, words } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { saying } from '../../harness/saying';

const HOUR_MS = 3_600_000;
const PLAIN = 'You must run with the `--run-program` flag to use delete hooks during destroy.';

describePulumi('destroy', { macs: macs(6), tenants: 4 }, (suite) => {
  interface Stack { readonly tenant: TestTenant; readonly project: PulumiProject }
  let mixed: Stack;
  let young: Stack;
  // What the program does with an output of a lease that is gone must not end it.
  const mixedLines = [
    lease('old'), instance('vm-1', 'old'), instance('vm-2', 'old'), lease('young', {}, { dependsOn: [] }),
    'exports.where = old.chassis.apply((serial) => serial.toUpperCase());',
  ];
  const youngLines = [lease('ci'), lease('ci-2'), instance('vm', 'ci')];

  async function stack(...lines: readonly string[]): Promise<Stack> {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(...lines);
    await project.updated();
    return { tenant, project };
  }

  beforeAll(async () => {
    mixed = await stack(...mixedLines.slice(0, 3));
    suite().development.plane.clock.advance(20 * HOUR_MS);
    await mixed.project.program(...mixedLines).updated();
    young = await stack(...youngLines);
    suite().development.plane.clock.advance(5 * HOUR_MS);
  });

  it.each([
    ['destroy', []],
    ['destroy --skip-preview', ['--skip-preview']],
  ])('without the program is refused by the engine, which says how, and nothing is deleted: %s', async (_how, args) => {
    const { tenant, project } = young;
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.workspace.destroyWithoutProgram(...args));
    expect([run.code, writes, words(run)]).toEqual([1, [], saying(PLAIN)]);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
  });

  it('without the program is refused by the engine for anything else that is a target', async () => {
    const { tenant, project } = young;
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.workspace.destroyWithoutProgram('--target', 'urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacOSInstance::vm'));
    expect([run.code, writes, words(run)]).toEqual([1, [], saying(PLAIN)]);
  });

  it('runs the program where the environment says so, and is refused in its preview like any other', async () => {
    const { workspace } = young.project;
    const run = await start(suite().engine.command, ['destroy', '--yes', '--non-interactive', '--stack', 'dev'], { cwd: workspace.dir, env: { ...workspace.env, PULUMI_RUN_PROGRAM: 'true' } }).done;
    expect([run.code, run.stdout]).toEqual([1, saying(/lease-floor\/v1" failed: EarlyRelease: lease .*\/ci(-2)? cannot go before its floor/)]);
  });

  it('lists every lease that it must not release, each with its cause', async () => {
    const { tenant, project } = young;
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.workspace.run('destroy', '--run-program', '--preview-only'));
    expect([run.code, writes]).toEqual([1, []]);
    const early = project.errors(run).filter(({ reason }) => reason === 'EarlyRelease');
    expect([...new Set(early.map(({ resource }) => resource))].sort()).toEqual(['ci', 'ci-2']);
    for (const { message } of early) expect(message).toContain('would be destroyed, but its floor ends at');
  });

  it('of a program that throws at its beginning deletes nothing', async () => {
    const { tenant, project } = young;
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.program('const error = new Error("no such fleet"); error.stack = error.message; throw error;').destroy('--skip-preview'));
    expect([run.code, writes, words(run)]).toEqual([1, [], saying('no such fleet')]);
  });

  it('with the program lets an instance go that is the target: it has no floor', async () => {
    const { tenant, project } = young;
    const run = await project.program(...youngLines).destroy('--target', 'urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacOSInstance::vm');
    expect([run.code, project.errors(run), actions(run)]).toEqual([0, [], { vm: 'delete' }]);
    expect([await instancesOnPlane(suite(), tenant), await phasesOfLeases(suite(), tenant)]).toEqual([{}, { ci: 'Bound', 'ci-2': 'Bound' }]);
  });

  it('without a preview releases the lease whose floor has passed, keeps the young one, and leaves a state that says so', async () => {
    const { tenant, project } = mixed;
    const run = await project.destroy('--skip-preview');
    const early = project.errors(run).filter(({ reason }) => reason === 'EarlyRelease');
    expect([run.code, early]).toEqual([1, [expect.objectContaining({ resource: 'young' })]]);
    expect(await instancesOnPlane(suite(), tenant)).toEqual({});
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ old: 'Released', young: 'Bound' });
    expect(Object.keys(await project.state())).toEqual(['young']);
  });

  it('is run again after the floor, although outputs of the lease that went are absent', async () => {
    const { tenant, project } = mixed;
    const early = await project.destroy();
    expect([early.code, project.errors(early).map(({ reason, resource }) => [reason, resource])]).toEqual([1, expect.arrayContaining([['EarlyRelease', 'young']])]);
    suite().development.plane.clock.advance(20 * HOUR_MS);
    const run = await project.destroy();
    expect([run.code, project.errors(run), actions(run)]).toEqual([0, [], { young: 'delete' }]);
    expect(await project.state()).toEqual({});
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ old: 'Released', young: 'Released' });
  });
});
