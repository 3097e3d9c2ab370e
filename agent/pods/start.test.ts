import { Kinds, type MacNodeBinding, type Pod } from '../../sdk/api';
import { Rig } from '../testing/rig';

describe('a start on a leased Mac', () => {
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
  const failure = async (pod: Pod): Promise<string> => {
    await rig.isPhase(pod, 'Failed');
    const status = await rig.podStatus(pod);
    return `${status?.reason}: ${status?.message}`;
  };

  describe('two machines', () => {
    it('starts one of two that ask at once for the one free slot, and refuses the other', async () => {
      await runs(0);
      rig.mac.faults.startMs = 5000;
      await rig.keep('uid-vm0', 'uid-vm1', 'uid-vm2');
      const rivals = await Promise.all([rig.pod({ bindingUID: claim.metadata.uid, slot: 1 }), rig.pod({ bindingUID: claim.metadata.uid, slot: 1, lease: 'ci2', instance: 'vm2' })]);
      await rig.untilInTime('both are decided', async () => (await Promise.all(rivals.map((pod) => rig.phase(pod)))).every((phase) => phase !== 'Pending'));
      const phases = await Promise.all(rivals.map(async (pod) => (await rig.podStatus(pod))?.reason ?? (await rig.phase(pod))));
      expect(phases.sort()).toEqual(['Running', 'ThirdInstance']);
      expect(rig.mac.running()).toHaveLength(2);
      // The refusal is the agent's own: the third machine was not even made.
      expect(rig.mac.bundles()).toHaveLength(2);
    });

    it('names in the refusal both holders, since when they run, the Mac, the rule and the way out', async () => {
      await runs(0);
      await runs(1);
      const message = await failure(await rig.pod({ bindingUID: claim.metadata.uid, slot: 1, lease: 'more', instance: 'third' }));
      expect(message.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')).toBe(
        'ThirdInstance: pod tenant-a/more-vm-1 may not start on Mac c02abc: 2 macOS machines run on it and the licence allows 2 (rule 1, section 2B(iii)): '
        + 'vm0 (tenant-a/ci-vm-0, since <time>); vm1 (tenant-a/ci-vm-1, since <time>). Free one, for example: kubectl delete macosinstance vm0 -n tenant-a.');
      await rig.until('the refusal is published', async () => (await rig.events()).includes('Refused uid-third ThirdInstance'));
    });

    it('counts machines that a person started, reports them, and never stops them', async () => {
      rig.mac.createBundle('macos-by-hand');
      await rig.mac.boot('macos-by-hand');
      await runs(0);
      expect(await failure(await rig.run(claim, 1))).toMatch(/^ThirdInstance: .*macos-by-hand \(not started by MacRack\)/);
      await rig.until('two are reported', async () => (await rig.macStatus()).vmCount === 2);
      expect((await rig.macStatus()).vms?.map(({ instanceUID }) => instanceUID)).toEqual(['', 'uid-vm0']);
      expect(rig.mac.isRunning('macos-by-hand')).toBe(true);
    });

    it('reports a third machine instead of hiding it', async () => {
      await rig.end();
      rig = new Rig({ kernelQuota: 3 });
      for (const name of ['x', 'y', 'z']) {
        rig.mac.createBundle(name);
        await rig.mac.boot(name);
      }
      await rig.enrol();
      rig.start();
      await rig.untilInTime('three are reported', async () => (await rig.macStatus()).vmCount === 3);
    });
  });

  describe('one tenant', () => {
    it.each<[string, Parameters<Rig['pod']>[0]]>([
      ['a pod of another namespace, also with the right claim', { namespace: 'tenant-b' }],
      ['a pod of another claim', { bindingUID: 'former-claim' }],
      ['a pod without a claim', { bindingUID: '' }],
      ['a pod without an instance', { instance: '' }],
      ['a pod that selects another Mac and was bound here all the same', { selects: 'c02other' }],
    ])('refuses %s and makes no disk for it', async (_what, options) => {
      const pod = await rig.pod({ bindingUID: claim.metadata.uid, ...options });
      const message = await failure(pod);
      expect(message).toMatch(/^CrossTenant: .*rule 2/);
      if (options.namespace === 'tenant-b') expect(message).not.toContain('tenant-a');
      expect(rig.mac.bundles()).toEqual([]);
    });

    it('refuses every pod while nobody leases the Mac', async () => {
      await rig.unclaim();
      expect(await failure(await rig.run(claim, 0))).toMatch(/^CrossTenant/);
    });

    it('refuses the next tenant while a machine or a disk of the former one is there, and serves it when both are gone', async () => {
      const old = await runs(0);
      await rig.unclaim();
      const next = await rig.claim('tenant-b');
      const early = await rig.pod({ namespace: 'tenant-b', bindingUID: next.metadata.uid, lease: 'b', instance: 'b0' });
      const message = await failure(early);
      expect(message).toMatch(/^CrossTenant: .*still on it/);
      expect(message).not.toMatch(/tenant-a|vm0|ci/);
      await rig.deletePod(old);
      await rig.isGone(old);
      const withDisk = await rig.pod({ namespace: 'tenant-b', bindingUID: next.metadata.uid, lease: 'b', slot: 1, instance: 'b1' });
      expect(await failure(withDisk)).toMatch(/^CrossTenant/);
      await rig.keep('uid-b2');
      await rig.untilInTime('the old disk is gone', () => rig.mac.bundles().length === 0);
      const served = await rig.pod({ namespace: 'tenant-b', bindingUID: next.metadata.uid, lease: 'b2', instance: 'b2' });
      await rig.isPhase(served, 'Running');
    });

    it('neither starts nor refuses while the claim cannot be read', async () => {
      rig.plane.down = 'Forbidden';
      rig.pass(30_000);
      rig.plane.down = undefined;
      const read = jest.spyOn(rig.plane, 'tryGet').mockImplementation(() => Promise.reject(new Error('forbidden')));
      const pod = await rig.run(claim, 0);
      await rig.untilInTime('the agent has tried again', () => read.mock.calls.length > 3);
      expect([(await rig.plane.get(Kinds.Pod, { namespace: 'tenant-a', name: pod.metadata.name })).status?.phase, rig.mac.running()]).toEqual(['Pending', []]);
      read.mockRestore();
      await rig.isPhase(pod, 'Running');
    });
  });

  describe('identity', () => {
    it('refuses a copy with the machine id of another instance, and removes only the copy', async () => {
      const first = await runs(0);
      rig.mac.faults.cloneNextFrom = 'uid-vm0';
      const copy = await rig.run(claim, 1);
      expect(await failure(copy)).toMatch(/^IdentityCollision: .*machine id/);
      expect(rig.mac.bundles().map(({ name }) => name)).toEqual(['macrack-uid-vm0']);
      expect(await rig.phase(first)).toBe('Running');
    });

    it('refuses a copy of a machine that is stopped, and still starts that machine again', async () => {
      const first = await runs(0);
      await rig.deletePod(first);
      await rig.isGone(first);
      rig.mac.faults.cloneNextFrom = 'uid-vm0';
      expect(await failure(await rig.run(claim, 1))).toMatch(/^IdentityCollision/);
      await runs(0);
    });

    it('keeps machine id and MAC over a stop, a new pod and a new agent', async () => {
      const first = await runs(0);
      const before = rig.mac.running()[0];
      await rig.deletePod(first);
      await rig.isGone(first);
      await rig.stopAgents();
      await rig.start().ready;
      await runs(0);
      expect(rig.mac.running()[0]).toMatchObject({ machineID: before?.machineID, mac: before?.mac });
    });
  });

  describe('the kernel', () => {
    it('fails the pod with KernelLimit, reports the leaked slot and does not try again', async () => {
      const first = await runs(0);
      const second = await runs(1);
      rig.mac.faults.leakNextSlot = true;
      await rig.deletePod(second);
      await rig.isGone(second);
      const boot = jest.spyOn(rig.mac, 'boot');
      expect(await failure(await rig.run(claim, 1, 'vm2'))).toMatch(/^KernelLimit: .*kernel refused it while 1 machine/);
      for (let beat = 0; beat < 12; beat += 1) await rig.until('a beat has passed', () => { rig.pass(10_000); return true; });
      await rig.until('the leak is reported', async () => (await rig.macStatus()).leaked === 1);
      expect(boot).toHaveBeenCalledTimes(1);
      expect((await rig.macStatus()).conditions).toContainEqual(expect.objectContaining({ type: 'SlotLeak', status: 'True' }));
      expect(await rig.phase(first)).toBe('Running');
    });

    it('still reports the leak after the agent was started anew, until the Mac is', async () => {
      const first = await runs(0);
      rig.mac.faults.leakNextSlot = true;
      await rig.deletePod(first);
      await rig.isGone(first);
      await runs(1);
      await failure(await rig.run(claim, 0, 'vm2'));
      await rig.stopAgents();
      await rig.start().ready;
      await rig.untilInTime('the leak is reported', async () => (await rig.macStatus()).leaked === 1);
      rig.mac.reboot();
      await rig.untilInTime('it is gone', async () => (await rig.macStatus()).leaked === 0);
      expect((await rig.macStatus()).conditions).toContainEqual(expect.objectContaining({ type: 'SlotLeak', status: 'False' }));
    });
  });

  it('fails a pod whose machine does not come up, with the words of the hypervisor', async () => {
    rig.mac.faults.failNextStart = 'the image is for another chip';
    expect(await failure(await rig.run(claim, 0))).toMatch(/^Crashed: .*the image is for another chip/);
    await runs(1);
  });

  it('runs without an address for as long as there is none', async () => {
    rig.mac.faults.noIP = true;
    const pod = await runs(0);
    expect(await rig.podStatus(pod)).not.toHaveProperty('podIP');
    expect((await rig.macStatus()).vms?.[0]).not.toHaveProperty('ip');
  });

  it('never starts two machines at once', async () => {
    rig.mac.faults.startMs = 20_000;
    await rig.keep('uid-vm0', 'uid-vm1');
    const pods = [await rig.pod({ bindingUID: claim.metadata.uid, slot: 0 }), await rig.pod({ bindingUID: claim.metadata.uid, slot: 1 })];
    let most = 0;
    await rig.untilInTime('both run', async () => {
      most = Math.max(most, rig.mac.running().filter(({ state }) => state === 'Starting').length);
      return (await Promise.all(pods.map((pod) => rig.phase(pod)))).every((phase) => phase === 'Running');
    });
    expect(most).toBe(1);
  });
});
