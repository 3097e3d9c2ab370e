import { idOf, instance, instanceAddress, lease, leaseAddress } from '../harness/configuration';
import { asking, claimsOf, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { killedAt, type KillPoint } from '../harness/killed-engine';
import type { Project, Said } from '../harness/project';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

const program = [lease('ci'), instance('vm-1', idOf('ci')), instance('vm-2', idOf('ci'))];
/** A lease and two instances: one write each. */
const POINTS = [1, 2, 3].flatMap((write) => (['before', 'after'] as const).map((moment): KillPoint => ({ write, moment })));

/** The `import` block of a message, as its reader would copy it. */
const importBlock = ({ detail }: Said): string => /^import \{\n(?:.*\n)+?\}/m.exec(detail)?.[0] ?? 'no import block';

describeTerraform('an apply that is killed', { macs: macs(9), tenants: 9 }, (suite) => {
  const isWhole = async (tenant: TestTenant, project: Project) => {
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
    expect(await claimsOf(suite(), tenant)).toHaveLength(1);
    expect(Object.keys(project.state()).sort()).toEqual([leaseAddress('ci'), instanceAddress('vm-1'), instanceAddress('vm-2')].sort());
    expect(Object.values(project.state()).map(({ tainted }) => tainted)).toEqual([false, false, false]);
  };

  /** Addresses of what is on the plane and not in the state. */
  const madeUnseen = async (tenant: TestTenant, project: Project) => {
    const made = [...Object.keys(await phasesOfLeases(suite(), tenant)).map(leaseAddress), ...Object.keys(await phasesOfInstances(suite(), tenant)).map(instanceAddress)];
    return made.filter((address) => project.state()[address] === undefined).sort();
  };

  /** Engines store what was made sooner or later. What names a lease that is refused is planned, and refused, only once the lease is imported. */
  const importedAsTheRefusalsSay = async (project: Project, lost: readonly string[]) => {
    const imports: string[] = [];
    for (let left = lost; left.length > 0;) {
      const next = left.includes(leaseAddress('ci')) ? [leaseAddress('ci')] : left;
      const refused = project.errors(await project.configure(...program, ...imports).apply());
      expect(refused.map(({ reason, address }) => `${reason} ${address}`).sort()).toEqual(next.map((address) => `AlreadyExists ${address}`));
      imports.push(...refused.map(importBlock));
      left = left.filter((address) => !next.includes(address));
    }
    await project.configure(...program, ...imports).applied();
  };

  it('makes one write for a lease and one for each instance', async () => {
    const tenant = suite().tenant();
    const { writes } = await asking(suite(), tenant.namespace, () => suite().project(tenant).configure(...program).applied());
    expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['create macnodeleases.macrack.io', 'create macosinstances.macrack.io', 'create macosinstances.macrack.io']);
  });

  it.each(POINTS)('$moment write $write converges: what was made unseen is imported as the refusal says, and the plan is empty', async (point) => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(...program);
    const { killed, run } = await killedAt(suite(), tenant.namespace, point, () => project.workspace.start('apply', '-auto-approve'));
    expect({ killed, code: run.code }).toEqual({ killed: true, code: 137 });

    const lost = await madeUnseen(tenant, project);
    expect(lost.length > 0 || point.moment === 'before').toBe(true);
    await importedAsTheRefusalsSay(project, lost);
    expect((await project.configure(...program).plan('-detailed-exitcode')).code).toBe(0);
    await isWhole(tenant, project);
  });

  it('after it made the lease converges as well with `adopt = true`', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(...program);
    await killedAt(suite(), tenant.namespace, { write: 1, moment: 'after' }, () => project.workspace.start('apply', '-auto-approve'));
    await project.configure(lease('ci', { adopt: true }), ...program.slice(1)).applied();
    await isWhole(tenant, project);
  });

  it('and a destroy too: killed before and after each of its writes, run again each time, it ends with the lease Held and nothing else', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('ci', { on_early_release: 'hold' }), ...program.slice(1));
    await project.applied();
    let kills = 0;
    for (let moment: KillPoint['moment'] = 'before'; ; moment = moment === 'before' ? 'after' : 'before') {
      const { killed } = await killedAt(suite(), tenant.namespace, { write: 1, moment }, () => project.workspace.start('destroy', '-auto-approve'));
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThanOrEqual(4);
    // The configuration asks for machines on a lease that is Held by now; the refusal says how the destroy goes on.
    const stopped = await project.destroy();
    expect(project.errors(stopped).map(({ reason }) => reason)).toEqual(['LeaseNotBound', 'LeaseNotBound']);
    expect(project.errors(stopped)[0]?.detail).toContain('`terraform destroy -refresh=false` does not');
    expect((await project.destroy('-refresh=false')).code).toBe(0);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Held' });
    expect(await phasesOfInstances(suite(), tenant)).toEqual({});
    expect(await claimsOf(suite(), tenant)).toHaveLength(1);
    expect(project.state()).toEqual({});
  });
});
