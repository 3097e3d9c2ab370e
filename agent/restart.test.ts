import { rmSync } from 'node:fs';
import { Kinds, type MacNodeBinding, type Pod } from '../sdk/api';
import { Rig } from './testing/rig';

describe('an agent that is started anew', () => {
  let rig: Rig;
  let claim: MacNodeBinding;
  beforeEach(async () => {
    rig = new Rig();
    claim = await rig.leased();
  });
  afterEach(() => rig.end());

  const runs = async (slot: number, instance?: string): Promise<Pod> => {
    const pod = await rig.run(claim, slot, instance);
    await rig.isPhase(pod, 'Running');
    return pod;
  };
  const haveAddresses = (): Promise<void> => rig.untilInTime('each machine has an address', () => rig.mac.running().every(({ ip }) => ip !== undefined));
  const isReported = (vmCount: number): Promise<void> => rig.untilInTime(`${vmCount} machines are reported`, async () => (await rig.macStatus()).vmCount === vmCount);

  it('finds its running machines, and starts, stops and journals nothing', async () => {
    const pods = [await runs(0), await runs(1)];
    await haveAddresses();
    await isReported(2);
    const before = [rig.mac.running(), await rig.events()];
    await rig.stopAgents();
    await rig.start().ready;
    await rig.until('a beat has passed', () => { rig.pass(10_000); return true; });
    await isReported(2);
    expect([rig.mac.running(), await rig.events()]).toEqual(before);
    expect(await Promise.all(pods.map((pod) => rig.phase(pod)))).toEqual(['Running', 'Running']);
  });

  it('fails the pods of machines that went while it was away, once each, and frees their slots', async () => {
    const [a, b] = [await runs(0), await runs(1)];
    await rig.stopAgents();
    rig.crash('vm0');
    rig.crash('vm1');
    await rig.start().ready;
    await rig.isPhase(a, 'Failed');
    await rig.isPhase(b, 'Failed');
    await isReported(0);
    expect((await rig.events()).filter((event) => event.startsWith('Stopped')).sort()).toEqual(['Stopped uid-vm0 Crashed', 'Stopped uid-vm1 Crashed']);
    expect(await rig.podStatus(a)).toMatchObject({ reason: 'Crashed' });
  });

  it('tells a restart of the Mac from a crash of one machine', async () => {
    const pod = await runs(0);
    await rig.stopAgents();
    rig.mac.reboot();
    await rig.start().ready;
    await rig.isPhase(pod, 'Failed');
    expect((await rig.podStatus(pod))?.message).toMatch(/Mac c02abc was restarted/);
    expect(rig.mac.bundles()).toHaveLength(1);
  });

  it('stops the machine of a pod that went while it was away, before anything else may have its slot', async () => {
    const former = await runs(0);
    await runs(1);
    await rig.stopAgents();
    await rig.deletePod(former, 0);
    rig.mac.faults.stopMs = 10_000;
    const next = await rig.run(claim, 0, 'next');
    rig.start();
    let most = 0;
    await rig.untilInTime('the next one runs', async () => {
      most = Math.max(most, rig.mac.running().length);
      return (await rig.phase(next)) === 'Running';
    });
    expect(most).toBe(2);
    expect(rig.mac.running().map(({ instanceUID }) => instanceUID).sort()).toEqual(['uid-next', 'uid-vm1']);
  });

  it('takes over its own machine when the journal is lost, and does not kill it', async () => {
    const pod = await runs(0);
    await haveAddresses();
    await rig.stopAgents();
    const before = rig.mac.running();
    rmSync(rig.journal.path);
    await rig.start().ready;
    await rig.untilInTime('the machine is explained', async () => (await rig.macStatus()).vms?.[0]?.podUID === pod.metadata.uid);
    expect(rig.mac.running()).toEqual(before);
    expect(await rig.phase(pod)).toBe('Running');
  });

  it('does not start before it has read the hypervisor', async () => {
    await rig.stopAgents();
    rig.mac.faults.unavailable = 'the service is starting';
    rig.start();
    const pod = await rig.run(claim, 0);
    for (let i = 0; i < 5; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect([await rig.phase(pod), rig.mac.bundles()]).toEqual(['Pending', []]);
    rig.mac.faults.unavailable = undefined;
    await rig.isPhase(pod, 'Running');
  });
});

describe('an agent that runs', () => {
  let rig: Rig;
  let claim: MacNodeBinding;
  beforeEach(async () => {
    rig = new Rig();
    claim = await rig.leased();
  });
  afterEach(() => rig.end());

  const runs = async (slot: number, instance?: string): Promise<Pod> => {
    const pod = await rig.run(claim, slot, instance);
    await rig.isPhase(pod, 'Running');
    return pod;
  };

  it('fails the pod of a machine that dies by itself, once, and at once', async () => {
    const pod = await runs(0);
    rig.crash('vm0');
    await rig.until('the pod has failed', async () => (await rig.phase(pod)) === 'Failed');
    for (let beat = 0; beat < 3; beat += 1) await rig.until('a beat has passed', () => { rig.pass(10_000); return true; });
    expect((await rig.events()).filter((event) => event.startsWith('Stopped'))).toEqual(['Stopped uid-vm0 Crashed']);
    expect((await rig.podStatus(pod))?.conditions).toContainEqual(expect.objectContaining({ type: 'PodScheduled' }));
  });

  it('sets no terminal phase and removes no pod before the machine is gone', async () => {
    const pod = await runs(0);
    rig.mac.faults.stopMs = 60_000;
    await rig.deletePod(pod);
    await rig.until('the stop has begun', async () => (await rig.macStatus()).vms?.[0]?.state === 'Stopping');
    expect(await rig.phase(pod)).toBe('Running');
    await rig.isGone(pod);
    expect(rig.mac.running()).toEqual([]);
  });

  it('ends a machine that does not shut down within the grace of its pod', async () => {
    const pod = await runs(0);
    rig.mac.faults.stopMs = 3_600_000;
    const begun = rig.plane.now;
    await rig.deletePod(pod);
    await rig.isGone(pod);
    expect(rig.plane.now - begun).toBeLessThan(rig.mac.faults.stopMs);
  });

  it('stops the machine of a pod that was deleted by force, and of one that others made terminal', async () => {
    const [forced, ended] = [await runs(0), await runs(1)];
    await rig.deletePod(forced, 0);
    await rig.plane.patch(Kinds.Pod, { namespace: 'tenant-a', name: ended.metadata.name }, { status: { phase: 'Succeeded' } }, { subresource: 'status' });
    await rig.untilInTime('no machine runs', () => rig.mac.running().length === 0);
    await rig.until('both are journaled', async () => (await rig.events()).filter((event) => event.endsWith('PodGone')).length === 2);
  });

  it('refuses the next pod of a slot whose former machine cannot be stopped', async () => {
    const former = await runs(0);
    const shutDown = jest.spyOn(rig.mac, 'shutDown').mockRejectedValue(new Error('the guest hangs'));
    await rig.deletePod(former, 0);
    const next = await rig.run(claim, 0, 'next');
    await rig.isPhase(next, 'Failed');
    expect(await rig.podStatus(next)).toMatchObject({ reason: 'ThirdInstance', message: expect.stringContaining('could not be stopped') as string });
    shutDown.mockRestore();
  });

  it('goes on with its machines while the API server is away, and tells what happened when it is back', async () => {
    const [a, b] = [await runs(0), await runs(1)];
    rig.plane.down = 'Unreachable';
    rig.crash('vm0');
    for (let beat = 0; beat < 5; beat += 1) await new Promise((resolve) => setImmediate(() => { rig.pass(10_000); resolve(undefined); }));
    expect(rig.mac.running()).toHaveLength(1);
    rig.plane.down = undefined;
    await rig.isPhase(a, 'Failed');
    expect(await rig.phase(b)).toBe('Running');
  });

  it('leaves its last facts to grow old when the hypervisor does not answer, instead of reporting none', async () => {
    await runs(0);
    await rig.untilInTime('the machine is reported', async () => (await rig.macStatus()).vmCount === 1);
    const { lastSeen } = await rig.macStatus();
    rig.mac.faults.unavailable = 'the service hangs';
    await rig.untilInTime('the Mac is not ready', async () => (await rig.macStatus()).conditions?.find(({ type }) => type === 'Ready')?.reason === 'HypervisorUnavailable');
    expect(await rig.macStatus()).toMatchObject({ vmCount: 1 });
    expect(Date.parse((await rig.macStatus()).lastSeen ?? '') - Date.parse(lastSeen ?? '')).toBeLessThanOrEqual(10_000);
    const pod = await rig.run(claim, 1);
    rig.mac.faults.unavailable = undefined;
    await rig.isPhase(pod, 'Running');
  });

  it('registers its Node again when somebody deleted it', async () => {
    await rig.plane.remove(Kinds.Node, { name: 'mac-c02abc' });
    await rig.untilInTime('the Node is back', async () => (await rig.node()) !== null);
    expect((await rig.node())?.spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
  });

  it('writes a lease, a node status and a Mac status every ten seconds, and no taint ever', async () => {
    await rig.plane.patch(Kinds.Node, { name: 'mac-c02abc' }, { spec: { taints: [{ key: 'macrack.io/tenant', value: 'tenant-a', effect: 'NoSchedule' }] } });
    await rig.untilInTime('it is at rest', async () => (await rig.macStatus()).conditions?.every(({ status, type }) => (type === 'Ready') === (status === 'True')) === true);
    const from = rig.plane.writes.length;
    for (let beat = 0; beat < 3; beat += 1) {
      const { lastSeen } = await rig.macStatus();
      rig.pass(10_000);
      await rig.until('the beat is written', async () => (await rig.macStatus()).lastSeen !== lastSeen);
    }
    const beat = ['patch leases kube-node-lease/mac-c02abc', 'patch-status nodes /mac-c02abc', 'patch-status macnodes /c02abc'];
    expect([...new Set(rig.plane.writes.slice(from))].sort()).toEqual([...beat].sort());
    expect(rig.plane.writes.slice(from).filter((write) => write === beat[0])).toHaveLength(3);
    expect((await rig.node())?.spec.taints).toEqual([{ key: 'macrack.io/tenant', value: 'tenant-a', effect: 'NoSchedule' }]);
  });
});
