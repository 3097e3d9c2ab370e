import { until } from '../../../sdk/client/until';
import { Kinds } from '../../../sdk/api/kinds';
import { idOf, instance, lease, leaseAddress } from '../../harness/configuration';
import { instancesOnPlane, leaseOnPlane, phasesOfLeases, recordsOfRelease } from '../../harness/plane-eyes';
import { actions, type Project } from '../../harness/project';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

const HOUR_MS = 3_600_000;

export function holdAppliedBefore(suite: () => PlaneSuite): void {
  let tenant: TestTenant;
  let project: Project;
  const floorOf = async (name: string) => (await leaseOnPlane(suite(), tenant, name)).status?.earliestReleaseAt ?? 'no floor';

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).configure(lease('ci', { on_early_release: 'hold' }), instance('vm-1', idOf('ci')), instance('vm-2', idOf('ci')));
    await project.applied();
  });

  it('lets a destroy be planned, and the plan says until when the Mac is billed', async () => {
    const run = await project.plan('-destroy');
    expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
    const billed = project.warnings(run).filter(({ reason }) => reason === 'BilledUntil');
    expect(billed).toHaveLength(1);
    expect(billed[0]?.detail).toMatch(new RegExp(`becomes Held until ${await floorOf('ci')}, billed for 2[34]h [0-5][0-9]m more`));
  });

  it('makes a destroy succeed with a warning; the lease is Held and out of the state, its machines are gone', async () => {
    const run = await project.destroy();
    expect({ code: run.code, errors: project.errors(run), state: project.state() }).toEqual({ code: 0, errors: [], state: {} });
    expect(project.warnings(run).map(({ summary }) => summary)).toContain(`BilledUntil: lease ${tenant.namespace}/ci is Held until ${await floorOf('ci')}`);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Held' });
    expect(await instancesOnPlane(suite(), tenant)).toEqual({});
    const rows = await suite().development.operator().audit.rows({ type: 'Early delete converted to Held' });
    expect(rows).toEqual([expect.objectContaining({ tenant: tenant.namespace, actor: tenant.namespace })]);
  });
}

