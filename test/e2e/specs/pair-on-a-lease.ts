import { Kinds } from '../../../sdk/api/kinds';
import { IMAGE, idOf, instance, instanceAddress, lease, raw } from '../../harness/configuration';
import { asking, instancesOnPlane, leaseOnPlane, phasesOfInstances, untilInstance } from '../../harness/plane-eyes';
import { actions, type Project } from '../../harness/project';
import { saying } from '../../harness/saying';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

const on = (name: string, ...leases: readonly string[]) => leases.map((l) => instance(name, idOf(l))).join('\n');

/** On a fresh plane with three Macs for two tenants. */
export function pairOnALease(suite: () => PlaneSuite): void {
  let tenant: TestTenant;
  let project: Project;
  const pair = [lease('ci'), on('vm-1', 'ci'), on('vm-2', 'ci')];

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).configure(...pair, lease('spare'));
    await project.applied();
  });

  it('takes no third: refused at plan with both instances, their age and owner, the Mac, and the command that frees one', async () => {
    project.configure(...pair, lease('spare'), on('vm-3', 'ci'));
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => project.plan());
    const { chassis } = (await leaseOnPlane(suite(), tenant, 'ci')).status ?? {};
    const { namespace } = tenant;
    expect({ code: run.code, writes }).toEqual({ code: 1, writes: [] });
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'ThirdInstance', at: 'lease = macrack_mac_node_lease.ci.id' })]);
    const holder = (name: string) => `${namespace}/${name} \\(Running, 0h 0[0-9]m old, of ${namespace}\\)`;
    expect(project.errors(run)[0]?.detail).toMatch(new RegExp(
      `^Lease ${namespace}/ci \\(Mac ${chassis}\\) takes 2 instances, and 3 are asked for. Its slots are held by ${holder('vm-1')} and ${holder('vm-2')}; refused: ${namespace}/vm-3. `
      + `.*section 2B\\(iii\\).*\`kubectl delete macosinstance vm-1 -n ${namespace}\``));
  });

  it('has no setting for more: Terraform knows no such argument', async () => {
    project.configure(lease('ci', { max_vms: 3 }), ...pair.slice(1), lease('spare'));
    const run = await project.plan();
    expect(project.errors(run)).toEqual([expect.objectContaining({ summary: 'Unsupported argument', at: 'max_vms = 3' })]);
  });

  it('is the same whether sizes are written 4Gi or 4096Mi', async () => {
    const shape = raw('{ cpu = 2, memory = "4096Mi", disk = "40960Mi" }');
    project.configure(lease('ci'), instance('vm-1', idOf('ci'), { shape }), on('vm-2', 'ci'), lease('spare'));
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('keeps its Mac when an image, a size or the lease of an instance changes: only the instance is replaced', async () => {
    project.configure(lease('ci'), instance('vm-1', idOf('ci'), { image: `${IMAGE}-beta` }), instance('vm-2', idOf('ci'), { shape: raw('{ cpu = 3, memory = "4Gi", disk = "40Gi" }') }), lease('spare'));
    const changed = await project.plan();
    expect({ code: changed.code, planned: actions(changed) }).toEqual({ code: 0, planned: { [instanceAddress('vm-1')]: 'replace', [instanceAddress('vm-2')]: 'replace' } });

    const before = (await leaseOnPlane(suite(), tenant, 'ci')).metadata;
    const moved = await project.configure(lease('ci'), on('vm-1', 'ci'), on('vm-2', 'spare'), lease('spare')).applied();
    expect(actions(moved)).toEqual({ [instanceAddress('vm-2')]: 'replace' });
    expect((await instancesOnPlane(suite(), tenant))['vm-2']).toMatchObject({ spec: { leaseName: 'spare' }, status: { phase: 'Running' } });
    expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(before.uid);
  });

  it('refuses sizes that do not fit its Mac together', async () => {
    project.configure(lease('ci'), on('vm-1', 'ci'), on('vm-2', 'spare'), lease('spare'), instance('big', idOf('ci'), { shape: raw('{ cpu = 4, memory = "13Gi", disk = "40Gi" }') }));
    const run = await project.plan();
    // Which of the two is named depends on the order in which the engine plans them: the sum is what is refused.
    expect(project.errors(run).map(({ reason }) => reason)).toEqual(['ShapeTooLarge']);
    expect(project.errors(run)[0]?.detail).toMatch(/2 instance\(s\) of lease .*\/ci ask for 17Gi of memory together, and a chassis of class base has 16Gi/);
  });

  it('is not for another tenant, who learns nothing of what is on it', async () => {
    const stranger = suite().tenant();
    const theirs = suite().project(stranger).configure(instance('squatter', `${tenant.namespace}/ci`, { namespace: stranger.namespace }));
    const run = await theirs.plan();
    expect(theirs.errors(run)).toEqual([expect.objectContaining({ reason: 'CrossTenant', at: `lease = "${tenant.namespace}/ci"` })]);
    expect(`${run.stdout}${run.stderr}`).not.toMatch(/vm-1|c02base/);
  });

  it('has a deleted instance made again, and keeps itself', async () => {
    const { admin } = suite();
    project.configure(lease('ci'), on('vm-1', 'ci'), on('vm-2', 'spare'), lease('spare'));
    await admin.remove(Kinds.MacOSInstance, { namespace: tenant.namespace, name: 'vm-1' });
    const run = await project.applied();
    expect(actions(run)).toEqual({ [instanceAddress('vm-1')]: 'create' });
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
  });

  it('has an instance that was stopped by hand as a drift of its power state alone', async () => {
    await suite().admin.patch(Kinds.MacOSInstance, { namespace: tenant.namespace, name: 'vm-1' }, { spec: { running: false } });
    await untilInstance(suite(), tenant, 'vm-1', 'Stopped');
    const run = await project.plan('-out=drift');
    expect(actions(run)).toEqual({ [instanceAddress('vm-1')]: 'update' });
    const shown = JSON.parse((await project.workspace.run('show', '-json', 'drift')).stdout) as { resource_changes: { address: string; change: { before: Record<string, unknown>; after: Record<string, unknown> } }[] };
    const change = shown.resource_changes.find(({ address }) => address === instanceAddress('vm-1'))?.change;
    const inputs = ['namespace', 'name', 'lease', 'image', 'shape', 'running', 'await_ip'];
    expect(inputs.filter((key) => JSON.stringify(change?.before[key]) !== JSON.stringify(change?.after[key]))).toEqual(['running']);
  });

  it('keeps the slot, the disk and the identity of an instance that is not to run', async () => {
    const stopped = [lease('ci'), instance('vm-1', idOf('ci'), { running: false }), on('vm-2', 'ci')];
    await project.configure(...stopped, lease('spare')).applied();
    const { status } = (await instancesOnPlane(suite(), tenant))['vm-1'] ?? {};
    expect(status).toMatchObject({ phase: 'Stopped' });
    const third = await project.configure(...stopped, lease('spare'), on('vm-3', 'ci')).plan();
    expect(project.errors(third)).toEqual([expect.objectContaining({ reason: 'ThirdInstance', detail: saying(/vm-1 \(Stopped, .*a stopped instance counts/) })]);
    await project.configure(...pair, lease('spare')).applied();
    expect((await instancesOnPlane(suite(), tenant))['vm-1']?.status).toMatchObject({ phase: 'Running', slot: status?.slot, machineID: status?.machineID, mac: status?.mac });
  });
}
