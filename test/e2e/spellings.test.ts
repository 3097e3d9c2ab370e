import { asJson } from '../harness/json-configuration';
import { block, idOf, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { instancesOnPlane, phasesOfInstances } from '../harness/plane-eyes';
import { describeTerraform, macs } from '../harness/terraform-suite';

const NULLS = { namespace: raw('null'), timeouts: raw('null') };
const IMAGE = `registry.example:5000/acme/macos-sequoia:15.1@sha256:${'a'.repeat(64)}`;

describeTerraform('what is spelt unlike the examples and means something', { macs: macs(2), tenants: 1 }, (suite) => {
  it('is taken from JSON: a name like a serial, an image with port and digest, numbers as strings, and null for what is left out', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant);
    project.workspace.write(asJson(tenant.kubeconfig, {
      macrack_mac_node_lease: { ci: { name: 'c02base02', class: 'base', serial: 'C02Base01', minimum_duration: '0024h', on_early_release: raw('null'), adopt: raw('null'), ...NULLS } },
      macrack_macos_instance: { vm: { name: 'n'.repeat(58), lease: idOf('ci'), image: IMAGE, shape: raw('{ cpu = "2", memory = "4Gi", disk = "40Gi" }'), running: 'true', await_ip: raw('null'), ...NULLS } },
    }), 'main.tf.json');
    await project.applied();
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ ['n'.repeat(58)]: 'Running' });
    expect((await instancesOnPlane(suite(), tenant))['n'.repeat(58)]?.spec).toMatchObject({ leaseName: 'c02base02', image: IMAGE, shape: { cpu: 2 } });
    expect(project.state()[leaseAddress('ci')]?.attributes).toMatchObject({ serial: 'C02Base01', chassis: 'c02base01' });
    expect(project.state()[instanceAddress('vm')]?.attributes).toMatchObject({ running: true });
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('is judged by what an expression gives in the end, also a null that was unknown', async () => {
    const project = suite().project({ namespace: 'team-01', kubeconfig: suite().development.kubeconfigs['team-01'] ?? '', viewerKubeconfig: '' }, 'late');
    project.configure(block('resource "terraform_data"', 'late', {}), lease('late', { name: raw('terraform_data.late.id == "" ? "late" : null') }));
    const planned = await project.plan();
    expect({ code: planned.code, warnings: project.warnings(planned).map(({ reason }) => reason) }).toEqual({ code: 0, warnings: ['NotChecked'] });
    const run = await project.apply();
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'InvalidValue', address: leaseAddress('late') })]);
  });
});
