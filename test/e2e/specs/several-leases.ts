import { idOf, instance, lease, leaseAddress } from '../../harness/configuration';
import { asking, instancesOnPlane, leaseOnPlane, phasesOfLeases, recordsOfRelease } from '../../harness/plane-eyes';
import { actions, type Project } from '../../harness/project';
import { saying } from '../../harness/saying';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

/** With seven Macs of class base and one of class pro. */
export function severalLeases(suite: () => PlaneSuite): void {
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
    beforeAll(() => suite().passFloor());

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
      const { uid } = (await leaseOnPlane(suite(), tenant, 'kept')).metadata;
      const run = await project.applied();
      expect(project.errors(run)).toEqual([]);
      expect(Object.keys(project.state())).toEqual([leaseAddress('grown')]);
      expect(await instancesOnPlane(suite(), tenant)).toEqual({});
      expect(await recordsOfRelease(suite(), { leaseUID: uid })).toHaveLength(1);
    });
  });
}
