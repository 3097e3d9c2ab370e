import type { Outcome } from '../../../cli/pulumi/outcome';
import { asking, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import type { PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

describePulumi('twenty young leases', { macs: [...macs(20), ...macs(1, 'pro')], tenants: 1 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  const names = Array.from({ length: 20 }, (_, i) => `ci-${String(i + 1).padStart(2, '0')}`);
  const loop = (from: number, firstClass = 'base'): string => `for (let i = ${from}; i <= 20; i += 1) new macrack.MacNodeLease(\`ci-\${String(i).padStart(2, "0")}\`, { class: i === 1 ? "${firstClass}" : "base" });`;

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).program(loop(1));
    await project.updated();
  });

  const early = (run: Outcome): string[] => [...new Set(project.errors(run).filter(({ reason }) => reason === 'EarlyRelease').map(({ resource }) => resource ?? 'nowhere'))].sort();

  it.each([
    ['removed: `preview --json`', [], (p: PulumiProject) => p.preview()],
    ['removed: `preview`', [], (p: PulumiProject) => p.workspace.previewText()],
    ['removed: `up --skip-preview`', [], (p: PulumiProject) => p.upWithoutPreview()],
    ['declared: `destroy --run-program --preview-only`', [loop(1)], (p: PulumiProject) => p.workspace.run('destroy', '--run-program', '--preview-only')],
  ] as const)('are refused, all of them, each at its resource, where they are %s', async (how, lines, act) => {
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => act(project.program(...lines)));
    expect([run.code, writes, early(run)]).toEqual([1, [], names]);
    if (how.includes('`preview`')) for (const name of names) expect(run.stdout).toContain(`EarlyRelease: lease ${tenant.namespace}/${name} cannot go before its floor`);
  });

  it('are told of although a changed class is refused before any of them is reached', async () => {
    const run = await project.program(loop(1, 'pro').replace('i <= 20', 'i <= 15')).preview();
    expect([run.code, early(run)]).toEqual([1, names.slice(15)]);
    expect(project.errors(run).filter(({ reason }) => reason === 'LeaseImmutable').every(({ resource }) => resource === 'ci-01')).toBe(true);
    for (const { message } of project.errors(run).filter(({ reason }) => reason === 'EarlyRelease')) expect(message).toContain('would be removed from the program');
    expect(new Set(Object.values(await phasesOfLeases(suite(), tenant)))).toEqual(new Set(['Bound']));
  });
});
