import { worked } from '../../../cli/pulumi/workspace';
import { deleteOutside, leaseOutside, releaseOutside } from '../../harness/outside';
import { asking, leaseOnPlane, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

const HOUR_MS = 3_600_000;

describePulumi('a lease of the plane that no state has', { macs: [...macs(8), ...macs(1, 'pro')], tenants: 1 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  let mine: PulumiProject;

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant);
    await Promise.all(['held', 'bound', 'deleted'].map((name) => leaseOutside(suite(), tenant, name)));
    await Promise.all([releaseOutside(suite(), tenant, 'held'), deleteOutside(suite(), tenant, 'deleted')]);
  });

  const refusals: readonly (readonly [what: string, line: string, reason: string, words: RegExp])[] = [
    ['a Held one without `adopt`', lease('held'), 'NameHeld', /is Held until .*Set adopt: true to keep it \(floor unchanged\)/],
    ['a Held one of another class', lease('held', { adopt: true, class: 'pro' }), 'NameHeld', /of class base, not pro.*set class: "base"/],
    ['one that is Held because its object was deleted', lease('deleted', { adopt: true }), 'NameHeld', /was deleted on the server, so it cannot be kept/],
    ['a Bound one without `adopt`', lease('bound'), 'AlreadyExists', /phase Bound.*Set adopt: true to take it into this stack/],
    ['a Bound one of another class', lease('bound', { adopt: true, class: 'pro' }), 'LeaseImmutable', /cannot be adopted.*another class: base/],
    ['a Bound one with another serial', lease('bound', { adopt: true, serial: 'c02other1' }), 'LeaseImmutable', /cannot be adopted.*another serial: c02base/],
  ];

  it.each(refusals)('is refused, in a preview and without one: %s', async (_what, line, reason, words) => {
    project.program(line);
    for (const act of [() => project.preview(), () => project.upWithoutPreview()]) {
      const { result: run, writes } = await asking(suite(), tenant.namespace, act);
      const errors = project.errors(run).filter((error) => error.reason === reason);
      expect([run.code, writes, errors[0]?.message]).toEqual([1, [], expect.stringMatching(words)]);
      expect(errors.every(({ resource }) => resource === 'held' || resource === 'bound' || resource === 'deleted')).toBe(true);
    }
  });

  it.each(['held', 'bound'])('is adopted with `adopt: true`, its Mac and its floor unchanged, and the preview says so at the resource: %s', async (name) => {
    const before = await leaseOnPlane(suite(), tenant, name);
    project = suite().project(tenant, `adopts-${name}`).program(lease(name, { adopt: true }));
    const preview = await project.preview();
    expect([preview.code, project.errors(preview), actions(preview)]).toEqual([0, [], { [name]: 'create' }]);
    expect(project.warnings(preview).filter(({ reason }) => reason === 'Adopts').map(({ resource }) => resource)).toEqual([name]);
    expect(project.warnings(preview).filter(({ reason }) => reason === 'NewLeases')).toEqual([]);
    const run = await project.updated();
    expect(project.errors(run)).toEqual([]);
    const after = await leaseOnPlane(suite(), tenant, name);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.status).toMatchObject({ phase: 'Bound', chassis: before.status?.chassis, boundAt: before.status?.boundAt, earliestReleaseAt: before.status?.earliestReleaseAt });
    expect((await project.state())[name]?.outputs).toMatchObject({ phase: 'Bound', uid: before.metadata.uid });
    expect((await project.preview('--expect-no-changes')).code).toBe(0);
  });

  it('is the other stack\'s while that has it: a second one is refused, and takes it with `adopt`', async () => {
    const second = suite().project(tenant, 'second').program(lease('bound'));
    const refused = await second.preview();
    expect([refused.code, second.errors(refused).map(({ reason, resource }) => [reason, resource])]).toEqual([1, expect.arrayContaining([['AlreadyExists', 'bound']])]);
    await second.program(lease('bound', { adopt: true })).updated();
    expect((await leaseOnPlane(suite(), tenant, 'bound')).metadata.annotations?.['macrack.io/owner']).toContain('urn:pulumi:dev::second::');
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ held: 'Bound', bound: 'Bound', deleted: 'Held' });
  });

  it('is not released by the stack that it was taken from: it only leaves its state', async () => {
    const first = project;
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => first.program().up());
    expect([run.code, first.errors(run), writes, await first.state()]).toEqual([0, [], [], {}]);
    expect(first.warnings(run).filter(({ reason }) => reason === 'OwnedElsewhere')).toEqual([expect.objectContaining({ resource: 'bound', message: expect.stringContaining('urn:pulumi:dev::second::') as string })]);
    expect((await phasesOfLeases(suite(), tenant)).bound).toBe('Bound');
  });

  it('that is in the state and became Held is Bound again with `adopt: true`', async () => {
    mine = suite().project(tenant, 'mine').program(lease('own'));
    await mine.updated();
    const before = await releaseOutside(suite(), tenant, 'own');
    mine.program(lease('own', { adopt: true }));
    const preview = await mine.preview();
    expect([preview.code, actions(preview)]).toEqual([0, { own: 'update' }]);
    await mine.updated();
    expect((await leaseOnPlane(suite(), tenant, 'own')).status).toMatchObject({ phase: 'Bound', earliestReleaseAt: before.status?.earliestReleaseAt });
    expect((await mine.preview('--expect-no-changes')).code).toBe(0);
  });

  it('and became Held while `adopt: true` stays is taken back each time: the preview says so as an update, and the next one is empty', async () => {
    for (const first of [() => Promise.resolve(), async () => worked(await mine.workspace.refresh())]) {
      const before = await releaseOutside(suite(), tenant, 'own');
      await first();
      const { result: preview, writes } = await asking(suite(), tenant.namespace, () => mine.preview());
      expect([preview.code, actions(preview), writes]).toEqual([0, { own: 'update' }, []]);
      expect(mine.warnings(preview).filter(({ resource }) => resource === 'own').map(({ reason }) => reason).sort()).toEqual(['Adopts', 'Held']);
      await mine.updated();
      expect((await leaseOnPlane(suite(), tenant, 'own')).status).toMatchObject({ phase: 'Bound', earliestReleaseAt: before.status?.earliestReleaseAt });
      expect((await mine.preview('--expect-no-changes')).code).toBe(0);
      expect((await mine.preview('--refresh', '--expect-no-changes')).code).toBe(0);
    }
  });

  it('is not lost, past its floor, to a rename that adopts it: the old resource does not release what the new one has', async () => {
    suite().development.plane.clock.advance(25 * HOUR_MS);
    const { uid } = (await leaseOnPlane(suite(), tenant, 'own')).metadata;
    await mine.program(lease('renamed', { name: 'own', adopt: true })).updated();
    expect([Object.keys(await mine.state()), (await leaseOnPlane(suite(), tenant, 'own')).metadata.uid]).toEqual([['renamed'], uid]);
    expect((await phasesOfLeases(suite(), tenant)).own).toBe('Bound');
  });
});
