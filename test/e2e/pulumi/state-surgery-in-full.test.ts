import { asking, leaseOnPlane, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { saying } from '../../harness/saying';

const leaseUrn = 'urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacNodeLease::ci';
const vmUrn = 'urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacOSInstance::vm';

describePulumi('a lease that was taken out of the state by hand', { macs: macs(4), tenants: 2 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  let uid: string;

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).program(lease('ci'), instance('vm', 'ci'));
    await project.updated();
    ({ uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata);
  });

  const orphans = (run: Awaited<ReturnType<PulumiProject['preview']>>) => project.warnings(run).filter(({ reason }) => reason === 'Orphan').map(({ message }) => message);

  it('with `state delete` stays on the plane, Bound and billed: nobody but the operator guards that', async () => {
    expect((await project.workspace.stateDelete(vmUrn)).code).toBe(0);
    expect((await project.workspace.stateDelete(leaseUrn)).code).toBe(0);
    expect(await project.state()).toEqual({});
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
  });

  it('is an orphan of the stack where the program does not declare it, and a preview says how it is had back or released', async () => {
    const run = await project.program().preview();
    expect([run.code, actions(run), orphans(run)]).toEqual([0, {}, [saying(new RegExp(`lease ${tenant.namespace}/ci is of this stack.*It is Bound.*billed.*declare it again.*kubectl patch macnodelease ci -n ${tenant.namespace}`))]]);
  });

  it('comes back with the next update of the program that declares it: the same lease, and no second one', async () => {
    project.program(lease('ci'), instance('vm', 'ci'));
    const preview = await project.preview();
    expect([preview.code, project.errors(preview), orphans(preview), actions(preview)]).toEqual([0, [], [], { ci: 'create', vm: 'create' }]);
    expect(project.warnings(preview).filter(({ reason }) => reason === 'NewLeases')).toEqual([]);
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.updated());
    expect([project.errors(run), writes]).toEqual([[], []]);
    const { ci, vm } = await project.state();
    expect([ci?.outputs.uid, ci?.outputs.phase, vm?.outputs.phase]).toEqual([uid, 'Bound', 'Running']);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
    expect((await project.preview('--expect-no-changes')).code).toBe(0);
  });

  it('is guarded again: a removal is refused', async () => {
    const run = await project.program().preview();
    expect([run.code, project.errors(run).map(({ reason, resource }) => [reason, resource])]).toEqual([1, expect.arrayContaining([['EarlyRelease', 'ci']])]);
  });

  it('with the whole stack is refused by the engine, and with `--force` leaves the lease as it is', async () => {
    const refused = await project.workspace.stackRm();
    expect([refused.code, refused.stderr]).toEqual([1, saying('still has resources')]);
    expect((await project.workspace.stackRm('--force')).code).toBe(0);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
  });

  it('is taken back by a new stack of the same name, and by no other', async () => {
    const other = suite().project(tenant, 'other').program(lease('ci'));
    const refused = await other.preview();
    expect([refused.code, other.errors(refused).map(({ reason }) => reason)]).toEqual([1, expect.arrayContaining(['AlreadyExists'])]);
    await project.workspace.configure({ 'macrack:kubeconfig': tenant.kubeconfig });
    await project.program(lease('ci'), instance('vm', 'ci')).updated();
    expect((await project.state()).ci?.outputs.uid).toBe(uid);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
  });
});
