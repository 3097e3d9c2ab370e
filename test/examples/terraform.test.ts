import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kinds } from '../../sdk/api/kinds';
import { until } from '../../sdk/client/until';
import { idOf, instance, lease, raw } from '../harness/configuration';
import { claimsOf, instancesOnPlane, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { actions, Project } from '../harness/project';
import { describeTerraform, macs, type PlaneSuite, type TestTenant } from '../harness/terraform-suite';

const root = resolve(__dirname, '..', '..');
const folder = join(root, 'examples', 'terraform');

/** A directory with the files of an example, whose credentials come from the environment. */
function copy(suite: PlaneSuite, tenant: TestTenant, files: readonly string[]): Project {
  const workspace = suite.workspace(join('examples', tenant.namespace), { KUBE_CONFIG_PATH: tenant.kubeconfig });
  files.forEach((file, index) => workspace.write(readFileSync(file, 'utf8'), index === 0 ? 'main.tf' : `more-${index}.tf`));
  return new Project(workspace, tenant.kubeconfig);
}

const isStable = async (project: Project): Promise<void> => expect((await project.plan('-detailed-exitcode')).code).toBe(0);

async function outputs(project: Project): Promise<Record<string, unknown>> {
  const { stdout } = await project.workspace.run('output', '-json');
  return Object.fromEntries(Object.entries(JSON.parse(stdout) as Record<string, { value: unknown }>).map(([name, { value }]) => [name, value]));
}

describeTerraform('the examples for Terraform', { macs: macs(9), tenants: 5 }, (suite) => {
  const copied = (tenant: TestTenant, ...files: readonly string[]) => copy(suite(), tenant, files);

  it('at the root of the repository lease a Mac for two machines, and refuse a third', async () => {
    const tenant = suite().tenant();
    const project = copied(tenant, join(root, 'main.tf'));
    await project.applied();
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'ci-1': 'Running', 'ci-2': 'Running' });
    await isStable(project);
    const { status } = await leaseOnPlane(suite(), tenant, 'ci');
    expect(await outputs(project)).toMatchObject({ earliest_release_at: status?.earliestReleaseAt });
    project.workspace.write(readFileSync(join(root, 'main.tf'), 'utf8').replace('"ci-2"]', '"ci-2", "ci-3"]'));
    expect(project.errors(await project.plan()).map(({ reason }) => reason)).toEqual(['ThirdInstance']);
  });

  it('lease a fleet by its map, machine by machine', async () => {
    const tenant = suite().tenant();
    const project = copied(tenant, join(folder, 'fleet', 'main.tf'));
    await project.applied();
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ 'ci-a': 'Bound', 'ci-b': 'Bound', release: 'Bound' });
    expect(Object.values(await phasesOfInstances(suite(), tenant))).toEqual(Array.from({ length: 6 }, () => 'Running'));
    await isStable(project);
    const smaller = await project.plan('-var=macs={"ci-a"="base","release"="base"}');
    expect(project.errors(smaller).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
  });

  it('leave a Mac Held where its destroy is asked for early', async () => {
    const tenant = suite().tenant();
    const project = copied(tenant, join(folder, 'hold-on-destroy', 'main.tf'));
    await project.applied();
    const { billed_until } = await outputs(project);
    const run = await project.destroy();
    expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
    expect(project.warnings(run).find(({ reason }) => reason === 'BilledUntil')?.detail).toContain(billed_until);
    expect([await phasesOfLeases(suite(), tenant), await claimsOf(suite(), tenant)]).toEqual([{ nightly: 'Held' }, [expect.any(String)]]);
  });

  it('take a fleet that exists into the state, without a change', async () => {
    const tenant = suite().tenant();
    const shape = raw('{ cpu = 4, memory = "8Gi", disk = "100Gi" }');
    await suite().project(tenant, 'by-hand').configure(lease('a'), lease('b'), instance('a-1', idOf('a'), { shape })).applied();
    const before = await instancesOnPlane(suite(), tenant);
    const project = copied(tenant, join(folder, 'import-fleet', 'main.tf'));
    project.workspace.write(JSON.stringify({ namespace: tenant.namespace, leases: { a: 'base', b: 'base' }, instances: { 'a-1': 'a' } }), 'fleet.auto.tfvars.json');
    const run = await project.applied();
    expect(Object.values(actions(run)).filter((action) => action !== 'import' && action !== 'noop')).toEqual([]);
    expect(run.events.find(({ changes }) => changes?.operation === 'apply')?.changes).toMatchObject({ add: 0, change: 0, remove: 0, import: 3 });
    expect((await instancesOnPlane(suite(), tenant))['a-1']?.metadata.uid).toBe(before['a-1']?.metadata.uid);
    await isStable(project);
  });

  it('fail a check for a Mac that is Held, with a text for a bot', async () => {
    const tenant = suite().tenant();
    const project = copied(tenant, join(folder, 'held-check', 'main.tf'));
    const checks = async () => {
      await project.plan('-out=saved');
      const shown = JSON.parse((await project.workspace.run('show', '-json', 'saved')).stdout) as { checks?: readonly { address: { to_display: string }; status: string; instances?: readonly { problems?: readonly { message: string }[] }[] }[] };
      return Object.fromEntries((shown.checks ?? []).map(({ address, status, instances = [] }) => [address.to_display, [status, ...instances.flatMap(({ problems = [] }) => problems.map(({ message }) => message))].join(': ')]));
    };
    await project.applied();
    expect(await checks()).toEqual({ 'check.no_mac_is_held': 'pass', 'check.the_lease_is_ours': 'pass' });
    await suite().admin.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name: 'ci' }, { spec: { release: true } });
    const floor = await until('the lease is Held', async () => {
      const { status } = await leaseOnPlane(suite(), tenant, 'ci');
      return status?.phase === 'Held' ? status.earliestReleaseAt : undefined;
    });
    expect(await checks()).toEqual({
      'check.no_mac_is_held': `fail: Held and billed: ${tenant.namespace}/ci until ${floor}.`,
      'check.the_lease_is_ours': `fail: Lease ${tenant.namespace}/ci was released outside of this configuration, and is billed until ${floor}. \`adopt = true\` takes it back.`,
    });
  });
});

