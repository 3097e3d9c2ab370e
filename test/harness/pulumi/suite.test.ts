import { worked } from '../../../cli/pulumi/workspace';
import { Kinds } from '../../../sdk/api/kinds';
import { killedAt } from '../killed-engine';
import { actions } from './pulumi-project';
import { describePulumi } from './pulumi-suite';

const LEASE = 'new macrack.MacNodeLease("ci", { class: "base" });';

describePulumi('a stack on a development plane', {}, (suite) => {
  const leases = async (namespace: string) => (await suite().admin.list(Kinds.MacNodeLease, { namespace })).items;

  it('leases a Mac as the tenant whose kubeconfig its configuration names', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(LEASE);
    const preview = worked(await project.preview());
    expect([actions(preview), project.errors(preview)]).toEqual([{ ci: 'create' }, []]);
    await project.updated();
    expect(Object.keys(await project.state())).toEqual(['ci']);
    expect((await leases(tenant.namespace)).map(({ metadata, spec }) => [metadata.name, spec.class])).toEqual([['ci', 'base']]);
    worked(await project.preview('--expect-no-changes'));
  });

  it('may be killed exactly after a write; nothing of the engine makes another', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(LEASE);
    const { killed, run } = await killedAt(suite(), tenant.namespace, { write: 1, moment: 'after' }, () => project.workspace.start('up', '--yes', '--skip-preview'));
    expect([killed, run.code]).toEqual([true, 137]);
    const [made] = await leases(tenant.namespace);
    expect(await project.state()).toEqual({});
    worked(await project.workspace.cancel());
    await project.updated();
    expect((await leases(tenant.namespace)).map(({ metadata }) => metadata.uid)).toEqual([made?.metadata.uid]);
  });
});
