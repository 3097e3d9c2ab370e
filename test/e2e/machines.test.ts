import { until } from '../../sdk/client/until';
import { Kinds } from '../../sdk/api/kinds';
import { idOf, instance, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { instancesOnPlane, phasesOfInstances, untilInstance } from '../harness/plane-eyes';
import { actions } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, TERRAFORM_DEADLINE_MS, type TestTenant } from '../harness/terraform-suite';

jest.setTimeout(TERRAFORM_DEADLINE_MS);

const MACS = macs(6).map(({ serial }) => serial);

describeTerraform('machines on a simulated Mac', { macs: macs(6), tenants: 6 }, (suite) => {
  /** A tenant with one lease on a Mac of its own. */
  const begin = (serial: string) => {
    const tenant = suite().tenant();
    const mac = suite().development.macs.get(serial)?.mac;
    if (mac === undefined) throw new Error(`there is no simulated Mac ${serial}`);
    const ci = lease('ci', { serial });
    const vm = (name: string, attributes = {}) => instance(name, idOf('ci'), attributes);
    const status = async () => (await suite().admin.get(Kinds.MacNode, { name: serial })).status;
    return { tenant, mac, ci, vm, status, project: suite().project(tenant) };
  };

  const thirdsOf = async ({ namespace }: TestTenant) =>
    (await suite().development.operator().audit.rows({ type: 'Third instance rejected' })).filter((row) => row.tenant === namespace);

  it('that get no address run all the same, with a null address; only `await_ip` makes that an error', async () => {
    const { tenant, mac, ci, vm, project } = begin(MACS[0] ?? '');
    mac.faults.noIP = true;
    project.configure(ci, vm('plain'), vm('patient', { await_ip: true, timeouts: raw('{ create = "4s" }') }));
    const run = await project.apply();
    expect(run.code).toBe(1);
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'Timeout', address: instanceAddress('patient'), at: 'await_ip = true' })]);
    expect(project.errors(run)[0]?.detail).toMatch(/has no IP address yet.*await_ip = false.*terraform untaint/s);
    expect(project.state()[instanceAddress('plain')]).toMatchObject({ tainted: false, attributes: { phase: 'Running', ip: null } });
    expect(project.state()[instanceAddress('patient')]).toMatchObject({ tainted: true, attributes: { phase: 'Running', ip: null } });

    suite().development.plane.clock.advance(60_000);
    await until('it is said to have no address', async () => ((await instancesOnPlane(suite(), tenant))['plain']?.status?.conditions?.some(({ type, status }) => type === 'Addressable' && status === 'False') === true ? true : undefined));
    await project.workspace.run('untaint', instanceAddress('patient'));
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('that the kernel refuses are Failed with KernelLimit and stay in the state; the lease shows the leaked slot', async () => {
    const { tenant, mac, ci, vm, status, project } = begin(MACS[1] ?? '');
    await project.configure(ci, vm('one')).applied();
    mac.faults.leakNextSlot = true;
    await project.applied(`-replace=${instanceAddress('one')}`);
    const run = await project.configure(ci, vm('one'), vm('two')).apply();
    expect(run.code).toBe(1);
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'KernelLimit', address: instanceAddress('two'), detail: saying('a slot has leaked') })]);
    expect(project.state()[instanceAddress('two')]).toMatchObject({ tainted: true, attributes: { phase: 'Failed', reason: 'KernelLimit' } });
    expect((await status())?.conditions).toContainEqual(expect.objectContaining({ type: 'SlotLeak', status: 'True' }));
    expect((await thirdsOf(tenant)).map(({ layer, payload }) => ({ layer, reason: payload['reason'] }))).toEqual([{ layer: 'kernel', reason: 'KernelLimit' }]);

    const { namespace } = tenant;
    expect((await project.plan()).diagnostics.map(({ severity, summary }) => `${severity} ${summary}`)).toContain(`warning KernelLimit: lease ${namespace}/ci: slots 1/2, 1 leaked`);
    expect((await project.workspace.run('apply', '-refresh-only', '-auto-approve')).code).toBe(0);
    expect(project.state()[leaseAddress('ci')]?.attributes).toMatchObject({ phase: 'Bound', slots: { total: 2, used: 1, leaked: 1 } });
  });

  it('that would share an identity do not start; made again, each has one of its own', async () => {
    const { tenant, mac, ci, vm, project } = begin(MACS[2] ?? '');
    await project.configure(ci, vm('first')).applied();
    mac.faults.cloneNextFrom = (await instancesOnPlane(suite(), tenant))['first']?.metadata.uid;
    const run = await project.configure(ci, vm('first'), vm('clone')).apply();
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'IdentityCollision', address: instanceAddress('clone'), detail: saying('belongs to another machine') })]);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ first: 'Running', clone: 'Failed' });

    const again = await project.applied();
    expect(actions(again)).toEqual({ [instanceAddress('clone')]: 'replace' });
    const everywhere = (await suite().admin.list(Kinds.MacOSInstance)).items.flatMap(({ status }) => (status?.mac === undefined ? [] : [{ mac: status.mac, machineID: status.machineID }]));
    expect(new Set(everywhere.map(({ mac: address }) => address)).size).toBe(everywhere.length);
    expect(new Set(everywhere.map(({ machineID }) => machineID)).size).toBe(everywhere.length);
  });

  it('whose Mac is silent are Unknown and keep their slots; when it is back without them they are Failed and hold none', async () => {
    const { tenant, mac, ci, vm, project } = begin(MACS[3] ?? '');
    const pair = [ci, vm('one'), vm('two')];
    await project.configure(...pair).applied();
    mac.faults.unavailable = 'the hypervisor does not answer';
    suite().development.plane.clock.advance(50_000);
    for (const name of ['one', 'two']) await untilInstance(suite(), tenant, name, 'Unknown');
    const silent = await project.configure(...pair, vm('three')).plan();
    expect(project.errors(silent)).toEqual([expect.objectContaining({ reason: 'ThirdInstance', detail: saying('/one (Unknown, ') })]);

    mac.reboot();
    mac.faults.unavailable = undefined;
    suite().development.plane.clock.advance(10_000);
    for (const name of ['one', 'two']) await untilInstance(suite(), tenant, name, 'Failed');
    const back = await project.plan();
    expect({ code: back.code, errors: project.errors(back), planned: actions(back) }).toEqual({ code: 0, errors: [], planned: { [instanceAddress('three')]: 'create' } });
    expect(project.warnings(back).filter(({ reason }) => reason === 'InstanceFailed').map(({ address }) => address).sort()).toEqual([instanceAddress('one'), instanceAddress('two')]);
  });

  it.each([
    ['a reference', idOf('ci')],
    ['a literal', undefined],
  ])('are swapped in one run, one out and one in, where the lease is %s, time after time', async (_how, reference) => {
    const { tenant, ci, status, project } = begin(MACS[reference === undefined ? 5 : 4] ?? '');
    const vm = (name: string) => instance(name, reference ?? `${tenant.namespace}/ci`);
    await project.configure(ci, vm('vm-0'), vm('vm-1')).applied();
    for (const round of [1, 2]) {
      const run = await project.configure(ci, vm(`vm-${round}`), vm(`vm-${round + 1}`)).apply();
      expect({ round, code: run.code, errors: project.errors(run) }).toEqual({ round, code: 0, errors: [] });
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ [`vm-${round}`]: 'Running', [`vm-${round + 1}`]: 'Running' });
    }
    const counts = ((await status())?.journal ?? []).map(({ vmCount }) => vmCount);
    expect(Math.max(...counts)).toBe(2);
    expect(await thirdsOf(tenant)).toEqual([]);
  });
});
