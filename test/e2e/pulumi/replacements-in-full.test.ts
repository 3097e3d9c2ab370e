import { asking, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

const HOUR_MS = 3_600_000;
const urn = 'urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacNodeLease::ci';

describePulumi('the replacement of a lease', { macs: [...macs(6), ...macs(2, 'pro')], tenants: 5 }, (suite) => {
  interface Stack { readonly tenant: TestTenant; readonly project: PulumiProject }
  let young: Stack;
  const past: Stack[] = [];
  const vms = [instance('vm-1', 'ci'), instance('vm-2', 'ci')];

  async function stack(...lines: readonly string[]): Promise<Stack> {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(...lines);
    await project.updated();
    return { tenant, project };
  }

  beforeAll(async () => {
    past.push(...await Promise.all([stack(lease('ci'), instance('vm', 'ci')), stack(lease('ci', {}, { deleteBeforeReplace: false }), instance('vm', 'ci')), stack(lease('ci'))]));
    suite().development.plane.clock.advance(20 * HOUR_MS);
    young = await stack(lease('ci'), ...vms);
    suite().development.plane.clock.advance(5 * HOUR_MS);
  });

  describe('inside its floor', () => {
    const changes: readonly (readonly [how: string, path: string, resource: string, line: string])[] = [
      ['another class', 'class', 'ci', lease('ci', { class: 'pro' })],
      ['another class, delete first by the user', 'class', 'ci', lease('ci', { class: 'pro' }, { deleteBeforeReplace: true })],
      ['another class, create first by the user', 'class', 'ci', lease('ci', { class: 'pro' }, { deleteBeforeReplace: false })],
      ['another name on the plane', 'name', 'ci', lease('ci', { name: 'ci-2' })],
      ['an alias alone, since the name is that of the resource', 'name', 'ci-2', lease('ci-2', {}, { aliases: [{ name: 'ci' }] })],
    ];

    it.each(changes)('is refused by the check, in a preview and without one, before anything is touched: %s', async (_how, path, resource, line) => {
      const { tenant, project } = young;
      project.program(line, instance('vm-1', resource), instance('vm-2', resource));
      for (const act of [() => project.preview(), () => project.upWithoutPreview()]) {
        const { result: run, writes } = await asking(suite(), tenant.namespace, act);
        const refused = project.errors(run).filter(({ reason }) => reason === 'LeaseImmutable');
        const checked = refused.find(({ message }) => message.includes(`property ${path} value {`));
        expect([run.code, writes, checked?.resource]).toEqual([1, [], resource]);
        expect(checked?.message).toMatch(new RegExp(`lease ${tenant.namespace}/ci cannot make that change.*cannot change ${path} from .*, in 1[89]h`));
      }
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
    });

    it.each(['--replace', '--target-replace'])('is refused in the preview of `%s`', async (option) => {
      const { tenant, project } = young;
      project.program(lease('ci'), ...vms);
      for (const act of [() => project.preview(option, urn), () => project.up(option, urn)]) {
        const { result: run, writes } = await asking(suite(), tenant.namespace, act);
        expect([run.code, writes]).toEqual([1, []]);
        const early = project.errors(run).filter(({ reason }) => reason === 'EarlyRelease');
        expect(early).toEqual([expect.objectContaining({ resource: 'ci' })]);
        expect(early[0]?.message).toContain('would be replaced');
        expect(early[0]?.message).toContain('lease another Mac under another name');
      }
    });

    it('without a preview costs the instances, which go before the hook is asked; the lease stays, and the next update makes them again', async () => {
      const { tenant, project } = young;
      const { uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
      const run = await project.program(lease('ci'), ...vms).upWithoutPreview('--replace', urn);
      expect([run.code, project.errors(run).map(({ reason, resource }) => [reason, resource])]).toEqual([1, expect.arrayContaining([['EarlyRelease', 'ci']])]);
      await project.updated();
      expect([(await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid, await phasesOfLeases(suite(), tenant)]).toEqual([uid, { ci: 'Bound' }]);
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
    });

    it('is none where the resource is renamed with an alias and the name on the plane stays', async () => {
      const { tenant, project } = young;
      const { uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
      project.program(lease('renamed', { name: 'ci' }, { aliases: [{ name: 'ci' }] }), instance('vm-1', 'renamed'), instance('vm-2', 'renamed'));
      const preview = await project.preview();
      expect([preview.code, actions(preview)]).toEqual([0, { renamed: 'update' }]);
      await project.updated();
      expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata).toMatchObject({ uid, annotations: { 'macrack.io/owner': expect.stringMatching(/::renamed$/) as string } });
      expect((await project.preview('--expect-no-changes')).code).toBe(0);
    });
  });

  describe('past its floor', () => {
    it.each([['', 0], [', also where the user says create first', 1]])('gives up instances and lease first and leaves exactly one lease%s', async (_how, index) => {
      const { tenant, project } = past[index] as Stack;
      const before = await leaseOnPlane(suite(), tenant, 'ci');
      project.program(lease('ci', { class: 'pro' }, index === 1 ? { deleteBeforeReplace: false } : {}), instance('vm', 'ci'));
      const preview = await project.preview();
      expect([preview.code, project.errors(preview)]).toEqual([0, []]);
      const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.updated());
      expect(project.errors(run)).toEqual([]);
      expect(writes.map(({ verb, resource }) => `${verb} ${resource.split('.')[0] ?? ''}`)).toEqual([
        'delete macosinstances', 'patch macnodeleases', 'delete macnodeleases', 'create macnodeleases', 'create macosinstances',
      ]);
      const after = await leaseOnPlane(suite(), tenant, 'ci');
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
      expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant), after.spec.class]).toEqual([{ ci: 'Bound' }, { vm: 'Running' }, 'pro']);
      expect((await project.state()).ci?.outputs).toMatchObject({ uid: after.metadata.uid, class: 'pro', chassis: after.status?.chassis });
    });

    it('is refused in the preview while no Mac of the new class is free: the old lease would be lost', async () => {
      const { tenant, project } = past[2] as Stack;
      project.program(lease('ci', { class: 'pro' }));
      for (const act of [() => project.preview(), () => project.upWithoutPreview()]) {
        const { result: run, writes } = await asking(suite(), tenant.namespace, act);
        const refused = project.errors(run).filter(({ reason }) => reason === 'NoCapacity');
        expect([run.code, writes, [...new Set(refused.map(({ resource }) => resource))]]).toEqual([1, [], ['ci']]);
        expect(refused[0]?.message).toMatch(/0 free now.*the old lease would be lost.*under another name first/);
      }
      expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
    });
  });
});
