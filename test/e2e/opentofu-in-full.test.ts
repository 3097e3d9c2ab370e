import { block, idOf, instance, lease, raw } from '../harness/configuration';
import { phasesOfInstances } from '../harness/plane-eyes';
import { describeTofu, macs } from '../harness/terraform-suite';
import { badInput } from './specs/bad-input';
import { credentials } from './specs/credentials';
import { holdAppliedBefore } from './specs/hold';
import { imports } from './specs/imports';
import { pairOnALease } from './specs/pair-on-a-lease';
import { twoForTwo } from './specs/two-for-two';
import { youngLease } from './specs/young-lease';

describeTofu('OpenTofu: a lease with two instances', { macs: macs(3), tenants: 2 }, pairOnALease);

describeTofu('OpenTofu: a young lease', { macs: macs(1), tenants: 1 }, youngLease);

describeTofu('OpenTofu: `on_early_release = "hold"`, applied before', { macs: macs(1), tenants: 1 }, holdAppliedBefore);

describeTofu('OpenTofu: two machines are swapped for two others in one apply', { macs: macs(2), tenants: 2 }, (suite) => {
  twoForTwo(suite, 'c02base01', 'by reference', [10]);
  twoForTwo(suite, 'c02base02', 'as a literal', [10]);
});

describeTofu('OpenTofu: leases and machines that exist', { macs: macs(2), tenants: 2 }, imports);

describeTofu('OpenTofu: the plane and the identity', { macs: [...macs(2), ...macs(1, 'pro')], tenants: 1 }, credentials);

describeTofu('OpenTofu:', { macs: macs(2), tenants: 3 }, (suite) => {
  badInput(suite);

  it('calls the function of the provider, and points at an argument that is none', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant);
    const output = (id: string) => `output "parts" {\n  value = provider::macrack::parse_lease_id(${JSON.stringify(id)})\n}\n`;
    await project.configure(output('team-a/ci')).applied();
    expect(JSON.parse((await project.workspace.run('output', '-json', 'parts')).stdout)).toEqual({ namespace: 'team-a', name: 'ci' });
    const wrong = await project.configure(output('ci')).plan();
    expect(project.errors(wrong)).toEqual([expect.objectContaining({ summary: 'Invalid function argument', at: 'value = provider::macrack::parse_lease_id("ci")' })]);
    expect(project.errors(wrong)[0]?.detail).toContain('Invalid value for "id" parameter: "ci" is no id of a lease, which is "namespace/name", for example "team-a/ci".');
  });

  it('says a warning of a plan once in an apply, and takes a lease of a name that is known only then', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(block('resource "terraform_data"', 'later', { input: 'ci' }), lease('ci', { name: raw('terraform_data.later.output') }), instance('vm', idOf('ci')), lease('plain'));
    const run = await project.applied();
    expect(project.warnings(run).filter(({ reason }) => reason === 'NewLeases')).toHaveLength(1);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
  });
});
