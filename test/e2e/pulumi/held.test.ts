import type { Outcome } from '../../../cli/pulumi/outcome';
import { leaseOutside, releaseOutside } from '../../harness/outside';
import { leaseOnPlane } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { lease } from '../../harness/pulumi/declarations';
import { actions, nameOf, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

describePulumi('a lease that became Held outside', { macs: macs(6), tenants: 2 }, (suite) => {
  interface Stack { readonly tenant: TestTenant; readonly project: PulumiProject }
  let plain: Stack;
  let shown: Stack;

  async function stack(...lines: readonly string[]): Promise<Stack> {
    const tenant = suite().tenant();
    const project = suite().project(tenant).program(...lines);
    await project.updated();
    return { tenant, project };
  }

  const held = ({ project }: Stack, run: Outcome) => project.warnings(run).filter(({ reason }) => reason === 'Held');
  const billed = async ({ tenant }: Stack, name: string): Promise<RegExp> =>
    new RegExp(`lease ${tenant.namespace}/${name} is Held, billed until ${(await leaseOnPlane(suite(), tenant, name)).status?.earliestReleaseAt ?? '?'}, 2[34]h [0-5][0-9]m more`);

  beforeAll(async () => {
    [plain, shown] = await Promise.all([stack(lease('ci')), stack(lease('ci', { statusInDiff: true }))]);
  });

  it('is nothing of the first preview after an update, in both modes', async () => {
    for (const { project } of [plain, shown]) {
      const run = await project.preview('--expect-no-changes');
      expect([run.code, actions(run), project.warnings(run)]).toEqual([0, {}, []]);
    }
  });

  describe('and others of its namespace', () => {
    beforeAll(async () => {
      // What an update that changes nothing leaves in the state is what later ones compare with.
      await shown.project.updated();
      for (const name of ['old', 'older']) await leaseOutside(suite(), plain.tenant, name);
      await Promise.all([...['ci', 'old', 'older'].map((name) => releaseOutside(suite(), plain.tenant, name)), releaseOutside(suite(), shown.tenant, 'ci')]);
    });

    it('are warnings of a preview that changes nothing: one at the resource, one for all others', async () => {
      const run = await plain.project.preview('--expect-no-changes');
      expect([run.code, actions(run)]).toEqual([0, {}]);
      const [here, others, ...more] = held(plain, run).sort((a) => (a.resource === 'ci' ? -1 : 1));
      expect(more).toEqual([]);
      expect(here).toMatchObject({ resource: 'ci', message: expect.stringMatching(await billed(plain, 'ci')) as string });
      expect(others?.message).toMatch(new RegExp(`in namespace ${plain.tenant.namespace} 2 leases are Held\\. Held and billed: .*/old .*until.*; .*/older .*until`));
      expect(others?.message).not.toContain('/ci ');
    });

    it('stand in the text of the preview, under the resource', async () => {
      const { stdout } = await plain.project.workspace.previewText();
      const [, diagnostics = ''] = stdout.split('Diagnostics:');
      expect(diagnostics).toMatch(/MacNodeLease \(ci\):\n\s+warning: Held: lease .*\/ci is Held, billed until /);
      expect(diagnostics.split(`in namespace ${plain.tenant.namespace} 2 leases are Held`)).toHaveLength(2);
    });

    it('are said once although the program declares resources later than others', async () => {
      plain.project.program(lease('ci'), 'setTimeout(() => { new pulumi.ComponentResource("acme:index:Late", "late"); macrack.getMacNodeLease({ name: "old" }).then(({ phase }) => pulumi.log.info(phase)); }, 1_000);');
      const run = await plain.project.preview();
      expect([run.code, held(plain, run).length]).toEqual([0, 2]);
    });

    it('is also said in a preview that is refused for another reason', async () => {
      const run = await plain.project.program(lease('ci'), lease('more', { class: 'none' })).preview();
      expect([run.code, held(plain, run).map(({ resource }) => resource)]).toEqual([1, expect.arrayContaining(['ci'])]);
    });

    it('shows its phase as a difference with `statusInDiff`, beside the warning', async () => {
      const run = await shown.project.preview();
      expect([run.code, actions(run), run.changeSummary]).toEqual([0, { ci: 'update' }, { same: 1, update: 1 }]);
      const step = run.steps.find(({ urn, op }) => nameOf(urn) === 'ci' && op === 'update');
      expect([step?.oldState?.inputs?.observed, step?.newState?.inputs?.observed]).toEqual([expect.objectContaining({ phase: 'Bound' }), expect.objectContaining({ phase: 'Held' })]);
      expect(held(shown, run)).toEqual([expect.objectContaining({ resource: 'ci', message: expect.stringMatching(await billed(shown, 'ci')) as string })]);
      expect((await shown.project.workspace.previewText('--diff')).stdout).toMatch(/~ phase\s*: "Bound" => "Held"/);
      expect((await shown.project.preview('--expect-no-changes')).code).not.toBe(0);
    });

    it('is no difference any more once an update has stored it, which writes nothing to the plane', async () => {
      const { metadata } = await leaseOnPlane(suite(), shown.tenant, 'ci');
      await shown.project.updated();
      expect((await leaseOnPlane(suite(), shown.tenant, 'ci')).metadata.generation).toBe(metadata.generation);
      expect((await shown.project.preview('--expect-no-changes')).code).toBe(0);
      expect((await shown.project.state()).ci?.outputs).toMatchObject({ phase: 'Held', observed: { phase: 'Held' } });
    });
  });
});
