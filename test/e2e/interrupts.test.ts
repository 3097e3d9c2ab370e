import type { RequestRecord } from '../../devplane/server/observer';
import { until } from '../../sdk/client/until';
import { idOf, instance, lease, leaseAddress } from '../harness/configuration';
import { asking, claimsOf, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

describeTerraform('an interrupt (SIGINT)', { macs: macs(3), tenants: 4 }, (suite) => {
  /** Holds back the requests that `isHeld` names until `letGo`; `seen` resolves at the first. */
  const holdBack = (isHeld: (record: RequestRecord) => boolean) => {
    let letGo: () => void = () => undefined;
    let notice: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const seen = new Promise<void>((resolve) => (notice = resolve));
    const remove = suite().development.plane.requests.add({
      before(record) {
        if (!isHeld(record)) return undefined;
        notice();
        return held;
      },
    });
    return { seen, letGo: () => { letGo(); remove(); } };
  };
  const of = ({ namespace }: TestTenant, verb: string, resource: string) => (record: RequestRecord) => record.user === namespace && record.verb === verb && record.resource === resource;

  it('in a plan ends it, and nothing is written', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('ci'), instance('vm', idOf('ci')));
    const { result: run, writes } = await asking(suite(), tenant.namespace, async () => {
      const { seen, letGo } = holdBack(of(tenant, 'list', 'macnodeleases.macrack.io'));
      const { child, done } = project.workspace.start('plan');
      await seen;
      child.kill('SIGINT');
      letGo();
      return done;
    });
    expect(run.code).toBe(1);
    expect({ writes, leases: await phasesOfLeases(suite(), tenant), state: project.state() }).toEqual({ writes: [], leases: {}, state: {} });
  });

  it('in an apply that waits for a Mac withdraws the lease: nothing is billed, and nothing is in the state', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('queued', { class: 'studio' }));
    const { child, done } = project.workspace.start('apply', '-auto-approve');
    await until('the lease is Pending', async () => ((await phasesOfLeases(suite(), tenant))['queued'] === 'Pending' ? true : undefined));
    child.kill('SIGINT');
    const run = await done;
    expect(run.code).toBe(1);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ queued: 'Released' });
    expect([await claimsOf(suite(), tenant), project.state()]).toEqual([[], {}]);
  });

  it('in an apply while the Mac is bound keeps the lease in the state, and the next apply goes on', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('ci'), instance('vm', idOf('ci')));
    const { seen, letGo } = holdBack(({ verb, resource }) => verb === 'create' && resource === 'macnodebindings.macrack.io');
    const { child, done } = project.workspace.start('apply', '-auto-approve');
    await seen;
    child.kill('SIGINT');
    letGo();
    const run = await done;
    expect(run.code).toBe(1);
    const { status } = await leaseOnPlane(suite(), tenant, 'ci');
    expect(project.state()[leaseAddress('ci')]).toMatchObject({ tainted: false, attributes: { phase: 'Bound', earliest_release_at: status?.earliestReleaseAt } });
    await project.applied();
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
    expect(await claimsOf(suite(), tenant)).toHaveLength(1);
  });
});
