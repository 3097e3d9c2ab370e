import { Kinds } from '../../sdk/api/kinds';
import { until } from '../../sdk/client/until';
import { block, idOf, IMAGE, instance, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { asking, instancesOnPlane, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { actions, type Project } from '../harness/project';
import { macrack } from '../cli/command';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

const CREATED_FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';
/** A block with more lines before its end. */
const within = (text: string, lines: string): string => text.replace(/\}\n$/, `  ${lines}\n}\n`);
const moved = (from: string, to: string): string => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
const removed = (from: string, destroy: boolean): string => `removed {\n  from = ${from}\n  lifecycle {\n    destroy = ${destroy}\n  }\n}\n`;
const listed = async (project: Project): Promise<string[]> => (await project.workspace.run('state', 'list')).stdout.trim().split('\n').sort();

describeTerraform('a lease and its machines', { macs: macs(11), tenants: 7 }, (suite) => {
  /** What a run wrote to the plane. */
  const writesOf = async (tenant: TestTenant, act: () => Promise<unknown>) => (await asking(suite(), tenant.namespace, act)).writes;
  const program = [lease('ci'), instance('vm', idOf('ci'))];

  describe('under other addresses', () => {
    let tenant: TestTenant;
    let project: Project;
    beforeAll(async () => {
      tenant = suite().tenant();
      project = suite().project(tenant);
      await project.configure(...program).applied();
    });

    it('by `moved` blocks, also into an index, are the same, and nothing is written', async () => {
      const fleet = [lease('fleet', { for_each: raw('toset(["ci"])'), name: raw('each.key') }), instance('vms', raw('macrack_mac_node_lease.fleet["ci"].id'), { count: 1, name: 'vm' })];
      project.configure(...fleet, moved(leaseAddress('ci'), `${leaseAddress('fleet')}["ci"]`), moved(instanceAddress('vm'), `${instanceAddress('vms')}[0]`));
      expect(await writesOf(tenant, () => project.applied())).toEqual([]);
      expect(await listed(project)).toEqual([`${leaseAddress('fleet')}["ci"]`, `${instanceAddress('vms')}[0]`].sort());
      expect((await project.configure(...fleet).plan('-detailed-exitcode')).code).toBe(0);
    });

    it('by `state mv` are the same', async () => {
      expect((await project.workspace.run('state', 'mv', `${leaseAddress('fleet')}["ci"]`, leaseAddress('ci'))).code).toBe(0);
      expect((await project.workspace.run('state', 'mv', `${instanceAddress('vms')}[0]`, instanceAddress('vm'))).code).toBe(0);
      expect((await project.configure(...program).plan('-detailed-exitcode')).code).toBe(0);
    });

    it('that are swapped by `moved` blocks are refused: a name is immutable', async () => {
      project.configure(lease('other', { name: 'renamed' }), moved(leaseAddress('ci'), leaseAddress('other')), instance('vm', idOf('other')));
      const run = await project.plan();
      expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'LeaseImmutable', at: 'name = "renamed"', address: leaseAddress('other') })]);
    });

    it('go from the state by `removed { destroy = true }` only after the floor: refused', async () => {
      project.configure(removed(leaseAddress('ci'), true), removed(instanceAddress('vm'), true));
      expect(project.errors(await project.plan()).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
    });

    it('go from the state by `removed { destroy = false }`, which no provider hears of: they stay, are listed as data, and a new one of the name says how to take them back', async () => {
      project.configure(removed(leaseAddress('ci'), false), removed(instanceAddress('vm'), false), block('data "macrack_mac_node_leases"', 'all', {}));
      expect(await writesOf(tenant, () => project.applied())).toEqual([]);
      expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Bound' });
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
      expect(project.state()['data.macrack_mac_node_leases.all']?.attributes['leases']).toEqual([expect.objectContaining({ id: `${tenant.namespace}/ci`, phase: 'Bound' })]);

      // The engine asks about a machine only when its lease may be had: one after the other.
      const imports: string[] = [];
      for (const address of [leaseAddress('ci'), instanceAddress('vm')]) {
        const refused = project.errors(await project.configure(...program, ...imports).plan());
        expect(refused).toEqual([expect.objectContaining({ reason: 'AlreadyExists', address })]);
        imports.push(/^import \{\n(?:.*\n)+?\}/m.exec(refused[0]?.detail ?? '')?.[0] ?? 'no import block');
      }
      expect(await writesOf(tenant, () => project.configure(...program, ...imports).applied())).toEqual([]);
      expect((await project.configure(...program).plan('-detailed-exitcode')).code).toBe(0);
    });
  });

  describe('in numbers', () => {
    let tenant: TestTenant;
    let project: Project;
    const fleet = (leases: readonly string[], machines: number) => [
      lease('fleet', { for_each: raw(`toset(${JSON.stringify(leases)})`), name: raw('each.key') }),
      instance('vm', raw('macrack_mac_node_lease.fleet["a"].id'), { count: machines, name: raw('"vm-${count.index}"') }),
    ];
    beforeAll(async () => {
      tenant = suite().tenant();
      project = suite().project(tenant);
      await project.configure(...fleet(['a'], 1)).applied();
    });

    it('grow by `for_each` and `count`, up to two machines', async () => {
      const run = await project.configure(...fleet(['a', 'b'], 2)).applied();
      expect(actions(run)).toEqual({ [`${leaseAddress('fleet')}["b"]`]: 'create', [`${instanceAddress('vm')}[1]`]: 'create' });
      const third = await project.configure(...fleet(['a', 'b'], 3)).plan();
      expect(project.errors(third).map(({ reason, at }) => ({ reason, at }))).toEqual([{ reason: 'ThirdInstance', at: 'lease = macrack_mac_node_lease.fleet["a"].id' }]);
    });

    it('count those of other runs as well, with `-refresh=false` and with `-target` of the third alone', async () => {
      project.configure(...fleet(['a', 'b'], 3));
      for (const args of [['-refresh=false'], [`-target=${instanceAddress('vm')}[2]`], ['-refresh=false', `-target=${instanceAddress('vm')}[2]`]]) {
        expect({ args, reasons: project.errors(await project.plan(...args)).map(({ reason }) => reason) }).toEqual({ args, reasons: ['ThirdInstance'] });
      }
    });

    it('shrink by their machines at once, and by a lease only after its floor', async () => {
      const run = await project.configure(...fleet(['a', 'b'], 1)).applied();
      expect(actions(run)).toEqual({ [`${instanceAddress('vm')}[1]`]: 'delete' });
      const early = await project.configure(...fleet(['a'], 1)).plan();
      expect(project.errors(early).map(({ reason, summary }) => ({ reason, summary }))).toEqual([{ reason: 'EarlyRelease', summary: `EarlyRelease: lease ${tenant.namespace}/b cannot go before its floor` }]);
      const targeted = await project.configure(...fleet(['a', 'b'], 1)).plan('-destroy', `-target=${leaseAddress('fleet')}["b"]`);
      expect(project.errors(targeted).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
    });
  });

  it('show in `-refresh-only` that a lease was released by hand, with one warning, and write nothing', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(...program);
    await project.applied();
    await suite().admin.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'ci' }, { spec: { release: true } });
    const floor = await until('the lease is Held', async () => {
      const { status } = await leaseOnPlane(suite(), tenant, 'ci');
      return status?.phase === 'Held' ? status.earliestReleaseAt : undefined;
    });
    const planned = await project.plan('-refresh-only', '-out=saved');
    expect(project.warnings(planned).map(({ reason }) => reason)).toEqual(['Held']);
    const shown = JSON.parse((await project.workspace.run('show', '-json', 'saved')).stdout) as {
      readonly prior_state: { values: { root_module: { resources: readonly { address: string; values: Record<string, unknown> }[] } } };
      readonly resource_drift: readonly { address: string; change: { before: Record<string, unknown>; after: Record<string, unknown> } }[];
    };
    const prior = shown.prior_state.values.root_module.resources.find(({ address }) => address === leaseAddress('ci'))?.values;
    expect(prior).toMatchObject({ phase: 'Held', earliest_release_at: floor });
    const drift = shown.resource_drift.find(({ address }) => address === leaseAddress('ci'))?.change;
    expect([drift?.before['phase'], drift?.after['phase'], drift?.after['earliest_release_at']]).toEqual(['Bound', 'Held', floor]);
    expect(await writesOf(tenant, () => project.workspace.run('apply', '-refresh-only', '-auto-approve'))).toEqual([]);
    expect(project.state()[leaseAddress('ci')]?.attributes).toMatchObject({ phase: 'Held', earliest_release_at: floor });
  });

  describe('with `create_before_destroy`', () => {
    let tenant: TestTenant;
    let project: Project;
    const both = (image: string, minimum: string) => [within(lease('ci', { minimum_duration: minimum }), CREATED_FIRST), within(instance('vm', idOf('ci'), { image }), CREATED_FIRST)];
    beforeAll(async () => {
      tenant = suite().tenant();
      project = suite().project(tenant);
      await project.configure(...both(IMAGE, '25h')).applied();
    });

    it('keep a machine whose replacement was to come first: the error names the setting', async () => {
      const { uid } = (await instancesOnPlane(suite(), tenant))['vm']?.metadata ?? {};
      const run = await project.configure(...both(`${IMAGE}-beta`, '25h')).apply();
      expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'AlreadyExists', address: instanceAddress('vm') })]);
      expect(project.errors(run)[0]?.detail).toContain('If this resource has `create_before_destroy`, remove that');
      expect((await instancesOnPlane(suite(), tenant))['vm']?.metadata.uid).toBe(uid);
      expect((await project.configure(...both(IMAGE, '25h')).plan('-detailed-exitcode')).code).toBe(0);
    });

    it('keep a lease likewise, also after its floor; without the setting it is replaced', async () => {
      const { uid } = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
      const early = await project.configure(...both(IMAGE, '24h')).plan();
      expect(project.errors(early).map(({ reason }) => reason)).toEqual(['FloorTooShort']);
      await suite().passFloor(3_600_000);
      const run = await project.configure(...both(IMAGE, '24h')).apply();
      expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'AlreadyExists', address: leaseAddress('ci') })]);
      expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(uid);
      await project.configure(lease('ci', { minimum_duration: '24h' }), instance('vm', idOf('ci'))).applied();
      expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).not.toBe(uid);
    });
  });

  it('a lease that `removed { destroy = false }` took from the state is in the orphan report of the fleet once its floor has passed', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant);
    await project.configure(lease('left')).applied();
    await project.configure(removed(leaseAddress('left'), false)).applied();
    const idle = async () => {
      const { stdout } = await macrack('mac', 'orphans', '-o', 'json', '--kubeconfig', suite().development.kubeconfigs['macrack-admin'] ?? '').ended;
      return (JSON.parse(stdout) as { readonly kind: string; readonly what: string }[]).filter(({ kind }) => kind === 'IdleLease').map(({ what }) => what);
    };
    expect(await idle()).not.toEqual(expect.arrayContaining([expect.stringContaining(`${tenant.namespace}/left`)]));
    await suite().passFloor();
    expect(await idle()).toEqual(expect.arrayContaining([expect.stringContaining(`${tenant.namespace}/left`)]));
  });
});
