import { idOf, instance, instanceAddress, lease, leaseAddress } from '../harness/configuration';
import { asking, instancesOnPlane, leaseOnPlane, passFloor, phasesOfInstances, phasesOfLeases, recordsOfRelease } from '../harness/plane-eyes';
import { actions, type Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, TERRAFORM_DEADLINE_MS, type TestTenant } from '../harness/terraform-suite';

jest.setTimeout(TERRAFORM_DEADLINE_MS);

describeTerraform('a young lease', { macs: macs(1), tenants: 1 }, (suite) => {
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
});

describeTerraform('several leases in one run', { macs: [...macs(7), ...macs(1, 'pro')], tenants: 1 }, (suite) => {
  let tenant: TestTenant;
  let project: Project;
  const all = ['gone', 'grown', 'again', 'kept'];

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).configure(...all.map((name) => lease(name)), lease('parked', { on_early_release: 'hold' }), instance('vm', idOf('kept')));
    await project.applied();
  });

  it('are each refused with a cause of its own, and the changes beside them are planned', async () => {
    project.configure(
      lease('grown', { class: 'pro' }), lease('again'), lease('kept'), lease('fresh'),
      instance('vm', idOf('kept'), { image: 'ghcr.io/acme/macos-sequoia:15.2' }),
    );
    const run = await project.plan(`-replace=${leaseAddress('again')}`);
    expect(run.code).toBe(1);
    const id = (name: string) => `${tenant.namespace}/${name}`;
    const refused = project.errors(run).map(({ reason, at, detail }) => ({ reason, at, detail })).sort((a, b) => (a.detail < b.detail ? -1 : 1));
    expect(refused).toEqual([
      { reason: 'EarlyRelease', at: saying('"again" {'), detail: saying(`${id('again')} (Mac `) },
      { reason: 'EarlyRelease', at: undefined, detail: saying(`${id('gone')} (Mac `) },
      { reason: 'LeaseImmutable', at: 'class = "pro"', detail: saying(`${id('grown')} cannot change class from base to pro`) },
    ]);
    expect(refused[0]?.detail).toContain('would be replaced (by -replace');
    expect(refused[1]?.detail).toContain('would be destroyed or removed from the configuration');
    expect(project.warnings(run).filter(({ reason }) => reason === 'BilledUntil')).toEqual([expect.objectContaining({ detail: saying(`${id('parked')} (Mac `) })]);
    expect(await phasesOfLeases(suite(), tenant)).toEqual(Object.fromEntries([...all, 'parked'].map((name) => [name, 'Bound'])));
  });

  it('change class inside the floor no more with `hold` than without', async () => {
    project.configure(...all.map((name) => lease(name)), lease('parked', { class: 'pro', on_early_release: 'hold' }), instance('vm', idOf('kept')));
    const run = await project.plan();
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'LeaseImmutable', at: 'class = "pro"', address: leaseAddress('parked') })]);
    expect(project.errors(run)[0]?.detail).toContain('on_early_release = "hold" does not permit a replacement');
  });

  describe('after the clock passed their floors', () => {
    beforeAll(() => passFloor(suite()));

    it('may all be destroyed', async () => {
      const run = await project.plan('-destroy');
      expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
    });

    it('change class by a replacement that gives up the old lease first', async () => {
      project.configure(...all.map((name) => lease(name, name === 'grown' ? { class: 'pro' } : {})), lease('parked', { on_early_release: 'hold' }), instance('vm', idOf('kept')));
      const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.applied());
      expect(actions(run)).toEqual({ [leaseAddress('grown')]: 'replace' });
      expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['patch macnodeleases.macrack.io', 'delete macnodeleases.macrack.io', 'create macnodeleases.macrack.io']);
      expect((await leaseOnPlane(suite(), tenant, 'grown')).status).toMatchObject({ phase: 'Bound', chassis: 'c02pro01' });
      expect(project.state()[leaseAddress('grown')]?.attributes).toMatchObject({ class: 'pro', chassis: 'c02pro01' });
    });

    it('are not replaced while no Mac of the new class is free: the old lease would be lost', async () => {
      project.configure(...all.map((name) => lease(name, name === 'gone' || name === 'kept' ? {} : { class: 'pro' })), lease('parked', { on_early_release: 'hold' }), instance('vm', idOf('kept')));
      const run = await project.plan();
      expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'NoCapacity', at: 'class = "pro"', address: leaseAddress('again') })]);
      expect(project.errors(run)[0]?.detail).toMatch(/0 free now.*the old lease would be lost.*under another name first/);
    });

    it('go when they are removed from the configuration, with Mac and claim', async () => {
      project.configure(lease('grown', { class: 'pro' }));
      const { chassis } = (await leaseOnPlane(suite(), tenant, 'kept')).status ?? {};
      const run = await project.applied();
      expect(project.errors(run)).toEqual([]);
      expect(Object.keys(project.state())).toEqual([leaseAddress('grown')]);
      expect(await instancesOnPlane(suite(), tenant)).toEqual({});
      expect(await recordsOfRelease(suite(), { serial: chassis })).toHaveLength(1);
    });
  });
});
