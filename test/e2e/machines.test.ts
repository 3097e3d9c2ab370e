import { until } from '../../sdk/client/until';
import { instanceAddress, raw } from '../harness/configuration';
import { instancesOnPlane, untilInstance } from '../harness/plane-eyes';
import { actions } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs } from '../harness/terraform-suite';
import { macOfATenant } from './specs/mac-of-a-tenant';
import { machines, swaps } from './specs/machines';

const MACS = macs(6).map(({ serial }) => serial);

describeTerraform('machines on a simulated Mac', { macs: macs(6), tenants: 6 }, (suite) => {
  const begin = (index: number) => macOfATenant(suite(), MACS[index] ?? 'none');

  it('that get no address run all the same, with a null address; only `await_ip` makes that an error', async () => {
    const { tenant, mac, ci, vm, project } = begin(0);
    mac.faults.noIP = true;
    project.configure(ci, vm('plain'), vm('patient', { await_ip: true, timeouts: raw('{ create = "12s" }') }));
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

  it('whose Mac is silent are Unknown and keep their slots; when it is back without them they are Failed and hold none', async () => {
    const { tenant, mac, ci, vm, project } = begin(1);
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

  machines(suite, MACS.slice(2, 4));
  swaps(suite, MACS.slice(4));
});
