import { header, instance, lease, ref } from '../../cli/demo/configurations';
import { describeTerraform, macs, TERRAFORM_DEADLINE_MS } from '../harness/terraform-suite';

describeTerraform('a second plan', { macs: macs(1), tenants: 1 }, (suite) => {
  it('is empty after an apply, although the server filled in serial, chassis and defaults', async () => {
    const { kubeconfig } = suite().tenant();
    const workspace = suite().workspace('stable');
    workspace.write([header(kubeconfig), lease('ci'), instance('vm-1', ref('ci')), instance('vm-2', ref('ci'))].join('\n'));
    const applied = await workspace.apply();
    expect({ code: applied.code, errors: applied.diagnostics.filter((d) => d.severity === 'error') }).toEqual({ code: 0, errors: [] });
    const again = await workspace.plan('-detailed-exitcode');
    expect(again.code).toBe(0);
  }, TERRAFORM_DEADLINE_MS);
});
