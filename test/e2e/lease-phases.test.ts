import type { RequestRecord } from '../../devplane/server/observer';
import { Kinds } from '../../sdk/api/kinds';
import { until } from '../../sdk/client/until';
import { idOf, instance, instanceAddress, lease, leaseAddress } from '../harness/configuration';
import { leaseOnPlane, phasesOfLeases } from '../harness/plane-eyes';
import { actions, type Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

describeTerraform('a plan of a lease that is', { macs: macs(2), tenants: 3 }, (suite) => {
  const untilPhase = (tenant: TestTenant, name: string, phase: string) => until(`lease ${name} is ${phase}`, async () => ((await phasesOfLeases(suite(), tenant))[name] === phase ? true : undefined));
  const make = ({ namespace }: TestTenant, name: string, className = 'base') => suite().admin.create(Kinds.MacNodeLease, { metadata: { namespace, name }, spec: { class: className, minimumDuration: '24h', release: false } });
  const release = ({ namespace }: TestTenant, name: string) => suite().admin.patch(Kinds.MacNodeLease, { namespace, name }, { spec: { release: true } });
  const imported = async (tenant: TestTenant, name: string, ...blocks: readonly string[]): Promise<Project> => {
    const project = suite().project(tenant, `holds-${name}`).configure(...blocks);
    expect((await project.workspace.run('import', leaseAddress(name), `${tenant.namespace}/${name}`)).code).toBe(0);
    return project;
  };
  const said = async (project: Project, ...args: readonly string[]) => {
    const run = await project.plan(...args);
    return { code: run.code, errors: project.errors(run).map(({ reason }) => reason), warnings: project.warnings(run).map(({ reason }) => reason), planned: actions(run) };
  };

  it('Pending has nothing to change, takes no machine yet, and may be destroyed: nothing is billed', async () => {
    const tenant = suite().tenant();
    await make(tenant, 'queued', 'pro');
    await untilPhase(tenant, 'queued', 'Pending');
    const program = lease('queued', { class: 'pro' });
    const project = await imported(tenant, 'queued', program);
    expect(project.state()[leaseAddress('queued')]?.attributes).toMatchObject({ phase: 'Pending', chassis: null, earliest_release_at: null });
    expect(await said(project, '-detailed-exitcode')).toMatchObject({ code: 0, errors: [] });
    expect(await said(project.configure(program, instance('vm', idOf('queued'))))).toMatchObject({ code: 1, errors: ['LeaseNotBound'] });
    expect(await said(project.configure())).toMatchObject({ code: 0, errors: [], planned: { [leaseAddress('queued')]: 'delete' } });
    expect((await project.destroy()).code).toBe(0);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ queued: 'Released' });
  });

  it('Binding has nothing to change, and may not be destroyed any more', async () => {
    const tenant = suite().tenant();
    let bind: () => void = () => undefined;
    const planned = new Promise<void>((resolve) => (bind = resolve));
    const remove = suite().development.plane.requests.add({ before: ({ verb, resource }: RequestRecord) => (verb === 'create' && resource === 'macnodebindings.macrack.io' ? planned : undefined) });
    await make(tenant, 'binding');
    await untilPhase(tenant, 'binding', 'Binding');
    const project = await imported(tenant, 'binding', lease('binding'));
    expect(await said(project, '-detailed-exitcode')).toMatchObject({ code: 0, errors: [] });
    expect(await said(project, '-destroy')).toMatchObject({ code: 1, errors: ['EarlyRelease'] });
    bind();
    remove();
    await untilPhase(tenant, 'binding', 'Bound');
  });

  describe('going:', () => {
    let tenant: TestTenant;
    let project: Project;
    const program = lease('ci');
    beforeAll(async () => {
      tenant = suite().tenant();
      project = suite().project(tenant).configure(program);
      await project.applied();
    });

    it('Held has nothing to change, with one warning; it takes no new machine, which `adopt` would give back', async () => {
      await release(tenant, 'ci');
      await untilPhase(tenant, 'ci', 'Held');
      expect(await said(project, '-detailed-exitcode')).toMatchObject({ code: 0, errors: [], warnings: ['Held'] });
      const run = await project.configure(program, instance('vm', idOf('ci'))).plan();
      expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'LeaseNotBound', address: instanceAddress('vm'), detail: saying('Held') })]);
      expect(await said(project.configure(), '-destroy')).toMatchObject({ errors: ['EarlyRelease'] });
      const adopting = await said(project.configure(lease('ci', { adopt: true }), instance('vm', idOf('ci'))));
      expect(adopting).toMatchObject({ code: 0, errors: [], planned: { [leaseAddress('ci')]: 'update', [instanceAddress('vm')]: 'create' } });
    });

    it('Releasing may be destroyed, which waits for its end', async () => {
      const { clock } = suite().development.plane;
      const { status } = await leaseOnPlane(suite(), tenant, 'ci');
      const floor = Date.parse(status?.earliestReleaseAt ?? '');
      clock.advance(floor + 1000 - clock.now());
      await untilPhase(tenant, 'ci', 'Releasing');
      expect(await said(project.configure(program))).toMatchObject({ code: 0, errors: [] });
      expect(await said(project.configure(program, instance('vm', idOf('ci'))))).toMatchObject({ code: 1, errors: ['LeaseNotBound'] });
      expect(await said(project.configure(), '-destroy')).toMatchObject({ code: 0, errors: [] });
    });

    it('Releasing begins no longer floor', async () => {
      expect(await said(project.configure(lease('ci', { minimum_duration: '48h' })))).toMatchObject({ code: 1, errors: ['LeaseImmutable'] });
    });

    it('Released is gone: it is made anew under its name', async () => {
      await suite().passFloor();
      await untilPhase(tenant, 'ci', 'Released');
      expect(await said(project.configure(program))).toMatchObject({ code: 0, errors: [], planned: { [leaseAddress('ci')]: 'create' } });
      const { uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
      await project.applied();
      expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).not.toBe(uid);
    });
  });
});
