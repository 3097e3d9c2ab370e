import { worked } from '../../../cli/pulumi/workspace';
import { Kinds } from '../../../sdk/api/kinds';
import { describePulumiOnRealPlane } from './pulumi-suite';

describePulumiOnRealPlane('a stack on Kubernetes itself', { tenants: 2 }, (suite) => {
  it('leases a Mac', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program('new macrack.MacNodeLease("ci", { class: "base" });');
    await project.updated();
    const { items } = await suite().admin.list(Kinds.MacNodeLease, { namespace: tenant.namespace });
    expect(items.map(({ metadata, spec }) => [metadata.name, spec.class])).toEqual([['ci', 'base']]);
    worked(await project.preview('--expect-no-changes'));
  });
});
