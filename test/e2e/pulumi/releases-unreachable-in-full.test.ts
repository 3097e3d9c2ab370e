import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asking, leaseOnPlane, phasesOfInstances, phasesOfLeases } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import type { PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

const HOUR_MS = 3_600_000;

describePulumi('a lease past its floor whose release meets a fault', { macs: macs(4), tenants: 3 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  let kubeconfig: string;
  let stuck: { readonly tenant: TestTenant; readonly project: PulumiProject };
  const lines = [lease('ci', { timeouts: { delete: '5s' } }), instance('vm', 'ci'), 'exports.where = ci.chassis.apply((serial) => serial.toUpperCase());'];

  /** Lets the stack use another server, or another user. */
  const reach = (change: (text: string) => string): void => writeFileSync(kubeconfig, change(readFileSync(tenant.kubeconfig, 'utf8')));
  const server = (address: string) => (text: string): string => text.replace(/(server"?: "?)https:\/\/127\.0\.0\.1:\d+/, `$1${address}`);

  beforeAll(async () => {
    tenant = suite().tenant();
    kubeconfig = join(suite().directory, 'of-the-stack.kubeconfig');
    reach((text) => text);
    project = suite().project(tenant, 'main', kubeconfig).program(...lines);
    await project.updated();
    const other = suite().tenant();
    stuck = { tenant: other, project: suite().project(other).program(lease('ci', { timeouts: { delete: '5s' } })) };
    await stuck.project.updated();
    suite().development.plane.clock.advance(25 * HOUR_MS);
  });

  // The engine takes an error without a text for success, which is what Node makes of a host with two addresses that both refuse.
  it.each([
    ['one address', 'https://127.0.0.1:1'],
    ['a host with two addresses', 'https://localhost:1'],
  ])('is refused while nobody answers at %s, with a reason, and the state keeps it', async (_what, address) => {
    reach(server(address));
    for (const act of [() => project.program().preview(), () => project.upWithoutPreview(), () => project.program(...lines).destroy('--skip-preview')]) {
      const { result: run, writes } = await asking(suite(), tenant.namespace, act);
      const [error] = project.errors(run).filter(({ resource }) => resource === 'ci' || resource === 'vm');
      expect([run.code, writes, error?.message]).toEqual([1, [], expect.stringMatching(/NotChecked: .*ECONNREFUSED.*Run it again when the control plane answers/)]);
    }
    expect(Object.keys(await project.state()).sort()).toEqual(['ci', 'vm']);
  });

  it('is refused for a user who may look and not release; the lease stays in the state', async () => {
    writeFileSync(kubeconfig, readFileSync(tenant.viewerKubeconfig, 'utf8'));
    const run = await project.program().upWithoutPreview();
    expect([run.code, project.errors(run).map(({ reason }) => reason)]).toEqual([1, expect.arrayContaining(['Forbidden'])]);
    expect([await phasesOfLeases(suite(), tenant), await phasesOfInstances(suite(), tenant)]).toEqual([{ ci: 'Bound' }, { vm: 'Running' }]);
    expect(Object.keys(await project.state()).sort()).toEqual(['ci', 'vm']);
  });

  it('is refused while the operator is away, whose webhooks see every change, and stays in the state', async () => {
    reach((text) => text);
    // Its instance goes while there is an operator, which counts it.
    await project.program(lines[0] ?? '').updated();
    await suite().development.operator().stop();
    const run = await project.program().upWithoutPreview();
    expect([run.code, project.errors(run).filter(({ resource }) => resource === 'ci').map(({ message }) => message)]).toEqual([1, [expect.stringMatching(/NotChecked: cannot release lease .*failed calling webhook.*Nothing was changed\. Run it again/)]]);
    expect([Object.keys(await project.state()), await phasesOfLeases(suite(), tenant)]).toEqual([['ci'], { ci: 'Bound' }]);
  });

  it('goes with the next run, although outputs that the program uses are absent', async () => {
    await suite().development.restartOperator();
    const run = await project.program(...lines.filter((line) => !line.includes('"vm"'))).destroy();
    expect([run.code, project.errors(run), await project.state()]).toEqual([0, [], {}]);
    expect(await phasesOfLeases(suite(), tenant)).toEqual({ ci: 'Released' });
  });

  it('stays in the state while its Mac does not confirm the wipe: a delete never ends on Releasing', async () => {
    const serial = (await leaseOnPlane(suite(), stuck.tenant, 'ci')).status?.chassis ?? '';
    await suite().development.macs.get(serial)?.agent.stop();
    const run = await stuck.project.program().upWithoutPreview();
    expect([run.code, stuck.project.errors(run).filter(({ resource }) => resource === 'ci').map(({ message }) => message)]).toEqual([1, [expect.stringMatching(/Timeout: lease .* is not released yet.*goes on.*timeouts\.delete/)]]);
    expect([Object.keys(await stuck.project.state()), await phasesOfLeases(suite(), stuck.tenant)]).toEqual([['ci'], { ci: 'Releasing' }]);
  });
});