describeTerraform('the examples on the pages of the provider', { macs: [...macs(2), ...macs(1, 'pro')], tenants: 2 }, (suite) => {
  it('of types and functions work together', async () => {
    const tenant = suite().tenant();
    const files = (kind: string, name: string) => readdirSync(join(folder, kind)).map((type) => join(folder, kind, type, name));
    const text = (path: string) => readFileSync(path, 'utf8').replaceAll('team-a/', `${tenant.namespace}/`);
    const project = copy(suite(), tenant, files('resources', 'resource.tf'));
    const { workspace } = project;
    workspace.write('terraform {\n  required_providers {\n    macrack = { source = "macrack/macrack" }\n  }\n}\n', 'versions.tf');
    await project.applied();
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'build-0': 'Running', 'build-1': 'Running' });

    [...files('data-sources', 'data-source.tf'), ...files('functions', 'function.tf')].forEach((file, index) => workspace.write(text(file), `read-${index}.tf`));
    await project.applied();
    const { status } = await leaseOnPlane(suite(), tenant, 'ci');
    expect(await outputs(project)).toEqual({ ci_earliest_release_at: status?.earliestReleaseAt, held: {}, pro_macs: { free: expect.any(Number) as number, next_release_at: null }, tenant: tenant.namespace });

    await workspace.run('state', 'rm', 'macrack_mac_node_lease.ci', 'macrack_macos_instance.build[0]');
    files('resources', 'import.tf').forEach((file, index) => workspace.write(text(file), `import-${index}.tf`));
    const imported = await project.applied();
    expect(imported.events.find(({ changes }) => changes?.operation === 'apply')?.changes).toMatchObject({ add: 0, change: 0, remove: 0, import: 2 });
    await isStable(project);
  });

  it('of the configuration of the provider are valid', async () => {
    const tenant = suite().tenant();
    const project = copy(suite(), tenant, [join(folder, 'provider', 'provider.tf')]);
    project.workspace.write('', 'ca.pem');
    const run = await project.workspace.run('validate');
    expect({ code: run.code, ...JSON.parse(run.stdout) as object }).toMatchObject({ code: 0, valid: true, error_count: 0 });
  });
});
