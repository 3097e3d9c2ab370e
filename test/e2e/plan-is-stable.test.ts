import { Kinds } from '../../sdk/api/kinds';
import { header, instance, lease, ref } from '../../cli/demo/configurations';
import { describeTerraform, macs } from '../harness/terraform-suite';

describeTerraform('a second plan', { macs: macs(1), tenants: 1 }, (suite) => {
  it('is empty after an apply, although the server filled in serial, chassis and defaults', async () => {
    const { kubeconfig } = suite().tenant();
    const workspace = suite().workspace('stable');
    workspace.write([header(kubeconfig), lease('ci'), instance('vm-1', ref('ci')), instance('vm-2', ref('ci'))].join('\n'));
    const applied = await workspace.apply();
    expect({ code: applied.code, errors: applied.diagnostics.filter((d) => d.severity === 'error') }).toEqual({ code: 0, errors: [] });
    const again = await workspace.plan('-detailed-exitcode');
    expect(again.code).toBe(0);
  });

  it('says in one warning that the policies can be taken away, where the operator has found that, and is empty all the same', async () => {
    const current = suite();
    const { admin } = current;
    const condition = (status: string) => [{ type: 'TamperProof', status, reason: 'Test', message: 'set by a test', lastTransitionTime: '2026-11-29T10:00:00Z' }];
    const set = (status: string) => admin.patch(Kinds.MacClass, { name: 'base' }, { status: { conditions: condition(status) } }, { subresource: 'status' });
    const said = async () => {
      const { code, diagnostics } = await current.workspace('stable').plan('-detailed-exitcode');
      return { code, warnings: diagnostics.filter((d) => /NotTamperProof/.test(d.summary)).length };
    };
    await set('False');
    expect(await said()).toEqual({ code: 0, warnings: 1 });
    await set('True');
    expect(await said()).toEqual({ code: 0, warnings: 0 });
  });
});
