import { Rig, SERIAL } from '../../agent/testing/rig';
import { Kinds, type Pod } from '../../sdk/api';
import { until } from '../../sdk/client/until';
import { FakeMac } from './fake-mac';

/** The whole agent of a Mac with tart; the test plays operator and scheduler. */
describe('an agent on a Mac with tart', () => {
  const mac = new FakeMac();
  const rig = new Rig();
  const start = () => rig.start({ hypervisor: mac.driver() });
  afterAll(async () => {
    await rig.end();
    mac.dispose();
  });

  // The machines are processes, which need the time that a turning event loop would take from them.
  const inTime = (what: string, holds: () => Promise<boolean> | boolean) => until(what, async () => {
    if (await holds()) return true;
    rig.pass(500);
    return undefined;
  });
  const isPhase = (pod: Pod, phase: string) => inTime(`pod ${pod.metadata.name} is ${phase}`, async () => await rig.phase(pod) === phase);

  async function leased() {
    await rig.enrol(mac.hardwareUUID);
    await start().ready;
    await rig.keep();
    return rig.claim('tenant-a');
  }

  it('runs an instance, refuses one beside a machine that a person started, and reports what the kernel counts alone', async () => {
    const claim = await leased();
    const first = await rig.run(claim, 0);
    await isPhase(first, 'Running');
    await mac.runForeign('by-hand');
    const second = await rig.run(claim, 1);
    await isPhase(second, 'Failed');
    expect(await rig.podStatus(second)).toMatchObject({ reason: 'ThirdInstance', message: expect.stringContaining('by-hand (not started by MacRack)') as string });

    mac.fail({ leakNextSlot: true });
    await mac.crash('by-hand');
    await rig.plane.remove(Kinds.Pod, { namespace: 'tenant-a', name: second.metadata.name }, { gracePeriodSeconds: 0 });
    const third = await rig.run(claim, 1, 'vm2');
    await isPhase(third, 'Failed');
    expect(await rig.podStatus(third)).toMatchObject({ reason: 'KernelLimit', message: expect.stringContaining('The number of VMs exceeds the system limit') as string });
    await inTime('the leak is reported', async () => (await rig.macStatus()).leaked === 1);
    const status = await rig.macStatus();
    expect([status.vmCount, status.conditions?.find(({ type }) => type === 'SlotLeak')?.status]).toEqual([1, 'True']);
    expect(mac.runningNames()).toEqual(['macrack-uid-vm0']);
  });

  it('is started anew while its machine runs, and stops and wipes it as the former would have', async () => {
    await rig.stopAgents();
    expect(mac.runningNames()).toEqual(['macrack-uid-vm0']);
    await start().ready;
    const [pod] = (await rig.plane.list(Kinds.Pod, {})).items.filter(({ status }) => status?.phase === 'Running');
    if (pod === undefined) throw new Error('no pod runs');
    await rig.keep();
    await rig.deletePod(pod);
    await inTime('the pod is gone', async () => await rig.podStatus(pod) === undefined);
    await inTime('the disk is gone', () => mac.bundles().every((name) => name === 'by-hand' || name.includes('vm2')));
    expect([mac.runningNames(), (await rig.macStatus()).nodeRef]).toEqual([[], `mac-${SERIAL}`]);
  });
});
