import { idOf, instance, instanceAddress, lease, leaseAddress } from '../../harness/configuration';
import { asking, leaseOnPlane, phasesOfInstances } from '../../harness/plane-eyes';
import { actions, type Project } from '../../harness/project';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

/** With one Mac. */
export function youngLease(suite: () => PlaneSuite): void {
  let tenant: TestTenant;
  let project: Project;
  const vms = [instance('vm-1', idOf('ci')), instance('vm-2', idOf('ci'))];
  const whole = [lease('ci'), ...vms];

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).configure(...whole);
    await project.applied();
  });

  const refusal = async () => {
    const { status } = await leaseOnPlane(suite(), tenant, 'ci');
    const until = status?.earliestReleaseAt ?? 'no floor';
    return { until, words: [`${tenant.namespace}/ci`, status?.chassis ?? 'no chassis', until] };
  };

  const early: readonly (readonly [how: string, blocks: readonly string[], args: readonly string[]])[] = [
    ['`plan -destroy`', whole, ['plan', '-destroy']],
    ['`destroy`', whole, ['destroy', '-auto-approve']],
    ['`plan -destroy -target` of the lease', whole, ['plan', '-destroy', `-target=${leaseAddress('ci')}`]],
    ['`plan -destroy -refresh=false`', whole, ['plan', '-destroy', '-refresh=false']],
    ['its removal from the configuration', [], ['plan']],
    ['`-replace`', whole, ['plan', `-replace=${leaseAddress('ci')}`]],
    ['`on_early_release = "hold"` that was not applied before', [lease('ci', { on_early_release: 'hold' }), ...vms], ['plan', '-destroy']],
  ];

  it.each(early)('is refused at plan by %s, with lease, Mac, instant and remaining time', async (how, blocks, args) => {
    project.configure(...blocks);
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.workspace.run(...args));
    const { until, words } = await refusal();
    expect(run.code).toBe(1);
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'EarlyRelease', summary: `EarlyRelease: lease ${tenant.namespace}/ci cannot go before its floor` })]);
    const [error] = project.errors(run);
    for (const word of words) expect(error?.detail).toContain(word);
    expect(error?.detail).toMatch(new RegExp(`${until}, in 2[34]h [0-5][0-9]m`));
    expect(error?.detail).toContain(how === '`-replace`' ? 'lease another Mac under another name' : 'first apply on_early_release = "hold"');
    expect(writes).toEqual([]);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
  });

  it('that is tainted is refused at plan, with the command that keeps it', async () => {
    project.configure(...whole);
    expect((await project.workspace.run('taint', leaseAddress('ci'))).code).toBe(0);
    const run = await project.plan();
    expect(run.code).toBe(1);
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'EarlyRelease', address: leaseAddress('ci') })]);
    expect(project.errors(run)[0]?.detail).toContain('terraform untaint');
    expect((await project.workspace.run('untaint', leaseAddress('ci'))).code).toBe(0);
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('lets its instances go: they have no floor', async () => {
    const run = await project.plan('-destroy', `-target=${instanceAddress('vm-1')}`);
    expect({ code: run.code, errors: project.errors(run), planned: actions(run) }).toEqual({ code: 0, errors: [], planned: { [instanceAddress('vm-1')]: 'delete' } });
  });
}
