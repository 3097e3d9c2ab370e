import { Kinds } from '../../../sdk/api/kinds';
import { idOf, instance, instanceAddress, leaseAddress } from '../../harness/configuration';
import { instancesOnPlane, phasesOfInstances } from '../../harness/plane-eyes';
import { actions } from '../../harness/project';
import { saying } from '../../harness/saying';
import type { PlaneSuite } from '../../harness/terraform-suite';
import { macOfATenant } from './mac-of-a-tenant';

/** With these two Macs, which nobody else uses. */
export function machines(suite: () => PlaneSuite, serials: readonly string[]): void {
  const begin = (index: number) => macOfATenant(suite(), serials[index] ?? 'none');

  it('that the kernel refuses are Failed with KernelLimit and stay in the state; the lease shows the leaked slot', async () => {
    const { tenant, mac, ci, vm, status, thirds, project } = begin(0);
    await project.configure(ci, vm('one')).applied();
    mac.faults.leakNextSlot = true;
    await project.applied(`-replace=${instanceAddress('one')}`);
    const run = await project.configure(ci, vm('one'), vm('two')).apply();
    expect(run.code).toBe(1);
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'KernelLimit', address: instanceAddress('two'), detail: saying('a slot has leaked') })]);
    expect(project.state()[instanceAddress('two')]).toMatchObject({ tainted: true, attributes: { phase: 'Failed', reason: 'KernelLimit' } });
    expect((await status())?.conditions).toContainEqual(expect.objectContaining({ type: 'SlotLeak', status: 'True' }));
    expect((await thirds()).map(({ layer, payload }) => ({ layer, reason: payload['reason'] }))).toEqual([{ layer: 'kernel', reason: 'KernelLimit' }]);

    const { namespace } = tenant;
    expect((await project.plan()).diagnostics.map(({ severity, summary }) => `${severity} ${summary}`)).toContain(`warning KernelLimit: lease ${namespace}/ci: slots 1/2, 1 leaked`);
    expect((await project.workspace.run('apply', '-refresh-only', '-auto-approve')).code).toBe(0);
    expect(project.state()[leaseAddress('ci')]?.attributes).toMatchObject({ phase: 'Bound', slots: { total: 2, used: 1, leaked: 1 } });
  });

  it('that would share an identity do not start; made again, each has one of its own', async () => {
    const { tenant, mac, ci, vm, project } = begin(1);
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
}

/** One Mac for each way to name the lease: by reference, by literal. */
export function swaps(suite: () => PlaneSuite, serials: readonly string[]): void {
  const ways = serials.map((serial, i) => [i === 0 ? 'a reference' : 'a literal', serial, i === 0 ? idOf('ci') : undefined] as const);
  it.each(ways)('are swapped in one run, one out and one in, where the lease is %s, time after time', async (_how, serial, reference) => {
    const { tenant, ci, status, thirds, project } = macOfATenant(suite(), serial);
    const vm = (name: string) => instance(name, reference ?? `${tenant.namespace}/ci`);
    await project.configure(ci, vm('vm-0'), vm('vm-1')).applied();
    for (const round of [1, 2]) {
      const run = await project.configure(ci, vm(`vm-${round}`), vm(`vm-${round + 1}`)).apply();
      expect({ round, code: run.code, errors: project.errors(run) }).toEqual({ round, code: 0, errors: [] });
      expect(await phasesOfInstances(suite(), tenant)).toEqual({ [`vm-${round}`]: 'Running', [`vm-${round + 1}`]: 'Running' });
    }
    const counts = ((await status())?.journal ?? []).map(({ vmCount }) => vmCount);
    expect(Math.max(...counts)).toBe(2);
    expect(await thirds()).toEqual([]);
  });
}
