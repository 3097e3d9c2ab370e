import { worked } from '../../../cli/pulumi/workspace';
import { until } from '../../../sdk/client/until';
import type { RequestRecord } from '../../../devplane/server/observer';
import { killedAt } from '../../harness/killed-engine';
import { claimsOf, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

describePulumi('an update that is interrupted', { macs: macs(6), tenants: 6 }, (suite) => {
  const start = (...lines: readonly string[]): { readonly tenant: TestTenant; readonly project: PulumiProject } => {
    const tenant = suite().tenant();
    return { tenant, project: suite().project(tenant).program(...lines) };
  };

  /** Killed when the lease exists on the plane and the state does not know it. */
  const killedAfterCreate = async (tenant: TestTenant, project: PulumiProject, write = 1) => {
    const { killed, run } = await killedAt(suite(), tenant.namespace, { write, moment: 'after' }, () => project.workspace.start('up', '--yes', '--skip-preview'));
    expect([killed, run.code]).toEqual([true, 137]);
  };

  it('between the create of a lease and its record: after a cancel the next update adopts that very lease, and no second one', async () => {
    const { tenant, project } = start(lease('ci'), instance('vm', 'ci'));
    await killedAfterCreate(tenant, project);
    const { uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
    expect(await project.state()).toEqual({});

    const locked = await project.preview();
    const refused = await project.upWithoutPreview();
    expect([locked.code, refused.code]).toEqual([0, 1]);
    expect(project.errors(refused).map(({ message }) => message).join()).toMatch(/currently locked by 1 lock/);
    worked(await project.workspace.cancel());
    await project.updated();
    expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(uid);
    expect([await claimsOf(suite(), tenant), await phasesOfInstances(suite(), tenant)]).toEqual([[expect.any(String)], { vm: 'Running' }]);
    expect(Object.keys(await project.state()).sort()).toEqual(['ci', 'vm']);
    worked(await project.preview('--expect-no-changes'));
  });

  it('between the create of an instance and its record: the next update goes on with that very instance', async () => {
    const { tenant, project } = start(lease('ci'), instance('vm', 'ci'));
    await killedAfterCreate(tenant, project, 2);
    worked(await project.workspace.cancel());
    worked(await project.up());
    expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant)]).toEqual([{ ci: 'Bound' }, { vm: 'Running' }]);
    expect(await claimsOf(suite(), tenant)).toHaveLength(1);
    worked(await project.preview('--expect-no-changes'));
  });

  it('leaves an orphan where the program no longer has the lease: each preview warns of it, with what to do', async () => {
    const { tenant, project } = start(lease('ci'));
    await killedAfterCreate(tenant, project);
    worked(await project.workspace.cancel());
    await until('it is Bound', async () => ((await phasesOfLeases(suite(), tenant))['ci'] === 'Bound' ? true : undefined));
    const run = worked(await project.program('').preview());
    const orphans = project.warnings(run).filter(({ reason }) => reason === 'Orphan');
    expect(orphans).toHaveLength(1);
    const { chassis } = (await leaseOnPlane(suite(), tenant, 'ci')).status ?? {};
    expect(orphans[0]?.message).toMatch(new RegExp(`lease ${tenant.namespace}/ci is of this stack, and this program does not declare it.*Bound, Mac ${chassis}.*billed.*declare it again.*kubectl patch macnodelease ci -n ${tenant.namespace}`));
    const again = await project.program(lease('ci')).updated();
    expect(actions(again)).toEqual({ ci: 'create' });
    expect(project.warnings(await project.preview()).filter(({ reason }) => reason === 'Orphan')).toEqual([]);
    expect(await claimsOf(suite(), tenant)).toHaveLength(1);
  });

  it('by two interrupts while a lease waits for its Mac: the next update takes it up', async () => {
    const { tenant, project } = start(lease('ci'));
    let letBind: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (letBind = resolve));
    const remove = suite().development.plane.requests.add({
      before: (record: RequestRecord) => (record.verb === 'create' && record.resource === 'macnodebindings.macrack.io' ? ended : undefined),
    });
    try {
      const { child, done } = await project.workspace.start('up', '--yes', '--skip-preview');
      await until('the lease exists', async () => ((await phasesOfLeases(suite(), tenant))['ci'] === undefined ? undefined : true));
      const { uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
      child.kill('SIGINT');
      const stop = setInterval(() => child.kill('SIGINT'), 500);
      const run = await done;
      clearInterval(stop);
      expect(run.code).not.toBe(0);
      letBind();
      await project.updated();
      expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(uid);
      expect(await claimsOf(suite(), tenant)).toHaveLength(1);
      worked(await project.preview('--expect-no-changes'));
    } finally {
      letBind();
      remove();
    }
  });
});
