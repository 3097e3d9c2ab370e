import { idOf, instance, instanceAddress, lease, leaseAddress } from '../harness/configuration';
import { claimsOf, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { actions, type Project } from '../harness/project';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

describeTerraform('an object that two addresses of one configuration want', { macs: macs(2), tenants: 2 }, (suite) => {
  let tenant: TestTenant;
  let project: Project;
  const keyed = (label: string) => instance(label, idOf('ci'), { name: 'vm' });
  const unchanged = async () => expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant), (await claimsOf(suite(), tenant)).length]).toEqual([{ ci: 'Bound' }, { vm: 'Running' }, 1]);
  const errors = (run: Awaited<ReturnType<Project['plan']>>) => project.errors(run).map(({ reason }) => reason);

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).configure(lease('ci'), keyed('vm'));
    await project.applied();
  });

  it('is not deleted where its resource was renamed: the plan is refused and names `moved`', async () => {
    const run = await project.configure(lease('ci'), keyed('renamed')).apply();
    expect(new Set(errors(run))).toEqual(new Set(['AlreadyExists']));
    expect(project.errors(run).some(({ detail }) => detail.includes('moved { from'))).toBe(true);
    await unchanged();
  });

  it('is not imported at one address while another one destroys it', async () => {
    const importing = `import {\n  to = macrack_macos_instance.renamed\n  id = ${JSON.stringify(`${tenant.namespace}/vm`)}\n}`;
    const run = await project.configure(lease('ci'), keyed('renamed'), importing).apply();
    expect(new Set(errors(run))).toEqual(new Set(['AlreadyExists']));
    await unchanged();
  });

  it('is not adopted at one address and released at another, past the floor neither', async () => {
    await suite().passFloor();
    const run = await project.configure(lease('new', { name: 'ci', adopt: true })).apply();
    expect(errors(run)).toContain('AlreadyExists');
    await unchanged();
  });

  it('stays what it is with `moved`', async () => {
    const moved = 'moved {\n  from = macrack_macos_instance.vm\n  to   = macrack_macos_instance.renamed\n}';
    const run = await project.configure(lease('ci'), keyed('renamed'), moved).applied();
    expect(Object.values(actions(run)).filter((action) => action !== 'noop' && action !== 'move')).toEqual([]);
    expect(Object.keys(project.state()).sort()).toEqual([leaseAddress('ci'), instanceAddress('renamed')].sort());
    await unchanged();
  });
});

describeTerraform('a replacement that is forced while the control plane cannot be asked', { macs: macs(1), tenants: 1 }, (suite) => {
  it('is refused, also with `hold` applied, by -replace and by a tainted state', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('ci', { on_early_release: 'hold' }), instance('vm', idOf('ci')));
    await project.applied();
    const remove = suite().development.plane.requests.add({ before: () => { throw new Error('cut off'); } });
    try {
      for (const address of [leaseAddress('ci'), instanceAddress('vm')]) {
        const run = await project.plan(`-replace=${address}`);
        expect({ code: run.code, errors: project.errors(run).map(({ reason, summary }) => [reason, summary.includes(' stays')]) }).toMatchObject({ code: 1, errors: expect.arrayContaining([['NotChecked', true]]) as unknown });
      }
      await project.workspace.run('taint', leaseAddress('ci'));
      expect(project.errors(await project.plan()).map(({ reason }) => reason)).toContain('NotChecked');
      await project.workspace.run('untaint', leaseAddress('ci'));
      expect(project.errors(await project.plan())).toEqual([]);
    } finally {
      remove();
    }
    expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant)]).toEqual([{ ci: 'Bound' }, { vm: 'Running' }]);
  });
});
