import { block, idOf, instance, lease, raw } from '../harness/configuration';
import { phasesOfInstances } from '../harness/plane-eyes';
import { describeTerraform, macs } from '../harness/terraform-suite';

describeTerraform('what an expression gives', { macs: macs(2), tenants: 2 }, (suite) => {
  it('is the parts of an id, by the function of the provider, and an argument that is none is pointed at', async () => {
    const project = suite().project(suite().tenant());
    const output = (id: string) => `output "parts" {\n  value = provider::macrack::parse_lease_id(${JSON.stringify(id)})\n}\n`;
    await project.configure(output('team-a/ci')).applied();
    expect(JSON.parse((await project.workspace.run('output', '-json', 'parts')).stdout)).toEqual({ namespace: 'team-a', name: 'ci' });
    const wrong = await project.configure(output('ci')).plan();
    expect(project.errors(wrong)).toEqual([expect.objectContaining({ summary: 'Invalid function argument', at: 'value = provider::macrack::parse_lease_id("ci")' })]);
    expect(project.errors(wrong)[0]?.detail).toContain('Invalid value for "id" parameter: "ci" is no id of a lease, which is "namespace/name", for example "team-a/ci".');
  });

  it('may be the name of a lease that is known only at apply, where a warning of the plan is said once', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(block('resource "terraform_data"', 'later', { input: 'ci' }), lease('ci', { name: raw('terraform_data.later.output') }), instance('vm', idOf('ci')), lease('plain'));
    const run = await project.applied();
    expect(project.warnings(run).filter(({ reason }) => reason === 'NewLeases')).toHaveLength(1);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
  });
});
