import { block, idOf, instance, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { asking, phasesOfInstances } from '../harness/plane-eyes';
import { describeTerraform, macs } from '../harness/terraform-suite';
import { pairOnALease } from './specs/pair-on-a-lease';

const on = (name: string, ...leases: readonly string[]) => leases.map((l) => instance(name, idOf(l))).join('\n');

describeTerraform('a lease with two instances', { macs: macs(3), tenants: 2 }, pairOnALease);

describeTerraform('a lease and its instances, all new', { macs: macs(2), tenants: 3 }, (suite) => {
  it('are refused at plan when they are three, from the program alone', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('ci'), ...['a', 'b', 'c'].map((name) => on(name, 'ci')));
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.plan());
    expect({ code: run.code, writes }).toEqual({ code: 1, writes: [] });
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'ThirdInstance', at: 'lease = macrack_mac_node_lease.ci.id' })]);
    for (const name of ['a', 'b', 'c']) expect(project.errors(run)[0]?.detail).toContain(`${tenant.namespace}/${name}`);
  });

  it('are not judged while it is not known which lease they name, and the plan says so; the apply still takes no third', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant);
    const unknown = raw(`terraform_data.later.id == "" ? "nowhere/none" : ${leaseAddress('ci')}.id`);
    project.configure(block('resource "terraform_data"', 'later', {}), lease('ci', { minimum_duration: '25h' }), ...['a', 'b', 'c'].map((name) => instance(name, unknown, { timeouts: raw('{ create = "15s" }') })));
    const planned = await project.plan();
    expect({ code: planned.code, errors: project.errors(planned) }).toEqual({ code: 0, errors: [] });
    const unjudged = project.warnings(planned).filter(({ reason }) => reason === 'NotChecked');
    expect(unjudged.map(({ address }) => address).sort()).toEqual(['a', 'b', 'c'].map(instanceAddress));
    expect(unjudged[0]?.detail).toContain('whose Mac it asks for and whether a slot is free');

    const applied = await project.apply();
    expect(applied.code).toBe(1);
    expect(project.errors(applied).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
    expect(Object.values(await phasesOfInstances(suite(), tenant))).toEqual(['Running', 'Running']);
  });

  it('have one last slot for two applies at once: one gets it, the other is refused and leaves nothing', async () => {
    const tenant = suite().tenant();
    await suite().project(tenant).configure(lease('shared'), on('first', 'shared')).applied();
    const rivals = ['left', 'right'].map((name) => suite().project(tenant, name).configure(instance(name, `${tenant.namespace}/shared`, { timeouts: raw('{ create = "15s" }') })));
    const runs = await Promise.all(rivals.map((rival) => rival.apply()));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
    const lost = runs.findIndex(({ code }) => code === 1);
    expect(rivals[lost]?.errors(runs[lost] as (typeof runs)[number]).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
    expect(rivals[lost]?.state()).toEqual({});
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ first: 'Running', [lost === 0 ? 'right' : 'left']: 'Running' });
  });
});