export function heldLease(suite: () => PlaneSuite): void {
  let tenant: TestTenant;
  let other: TestTenant;
  let project: Project;

  /** Leases and gives back at once, with the tenant's own credentials. */
  const hold = async ({ namespace }: TestTenant, name: string) => {
    const plane = await suite().development.connectAs(namespace);
    const untilPhase = (phase: string) => until(`lease ${name} is ${phase}`, async () => ((await plane.get(Kinds.MacNodeLease, { namespace, name })).status?.phase === phase ? true : undefined));
    await plane.create(Kinds.MacNodeLease, { metadata: { namespace, name }, spec: { class: 'base' } });
    await untilPhase('Bound');
    await plane.patch(Kinds.MacNodeLease, { namespace, name }, { spec: { release: true } });
    await untilPhase('Held');
    plane.close();
  };
  const held = (run: Awaited<ReturnType<Project['plan']>>) => project.warnings(run).filter(({ reason }) => reason === 'Held');

  beforeAll(async () => {
    tenant = suite().tenant();
    other = suite().tenant();
    project = suite().project(tenant);
    await Promise.all([hold(tenant, 'old'), hold(tenant, 'older'), hold(other, 'theirs')]);
  });

  it('is one warning for its namespace in the plan part of an apply, and none in the apply', async () => {
    const run = await project.configure(lease('next')).applied();
    const floor = (await leaseOnPlane(suite(), tenant, 'old')).status?.earliestReleaseAt ?? 'no floor';
    expect(held(run)).toEqual([expect.objectContaining({ summary: `Held: in namespace ${tenant.namespace} 2 leases are Held` })]);
    for (const word of [`${tenant.namespace}/old `, `${tenant.namespace}/older `, floor, 'billed']) expect(held(run)[0]?.detail).toContain(word);
  });

  it('is no warning when a saved plan is applied', async () => {
    const planned = await project.configure(lease('next', { minimum_duration: '25h' })).plan('-out=saved');
    expect(held(planned)).toHaveLength(1);
    const run = await project.workspace.run('apply', 'saved');
    expect({ code: run.code, held: held(run) }).toEqual({ code: 0, held: [] });
  });

  it('is in the same one warning when it is in the state', async () => {
    await suite().admin.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'next' }, { spec: { release: true } });
    await until('next is Held', async () => ((await leaseOnPlane(suite(), tenant, 'next')).status?.phase === 'Held' ? true : undefined));
    const run = await project.plan();
    expect(held(run)).toEqual([expect.objectContaining({ summary: `Held: in namespace ${tenant.namespace} 3 leases are Held` })]);
    expect({ code: run.code, planned: actions(run) }).toEqual({ code: 0, planned: {} });
  });

  it('is one warning for each namespace that a plan touches', async () => {
    const both = suite().project(tenant, 'both', suite().development.kubeconfigs['macrack-admin']);
    both.configure(lease('a', { namespace: tenant.namespace }), lease('b', { namespace: other.namespace }));
    const run = await both.plan();
    expect(held(run).map(({ summary }) => summary).sort()).toEqual([`Held: in namespace ${tenant.namespace} 3 leases are Held`, `Held: in namespace ${other.namespace} a lease is Held`]);
  });

  it('keeps its name: a new lease of that name is refused at plan', async () => {
    const run = await suite().project(tenant, 'namesake').configure(lease('old')).plan();
    const [error] = project.errors(run);
    expect({ code: run.code, reason: error?.reason }).toEqual({ code: 1, reason: 'NameHeld' });
    expect(error?.detail).toContain('Set adopt = true to keep it (floor unchanged)');
  });

  it('becomes Bound again with `adopt = true`, its floor unchanged', async () => {
    const before = await leaseOnPlane(suite(), tenant, 'old');
    const adopting = suite().project(tenant, 'namesake').configure(lease('old', { adopt: true }));
    const run = await adopting.applied();
    expect(adopting.warnings(run).map(({ reason }) => reason)).toContain('Adopts');
    const after = await leaseOnPlane(suite(), tenant, 'old');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.status).toMatchObject({ phase: 'Bound', earliestReleaseAt: before.status?.earliestReleaseAt });
    expect(adopting.state()[leaseAddress('old')]?.attributes).toMatchObject({ phase: 'Bound', uid: before.metadata.uid, held_since: null });
  });

  it('that became Held while `adopt = true` stays is taken back: the plan says so, and the next one is empty', async () => {
    const before = await leaseOnPlane(suite(), tenant, 'old');
    await suite().admin.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'old' }, { spec: { release: true } });
    await until('old is Held', async () => ((await phasesOfLeases(suite(), tenant))['old'] === 'Held' ? true : undefined));
    const adopting = suite().project(tenant, 'namesake').configure(lease('old', { adopt: true }));
    const run = await adopting.plan();
    expect({ code: run.code, planned: actions(run), adopts: adopting.warnings(run).filter(({ reason }) => reason === 'Adopts').map(({ address }) => address) })
      .toEqual({ code: 0, planned: { [leaseAddress('old')]: 'update' }, adopts: [leaseAddress('old')] });
    await adopting.applied();
    expect((await leaseOnPlane(suite(), tenant, 'old')).status).toMatchObject({ phase: 'Bound', earliestReleaseAt: before.status?.earliestReleaseAt });
    expect((await adopting.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('is released by itself when the clock passes its floor, with one record of it, and is warned about no more', async () => {
    // The floor of one of them was raised by an hour.
    await suite().passFloor(HOUR_MS);
    const released = await until('older is Released', async () => {
      const found = await suite().admin.tryGet(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'older' });
      return found?.status?.phase === 'Released' ? found : undefined;
    });
    expect((released.status?.releasedAt ?? '') >= (released.status?.earliestReleaseAt ?? 'z')).toBe(true);
    await until('all Held leases are Released', async () => ((await phasesOfLeases(suite(), tenant))['next'] === 'Released' ? true : undefined));
    expect(held(await project.configure().plan())).toEqual([]);
    expect(await recordsOfRelease(suite(), { leaseUID: released.metadata.uid })).toHaveLength(1);
  });
}
