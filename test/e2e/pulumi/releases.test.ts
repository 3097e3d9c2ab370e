import type { Outcome } from '../../../cli/pulumi/outcome';
import { asking, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject, words } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { saying } from '../../harness/saying';

const HOUR_MS = 3_600_000;
const leaseUrn = (name: string): string => `urn:pulumi:dev::main::pulumi-nodejs:dynamic/macrack:MacNodeLease::${name}`;
const UNREGISTERED = 'hook "macrack:lease-floor/v1" was not registered';

describePulumi('a lease that a program no longer has', { macs: macs(6), tenants: 3 }, (suite) => {
  let pair: { readonly tenant: TestTenant; readonly project: PulumiProject };
  let bare: typeof pair;
  let old: typeof pair;
  const vms = [instance('vm-1', 'ci'), instance('vm-2', 'ci')];

  async function stack(...lines: readonly string[]): Promise<typeof pair> {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(...lines);
    await project.updated();
    return { tenant, project };
  }

  beforeAll(async () => {
    [pair, bare, old] = await Promise.all([
      stack(lease('ci'), ...vms),
      stack(lease('ci'), lease('other'), lease('retained', {}, { retainOnDelete: true })),
      stack(lease('gone'), lease('guarded', {}, { protect: true }), instance('vm', 'gone')),
    ]);
    suite().development.plane.clock.advance(5 * HOUR_MS);
  });

  describe('inside its floor', () => {
    const preview = (...args: string[]) => (p: PulumiProject): Promise<Outcome> => p.preview(...args);
    const ways: readonly (readonly [how: string, lines: readonly string[], run: (p: PulumiProject) => Promise<Outcome>])[] = [
      ['its removal, with its instances', [], preview()],
      ['its removal, previewed as a text', [], (p) => p.workspace.previewText()],
      ['its removal, by an update that previews first', [], (p) => p.up()],
      ['its removal, that is the only target', [], preview('--target-dependents', '--target', leaseUrn('ci'))],
      ['another name of its resource', [lease('ci-2'), instance('vm-1', 'ci-2'), instance('vm-2', 'ci-2')], preview()],
      ['`destroy --run-program`', [lease('ci'), ...vms], (p) => p.destroy()],
      ['`destroy --run-program --preview-only`', [lease('ci'), ...vms], (p) => p.workspace.run('destroy', '--run-program', '--preview-only')],
    ];

    it.each(ways)('is refused in the preview, with lease, Mac, instant and remaining time: %s', async (_how, lines, act) => {
      const { tenant, project } = pair;
      const { result: run, writes } = await asking(suite(), tenant.namespace, () => act(project.program(...lines)));
      const { status } = await leaseOnPlane(suite(), tenant, 'ci');
      expect([run.code, writes]).toEqual([1, []]);
      const early = project.errors(run).filter(({ reason }) => reason === 'EarlyRelease');
      expect(early).toEqual([expect.objectContaining({ resource: 'ci' })]);
      for (const word of [`${tenant.namespace}/ci (Mac ${status?.chassis ?? '?'})`, status?.earliestReleaseAt ?? '?', 'onEarlyRelease: "hold"']) expect(early[0]?.message).toContain(word);
      expect(early[0]?.message).toMatch(/, in 1[89]h [0-5][0-9]m/);
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
    });

    it('is a delete of the preview for machines, beside its refusal', async () => {
      const run = await pair.project.program().preview();
      expect(actions(run)).toMatchObject({ ci: 'delete' });
    });

    it('is refused by `up --skip-preview` as well, and nothing is deleted', async () => {
      const { tenant, project } = bare;
      const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.program(lease('other'), lease('retained', {}, { retainOnDelete: true })).upWithoutPreview());
      expect([run.code, project.errors(run).map(({ reason, resource }) => [reason, resource])]).toEqual([1, expect.arrayContaining([['EarlyRelease', 'ci']])]);
      expect(writes).toEqual([]);
      expect(Object.keys(await project.state())).toEqual(expect.arrayContaining(['ci', 'other', 'retained']));
    });

    it('is refused with `retainOnDelete`, which would leave it billed and unknown', async () => {
      const run = await bare.project.program(lease('ci'), lease('other')).preview();
      expect([run.code, bare.project.errors(run)]).toEqual([1, expect.arrayContaining([expect.objectContaining({ reason: 'EarlyRelease', resource: 'retained' })])]);
    });

    it.each([
      ['is not a target', ['--target', leaseUrn('other')]],
      ['is excluded', ['--exclude', leaseUrn('ci')]],
    ])('is left alone by an update of which it %s', async (_how, args) => {
      const run = await bare.project.program(lease('other'), lease('retained', {}, { retainOnDelete: true })).upWithoutPreview(...args);
      expect([run.code, bare.project.errors(run)]).toEqual([0, []]);
      expect(Object.keys(await bare.project.state())).toContain('ci');
      expect(await phasesOfLeases(suite(), bare.tenant)).toEqual({ ci: 'Bound', other: 'Bound', retained: 'Bound' });
    });

    it.each([
      ['preview', (p: PulumiProject) => p.preview()],
      ['up --skip-preview', (p: PulumiProject) => p.upWithoutPreview()],
      ['destroy --run-program', (p: PulumiProject) => p.destroy()],
    ] as const)('is refused by the engine itself where the program does not import the package: %s', async (_how, act) => {
      const { result: run, writes } = await asking(suite(), bare.tenant.namespace, () => act(bare.project.files('')));
      expect([run.code, words(run)]).toEqual([1, saying(UNREGISTERED)]);
      expect(writes).toEqual([]);
    });
  });

  describe('past its floor', () => {
    beforeAll(() => suite().development.plane.clock.advance(20 * HOUR_MS));

    it('stays where it is protected: in the words of Pulumi', async () => {
      const run = await old.project.program(lease('gone'), instance('vm', 'gone')).preview();
      expect([run.code, words(run)]).toEqual([1, saying(/cannot be deleted[^]*protect/)]);
    });

    it('goes, its instances first, and the state holds neither', async () => {
      const { tenant, project } = old;
      project.program(lease('guarded', {}, { protect: true }));
      const preview = await project.preview();
      expect([preview.code, project.errors(preview), actions(preview)]).toEqual([0, [], { gone: 'delete', vm: 'delete' }]);
      const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.updated());
      expect(project.errors(run)).toEqual([]);
      expect(writes.map(({ verb, resource, name }) => `${verb} ${resource} ${name ?? ''}`)).toEqual(['delete macosinstances.macrack.io vm', 'patch macnodeleases.macrack.io gone']);
      expect(Object.keys(await project.state())).toEqual(['guarded']);
      expect(await phasesOfLeases(suite(), tenant)).toEqual({ gone: 'Released', guarded: 'Bound' });
    });
  });
});
