import { worked } from '../../../cli/pulumi/workspace';
import { Kinds } from '../../../sdk/api/kinds';
import { until } from '../../../sdk/client/until';
import { asking, instancesOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { code, instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

const NAMES = ['vm-1', 'vm-2', 'vm-3'];

describePulumi('instances', { macs: macs(8), tenants: 12 }, (suite) => {
  const start = (): { readonly tenant: TestTenant; readonly project: PulumiProject } => {
    const tenant = suite().tenant();
    return { tenant, project: suite().project(tenant) };
  };
  const refusals = (project: PulumiProject, run: Awaited<ReturnType<PulumiProject['preview']>>) => new Set(project.errors(run).map(({ reason, resource }) => `${reason} ${resource}`));

  /** What one program says in every way of running it, and that nothing was written. */
  const refusedEverywhere = async (tenant: TestTenant, project: PulumiProject): Promise<string> => {
    const { result, writes } = await asking(suite(), tenant.namespace, async () => [await project.preview(), await project.up(), await project.upWithoutPreview()]);
    expect({ codes: result.map(({ code: exit }) => exit), writes }).toEqual({ codes: [1, 1, 1], writes: [] });
    for (const run of result.slice(0, 2)) expect(new Set([...refusals(project, run)].map((text) => text.replace(/vm-\d/, 'vm-n')))).toEqual(new Set(['ThirdInstance vm-n']));
    // Without a preview the lease itself is refused, so that nothing is billed.
    expect(refusals(project, result[2] ?? worked(await project.preview()))).toContain('ThirdInstance ci');
    return project.errors(result[0] ?? worked(await project.preview()))[0]?.message ?? '';
  };

  describe.each([
    ['by its object', (_tenant: TestTenant): string | undefined => undefined],
    ['by "namespace/name"', ({ namespace }: TestTenant): string | undefined => `${namespace}/ci`],
  ] as const)('that name a new lease %s', (_how, named) => {
    const on = (tenant: TestTenant, name: string) => instance(name, 'ci', named(tenant) === undefined ? {} : { lease: named(tenant) });

    it('are at most two: three are refused from the program alone, and nothing exists', async () => {
      const { tenant, project } = start();
      project.program(lease('ci'), ...NAMES.map((name) => on(tenant, name)));
      const message = await refusedEverywhere(tenant, project);
      for (const name of NAMES) expect(message).toContain(`${tenant.namespace}/${name}`);
      expect(message).toContain('section 2B(iii)');
      expect([await phasesOfLeases(suite(), tenant), await instancesOnPlane(suite(), tenant), await project.state()]).toEqual([{}, {}, {}]);
    });

    it('are made after it, in one update', async () => {
      const { tenant, project } = start();
      // The instances stand first where they can: their order in the program means nothing.
      const lines = [lease('ci'), on(tenant, 'vm-1'), on(tenant, 'vm-2')];
      project.program(...(named(tenant) === undefined ? lines : lines.toReversed()));
      const preview = worked(await project.preview());
      expect(actions(preview)).toEqual({ ci: 'create', 'vm-1': 'create', 'vm-2': 'create' });
      const run = await project.updated();
      expect(run.steps.map(({ urn }) => urn).findIndex((urn) => urn.endsWith('::ci'))).toBeLessThan(run.steps.map(({ urn }) => urn).findIndex((urn) => urn.includes('::vm-')));
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
      worked(await project.preview('--expect-no-changes'));
    });
  });

  describe('that name a new lease by its id, which a preview does not know', () => {
    it('are checked as far as can be, with one line each that says what was not', async () => {
      const { project } = start();
      const run = await project.program(lease('ci'), instance('vm-1', 'ci', { lease: code('ci.id') }), instance('bad', 'ci', { lease: code('ci.id'), image: 'not an image' })).preview();
      expect(run.code).toBe(1);
      expect(refusals(project, run)).toEqual(new Set(['InvalidValue bad']));
    });

    it('are refused in the update before a third exists', async () => {
      const { tenant, project } = start();
      project.program(lease('ci'), ...NAMES.map((name) => instance(name, 'ci', { lease: code('ci.id') })));
      const preview = await project.preview();
      const unchecked = project.warnings(preview).filter(({ reason }) => reason === 'NotChecked');
      expect({ code: preview.code, errors: project.errors(preview) }).toEqual({ code: 0, errors: [] });
      expect(unchecked.map(({ resource }) => resource).sort()).toEqual(NAMES);
      expect(unchecked[0]?.message).toMatch(/its lease, and with it whose Mac it asks for and whether a slot is free/);
      const run = await project.upWithoutPreview();
      expect(run.code).toBe(1);
      expect([...refusals(project, run)].map((text) => text.replace(/vm-\d/, 'vm-n'))).toContain('ThirdInstance vm-n');
      expect(Object.keys(await instancesOnPlane(suite(), tenant)).length).toBeLessThan(3);
    });
  });

  it('on the lease of another tenant are refused, and learn nothing of what is on it', async () => {
    const { tenant, project } = start();
    await project.program(lease('ci'), instance('vm-1', 'ci')).updated();
    const stranger = start();
    const { result: run, writes } = await asking(suite(), stranger.tenant.namespace, () => stranger.project.program(instance('squatter', 'ci', { lease: `${tenant.namespace}/ci`, namespace: stranger.tenant.namespace })).preview());
    expect({ code: run.code, writes }).toEqual({ code: 1, writes: [] });
    expect(refusals(stranger.project, run)).toEqual(new Set(['CrossTenant squatter']));
    expect(`${run.stdout}${run.stderr}`).not.toMatch(/vm-1|c02base/);
  });

  it('on a lease that there is not are refused, with the name', async () => {
    const { tenant, project } = start();
    const run = await project.program(instance('vm', 'none', { lease: `${tenant.namespace}/none` })).preview();
    expect(run.code).toBe(1);
    expect(refusals(project, run)).toEqual(new Set(['LeaseNotFound vm']));
    expect(project.errors(run)[0]?.message).toContain(`${tenant.namespace}/none`);
  });

  it('on a lease that is Held are refused: it is not Bound', async () => {
    const { tenant, project } = start();
    await project.program(lease('ci')).updated();
    await suite().admin.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'ci' }, { spec: { release: true } });
    await until('it is Held', async () => ((await phasesOfLeases(suite(), tenant))['ci'] === 'Held' ? true : undefined));
    const run = await project.program(lease('ci'), instance('vm', 'ci')).preview();
    expect(run.code).toBe(1);
    expect(refusals(project, run)).toEqual(new Set(['LeaseNotBound vm']));
  });
});
