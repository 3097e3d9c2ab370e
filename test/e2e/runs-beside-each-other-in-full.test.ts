import { Kinds } from '../../sdk/api/kinds';
import { idOf, instance, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { asking, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

const SHORT = { timeouts: raw('{ create = "6s" }') };
/** Asks for its slot when the others have theirs. */
const last = (...others: readonly string[]) => ({ ...SHORT, depends_on: raw(`[${others.map(instanceAddress).join(', ')}]`) });

describeTerraform('what another run cannot see', { macs: macs(8), tenants: 7 }, (suite) => {
  const leased = async (...vms: readonly string[]): Promise<TestTenant> => {
    const tenant = suite().tenant();
    await suite().project(tenant, 'owner').configure(lease('ci'), ...vms.map((name) => instance(name, idOf('ci')))).applied();
    return tenant;
  };
  const running = async (tenant: TestTenant) => Object.keys(await phasesOfInstances(suite(), tenant)).length;

  it('a third machine of two provider aliases is refused in the apply, and two run', async () => {
    const tenant = suite().tenant();
    const alias = (namespace: string | null) => `provider "macrack" {\n  alias = "b"\n  config_path = ${JSON.stringify(tenant.kubeconfig)}\n${namespace === null ? '' : `  namespace = "${namespace}"\n`}}\n`;
    for (const namespace of [null, tenant.namespace]) {
      const name = namespace === null ? 'same' : 'other';
      const project = suite().project(tenant, name).configure(alias(namespace), lease(name), instance(`${name}-1`, idOf(name)), instance(`${name}-2`, idOf(name)), instance(`${name}-3`, idOf(name), { ...last(`${name}-1`, `${name}-2`), provider: raw('macrack.b') }));
      const planned = await project.plan();
      expect({ code: planned.code, errors: project.errors(planned) }).toEqual({ code: 0, errors: [] });
      // Of two processes with the same arguments one cannot know that it plans, and stays silent.
      if (namespace !== null) expect(project.warnings(planned)).toContainEqual(expect.objectContaining({ reason: 'NotChecked', address: instanceAddress(`${name}-3`), detail: saying(`whether lease ${tenant.namespace}/${name} exists`) }));
      const run = await project.apply();
      expect(project.errors(run).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
    }
    expect(Object.values(await phasesOfInstances(suite(), tenant))).toEqual(['Running', 'Running', 'Running', 'Running']);
  });

  it('the last slot goes to one of two workspaces of a configuration', async () => {
    const tenant = await leased('first');
    const [a, b] = ['a', 'b'].map((name) => new Project(suite().workspace(`${tenant.namespace}/shared`, { TF_WORKSPACE: name }), tenant.kubeconfig)) as [Project, Project];
    a.configure(instance('vm', `${tenant.namespace}/ci`, { name: raw('"vm-${terraform.workspace}"'), timeouts: raw('{ create = "15s" }') }));
    const workspaces = suite().workspace(`${tenant.namespace}/shared`);
    for (const name of ['a', 'b']) expect((await workspaces.run('workspace', 'new', name)).code).toBe(0);
    const runs = await Promise.all([a.apply(), b.apply()]);
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(runs.flatMap((run) => a.errors(run)).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
    expect(await running(tenant)).toBe(2);
    // The loser's next plan sees who has the slot.
    const loser = runs[0].code === 1 ? a : b;
    expect(loser.errors(await loser.plan()).map(({ reason, at }) => ({ reason, at }))).toEqual([{ reason: 'ThirdInstance', at: `lease = "${tenant.namespace}/ci"` }]);
  });

  it('a saved plan of a machine is refused when the slot was taken since, and makes nothing', async () => {
    const tenant = await leased('first');
    const late = suite().project(tenant, 'late').configure(instance('late', `${tenant.namespace}/ci`, SHORT));
    expect((await late.plan('-out=saved')).code).toBe(0);
    await suite().project(tenant, 'quick').configure(instance('quick', `${tenant.namespace}/ci`)).applied();
    const run = await late.workspace.run('apply', 'saved');
    expect(late.errors(run)).toEqual([expect.objectContaining({ reason: 'ThirdInstance', address: instanceAddress('late') })]);
    expect([await running(tenant), late.state()]).toEqual([2, {}]);
  });

  it('a saved plan of a lease is refused when the name was taken since, and says how to take it over', async () => {
    const tenant = suite().tenant();
    const late = suite().project(tenant, 'late').configure(lease('ci'));
    expect((await late.plan('-out=saved')).code).toBe(0);
    await suite().project(tenant, 'quick').configure(lease('ci')).applied();
    const run = await late.workspace.run('apply', 'saved');
    expect(late.errors(run)).toEqual([expect.objectContaining({ reason: 'AlreadyExists', address: leaseAddress('ci') })]);
    expect(late.errors(run)[0]?.detail).toContain(`id = "${tenant.namespace}/ci"`);
  });

  it('a saved plan of a destroy is refused when the floor has grown since', async () => {
    const tenant = await leased();
    const owner = suite().project(tenant, 'owner');
    await suite().passFloor();
    expect((await owner.plan('-destroy', '-out=saved')).code).toBe(0);
    await suite().admin.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'ci' }, { spec: { minimumDuration: '72h' } });
    const { result: run } = await asking(suite(), tenant.namespace, () => owner.workspace.run('apply', 'saved'));
    expect(owner.errors(run).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
    expect(Object.keys(owner.state())).toEqual([leaseAddress('ci')]);
  });

  it('a configuration of the provider that is unknown at plan is said, and checked in the apply', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant, 'later');
    const providerOf = (path: string) => `terraform {\n  required_providers {\n    macrack = { source = "macrack/macrack" }\n  }\n}\nresource "terraform_data" "kubeconfig" {\n  input = ${JSON.stringify(path)}\n}\nprovider "macrack" {\n  config_path = terraform_data.kubeconfig.output\n}\n`;
    const program = (count: number) => [providerOf(tenant.kubeconfig), lease('ci'), ...['vm-0', 'vm-1'].map((name) => instance(name, idOf('ci'))), ...(count > 2 ? [instance('vm-2', idOf('ci'), last('vm-0', 'vm-1'))] : [])].join('\n');
    project.workspace.write(program(3));
    const planned = await project.plan();
    expect({ code: planned.code, errors: project.errors(planned) }).toEqual({ code: 0, errors: [] });
    expect(new Set(project.warnings(planned).map(({ reason }) => reason))).toEqual(new Set(['NotChecked']));
    const run = await project.apply();
    expect(project.errors(run).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
    expect(await running(tenant)).toBe(2);
    expect((await leaseOnPlane(suite(), tenant, 'ci')).status?.phase).toBe('Bound');
    // In a destroy the output is known from the state, and the floor is kept.
    project.workspace.write(program(2));
    expect(project.errors(await project.destroy()).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
  });
});
