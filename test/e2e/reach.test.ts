import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../sdk/client/until';
import type { RequestRecord } from '../../devplane/server/observer';
import { block, idOf, instance, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { asking, claimsOf, leaseOnPlane, phasesOfLeases } from '../harness/plane-eyes';
import { actions, type Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

describeTerraform('a plan over a state', { macs: macs(2), tenants: 2 }, (suite) => {
  let tenant: TestTenant;
  let owner: Project;
  const program = [lease('ci'), instance('vm-1', idOf('ci'))];

  beforeAll(async () => {
    tenant = suite().tenant();
    owner = suite().project(tenant).configure(...program);
    await owner.applied();
  });

  /** Another directory with the same state, and other credentials. */
  const withState = (name: string, kubeconfig: string): Project => {
    const project = suite().project(tenant, name, kubeconfig);
    copyFileSync(join(owner.workspace.dir, 'terraform.tfstate'), join(project.workspace.dir, 'terraform.tfstate'));
    return project;
  };
  const kubeconfigFile = (name: string, text: string): string => {
    const path = join(suite().directory, `${name}.kubeconfig`);
    writeFileSync(path, text);
    return path;
  };

  it('works for a user who may only read, and says what it could not check', async () => {
    const viewer = withState('viewer', tenant.viewerKubeconfig).configure(...program, instance('vm-2', idOf('ci')), lease('next'));
    const { result: run, writes } = await asking(suite(), `${tenant.namespace}-viewer`, () => viewer.plan());
    expect({ code: run.code, errors: viewer.errors(run), writes }).toEqual({ code: 0, errors: [], writes: [] });
    expect(actions(run)).toEqual({ [instanceAddress('vm-2')]: 'create', [leaseAddress('next')]: 'create' });
    const unchecked = viewer.warnings(run).filter(({ reason }) => reason === 'NotChecked');
    expect(unchecked.map(({ summary }) => summary).sort()).toEqual(['macnodeleases', 'macosinstances'].map((kind) => `NotChecked: no right to create ${kind} in ${tenant.namespace}`));
  });

  it('refuses a third instance also for a user who may only read', async () => {
    const viewer = withState('viewer', tenant.viewerKubeconfig).configure(...program, instance('vm-2', idOf('ci')), instance('vm-3', idOf('ci')));
    expect(viewer.errors(await viewer.plan()).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
  });

  describe('without a connection', () => {
    let cut: Project;
    beforeAll(() => {
      cut = withState('cut', kubeconfigFile('cut', readFileSync(tenant.kubeconfig, 'utf8').replaceAll(suite().development.plane.url, 'https://127.0.0.1:1')));
    });

    it('rests on the state, with one warning that says so', async () => {
      const run = await cut.configure(...program, instance('vm-2', idOf('ci'))).plan();
      expect({ code: run.code, errors: cut.errors(run), planned: actions(run) }).toEqual({ code: 0, errors: [], planned: { [instanceAddress('vm-2')]: 'create' } });
      const unchecked = cut.warnings(run).filter(({ reason }) => reason === 'NotChecked');
      expect(unchecked.map(({ summary }) => summary)).toEqual(['NotChecked: the control plane cannot be asked']);
      expect(unchecked[0]?.detail).toMatch(/floors, slots, names and capacity were not checked, and nothing can be destroyed/);
    });

    it('refuses to destroy, and the state stays', async () => {
      const run = await cut.configure(...program).destroy();
      expect(run.code).toBe(1);
      // Terraform asks about a lease only when its instances may go.
      expect(cut.errors(run)).toEqual([expect.objectContaining({ reason: 'NotChecked', address: instanceAddress('vm-1') })]);
      expect(cut.state()).toEqual(owner.state());
    });

    it('refuses to replace a lease whose floor it cannot see', async () => {
      const run = await cut.configure(lease('ci', { class: 'pro' }), instance('vm-1', idOf('ci'))).plan();
      expect(cut.errors(run)).toEqual([expect.objectContaining({ address: leaseAddress('ci') })]);
    });
  });

  it('with an expired token is an error that says what to renew', async () => {
    const { plane } = suite().development;
    const token = plane.addUser({ name: `${tenant.namespace}-late`, groups: [], expiresAt: 1 });
    const late = withState('late', kubeconfigFile('late', plane.kubeconfig(`${tenant.namespace}-late`, { [`${tenant.namespace}-late`]: tenant.namespace }))).configure(...program);
    const run = await late.plan();
    expect(run.code).toBe(1);
    expect([...new Set(late.errors(run).map(({ reason }) => reason))]).toEqual(['Unauthorized']);
    expect(late.errors(run)[0]?.detail).toMatch(/have expired\. Renew the kubeconfig, token or client certificate/);
    expect(`${run.stdout}${run.stderr}`).not.toContain(token);
    expect(late.state()).toEqual(owner.state());
  });

  it('that may not be read is an error, never "gone": the state stays, also in a destroy', async () => {
    const stranger = withState('stranger', suite().tenant().kubeconfig).configure(lease('ci', { namespace: tenant.namespace }), instance('vm-1', idOf('ci')));
    for (const run of [await stranger.plan(), await stranger.destroy('-refresh=false')]) {
      expect(run.code).toBe(1);
      expect(stranger.errors(run).map(({ reason }) => reason)).toEqual(['Forbidden']);
      expect(stranger.errors(run)[0]?.detail).toContain('does not count as gone, so the state stays as it is');
    }
    expect(stranger.state()).toEqual(owner.state());
  });

  it('reads leases and classes as data, with typed values', async () => {
    const reader = suite().project(tenant, 'reader').configure(
      block('data "macrack_mac_node_lease"', 'ci', { name: 'ci' }), block('data "macrack_mac_node_leases"', 'bound', { phase: 'Bound' }), block('data "macrack_mac_class"', 'base', { name: 'base' }));
    await reader.applied();
    const { status } = await leaseOnPlane(suite(), tenant, 'ci');
    const { 'data.macrack_mac_node_lease.ci': one, 'data.macrack_mac_node_leases.bound': all, 'data.macrack_mac_class.base': base } = reader.state();
    const shown = {
      id: `${tenant.namespace}/ci`, class: 'base', phase: 'Bound', chassis: status?.chassis, node: status?.node, bound_at: status?.boundAt,
      earliest_release_at: status?.earliestReleaseAt, held_since: null, slots: { total: 2, used: 1, leaked: 0 },
    };
    expect(one?.attributes).toMatchObject({ ...shown, namespace: tenant.namespace, serial: null });
    expect(all?.attributes).toMatchObject({ namespace: tenant.namespace, leases: [shown] });
    expect(base?.attributes).toMatchObject({ cpu: 8, memory: '16Gi', total: 2, unleased: 1, leased: 1, held: 0 });
    const absent = await reader.configure(block('data "macrack_mac_node_lease"', 'none', { name: 'none' })).plan();
    expect(reader.errors(absent)).toEqual([expect.objectContaining({ reason: 'LeaseNotFound', at: 'name = "none"' })]);
  });
});

describeTerraform('a class with one Mac', { macs: [...macs(1), ...macs(1, 'pro'), ...macs(1, 'studio')], tenants: 4 }, (suite) => {
  const wait = (seconds: number) => ({ timeouts: raw(`{ create = "${seconds}s" }`) });

  it('that two applies want at once goes to one; the other waits, is withdrawn at its timeout, and pays nothing', async () => {
    const contenders = [suite().tenant(), suite().tenant()].map((tenant) => ({ tenant, project: suite().project(tenant).configure(lease('pro', { class: 'pro', ...wait(15) })) }));
    const runs = Promise.all(contenders.map(({ project }) => project.apply()));
    await until('one is Bound and one Pending', async () => {
      const phases = (await Promise.all(contenders.map(({ tenant }) => phasesOfLeases(suite(), tenant)))).map(({ pro }) => pro);
      return [...phases].sort().join() === 'Bound,Pending' ? true : undefined;
    });
    const outcomes = (await runs).map((run, i) => ({ run, ...contenders[i] as (typeof contenders)[number] })).sort((a, b) => a.run.code - b.run.code);
    expect(outcomes.map(({ run }) => run.code)).toEqual([0, 1]);
    const [won, lost] = outcomes;
    if (won === undefined || lost === undefined) throw new Error('two applies ran');
    expect(await claimsOf(suite(), won.tenant)).toEqual(['c02pro01']);
    expect(lost.project.errors(lost.run)).toEqual([expect.objectContaining({ reason: 'NoCapacity', at: 'class = "pro"' })]);
    expect(lost.project.errors(lost.run)[0]?.detail).toMatch(/withdrawn before it bound, so nothing is billed/);
    expect({ claims: await claimsOf(suite(), lost.tenant), state: lost.project.state() }).toEqual({ claims: [], state: {} });
    const { status } = await leaseOnPlane(suite(), lost.tenant, 'pro');
    expect({ phase: status?.phase, boundAt: status?.boundAt }).toEqual({ phase: 'Released', boundAt: undefined });

    const planned = await lost.project.plan();
    expect(lost.project.warnings(planned)).toContainEqual(expect.objectContaining({ reason: 'NoCapacity', at: 'class = "pro"', detail: saying('0 free now') }));
    expect(planned.code).toBe(0);
  });

  it('that binds only when the create timeout has passed is kept: in the state, with a warning, not tainted', async () => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(lease('late', wait(2)));
    let letBind: () => void = () => undefined;
    const gaveUp = new Promise<void>((resolve) => (letBind = resolve));
    let looks = 0;
    const remove = suite().development.plane.requests.add({
      before: (record: RequestRecord) => (record.verb === 'create' && record.resource === 'macnodebindings.macrack.io' ? gaveUp : undefined),
      after(record) {
        // The second look at its name is that of a create that gives up.
        if (record.user === tenant.namespace && record.verb === 'get' && record.name === 'late' && ++looks === 2) letBind();
      },
    });
    const run = await project.apply();
    remove();
    expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
    const { status } = await leaseOnPlane(suite(), tenant, 'late');
    expect(project.warnings(run)).toContainEqual(expect.objectContaining({ reason: 'Timeout', detail: saying(`its floor ends at ${status?.earliestReleaseAt}`) }));
    expect(project.state()[leaseAddress('late')]).toMatchObject({ tainted: false, attributes: { phase: 'Bound', id: `${tenant.namespace}/late`, earliest_release_at: status?.earliestReleaseAt } });
  });

  it('that may not be watched while it binds is in the state as an error, with the command that keeps it', async () => {
    const tenant = suite().tenant();
    const { plane } = suite().development;
    const user = `${tenant.namespace}-blind`;
    plane.addUser({ name: user, groups: [] });
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'blind', namespace: tenant.namespace } };
    await plane.load([
      { ...role, rules: [{ apiGroups: ['macrack.io'], resources: ['macnodeleases', 'macosinstances'], verbs: ['get', 'list', 'create', 'patch'] }] },
      { ...role, kind: 'RoleBinding', roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'blind' }, subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }] },
    ]);
    const kubeconfig = join(suite().directory, `${user}.kubeconfig`);
    writeFileSync(kubeconfig, plane.kubeconfig(user, { [user]: tenant.namespace }));
    const project = suite().project(tenant, 'blind', kubeconfig).configure(lease('blind', { class: 'studio' }));
    let letBind: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (letBind = resolve));
    const remove = plane.requests.add({ before: ({ verb, resource }) => (verb === 'create' && resource === 'macnodebindings.macrack.io' ? ended : undefined) });
    const run = await project.apply();
    letBind();
    remove();
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'Timeout', address: leaseAddress('blind'), detail: saying(/cannot watch resource.*may bind, and from then on it is billed.*terraform untaint/s) })]);
    expect(project.state()[leaseAddress('blind')]?.tainted).toBe(true);

    await until('it is Bound', async () => ((await leaseOnPlane(suite(), tenant, 'blind')).status?.phase === 'Bound' ? true : undefined));
    expect(project.errors(await project.plan()).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
    await project.workspace.run('untaint', leaseAddress('blind'));
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
    expect(await claimsOf(suite(), tenant)).toHaveLength(1);
  });
});
