import { asking, instancesOnPlane, leaseOnPlane, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

const urn = (name: string): string => `urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacNodeLease::${name}`;

describePulumi('`onEarlyRelease: "hold"`', { macs: [...macs(5), ...macs(1, 'pro')], tenants: 2 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  const hold = { onEarlyRelease: 'hold' };
  const vms = [instance('vm-1', 'ci'), instance('vm-2', 'ci')];

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).program(lease('ci', hold), ...vms, lease('part', hold));
    await project.updated();
  });

  const said = async (name: string): Promise<RegExp> => {
    const { status } = await leaseOnPlane(suite(), tenant, name);
    return new RegExp(`${tenant.namespace}/${name} \\(Mac ${status?.chassis ?? '?'}\\) becomes Held until ${status?.earliestReleaseAt ?? '?'}, billed for 2[34]h [0-5][0-9]m more`);
  };

  it('that no update has stored is refused: it counts from the state; one that has is not told of as refused', async () => {
    const other = suite().tenant();
    const late = suite().project(other).program(lease('ci'), lease('lenient', hold));
    await late.updated();
    const run = await late.program(lease('ci', hold), lease('lenient')).destroy();
    expect([run.code, late.errors(run).filter(({ reason }) => reason !== undefined).map(({ reason, resource }) => [reason, resource])]).toEqual([1, [['EarlyRelease', 'ci']]]);
    expect(late.errors(run)[0]?.message).toContain('first store onEarlyRelease: "hold" (it counts from what an update has stored)');
    expect(await phasesOfLeases(suite(), other)).toEqual({ ci: 'Bound', lenient: 'Bound' });
  });

  it('does not permit a change of class: that is refused by the check', async () => {
    const run = await project.program(lease('ci', { ...hold, class: 'pro' }), ...vms, lease('part', hold)).preview();
    expect([run.code, project.errors(run).map(({ reason, resource }) => [reason, resource])]).toEqual([1, expect.arrayContaining([['LeaseImmutable', 'ci']])]);
  });

  it.each(['--replace', '--target-replace'])('does not permit a replacement by `%s`: the name would be taken', async (option) => {
    project.program(lease('ci', hold), ...vms, lease('part', hold));
    for (const act of [() => project.preview(option, urn('part')), () => project.upWithoutPreview(option, urn('part'))]) {
      const { result: run, writes } = await asking(suite(), tenant.namespace, act);
      expect([run.code, writes, project.errors(run).map(({ reason, resource }) => [reason, resource])]).toEqual([1, [], expect.arrayContaining([['EarlyRelease', 'part']])]);
    }
  });

  it('lets a removal pass the preview, with a warning at the resource: until when the Mac is billed', async () => {
    const run = await project.program(lease('ci', hold), ...vms).preview();
    expect([run.code, project.errors(run), actions(run)]).toEqual([0, [], { part: 'delete' }]);
    expect(project.warnings(run).filter(({ reason }) => reason === 'BilledUntil')).toEqual([{ reason: 'BilledUntil', resource: 'part', message: expect.stringMatching(await said('part')) as string }]);
  });

  it('lets a destroy pass its preview, and it ends with the lease Held, out of the state, its instances gone', async () => {
    project.program(lease('ci', hold), ...vms, lease('part', hold));
    const preview = await project.workspace.run('destroy', '--run-program', '--preview-only');
    expect([preview.code, project.errors(preview)]).toEqual([0, []]);
    const billed = project.warnings(preview).filter(({ reason }) => reason === 'BilledUntil');
    expect(billed.map(({ resource }) => resource).sort()).toEqual(['ci', 'part']);
    expect(billed.find(({ resource }) => resource === 'ci')?.message).toMatch(await said('ci'));
    const run = await project.destroy('--skip-preview');
    const { status } = await leaseOnPlane(suite(), tenant, 'ci');
    expect([run.code, project.errors(run), await project.state()]).toEqual([0, [], {}]);
    const warned = project.warnings(run).filter(({ reason, resource }) => reason === 'BilledUntil' && resource === 'ci').map(({ message }) => message);
    expect(warned).toEqual([expect.stringContaining(`lease ${tenant.namespace}/ci is Held until ${status?.earliestReleaseAt ?? '?'}`)]);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Held', part: 'Held' });
    expect(await instancesOnPlane(suite(), tenant)).toEqual({});
  });
});
