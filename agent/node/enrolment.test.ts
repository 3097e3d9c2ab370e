import { Kinds } from '../../sdk/api';
import { linesFile, type DurableLines } from '../journal/lines-file';
import { NODE, Rig, SERIAL } from '../testing/rig';

describe('an agent whose Mac may not serve', () => {
  let rig: Rig;
  afterEach(() => rig.end());
  const isNotReady = (reason: string): Promise<void> => rig.untilInTime(`the Mac is not ready: ${reason}`, async () => (await rig.macStatus()).conditions?.find(({ type }) => type === 'Ready')?.reason === reason);

  it('waits for the administrator to enrol it, and then registers', async () => {
    rig = new Rig();
    const agent = rig.start();
    for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect(await rig.node()).toBeNull();
    await rig.enrol();
    await rig.untilInTime('it is registered', async () => (await rig.node()) !== null);
    await agent.ready;
  });

  it('is not registered under the serial of another hardware, reports none of its facts and touches no pod', async () => {
    rig = new Rig();
    await rig.enrol('ANOTHER-UUID');
    rig.start();
    const pod = await rig.pod({});
    await rig.deletePod(pod);
    await isNotReady('HardwareMismatch');
    for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect(await rig.node()).toBeNull();
    expect(Object.keys(await rig.macStatus())).toEqual(['conditions']);
    expect(await rig.podStatus(pod)).toBeDefined();
    await rig.plane.patch(Kinds.MacNode, { name: SERIAL }, { spec: { hardwareUUID: rig.mac.hardwareUUID.toLowerCase() } });
    await rig.untilInTime('it serves after it was enrolled anew', async () => (await rig.macStatus()).vmCount === 0);
    await rig.isGone(pod);
  });

  it('registers nothing, starts nothing and says that it is retired, until it is enrolled again', async () => {
    rig = new Rig();
    await rig.enrol();
    await rig.plane.patch(Kinds.MacNode, { name: SERIAL }, { spec: { retired: true } });
    rig.start();
    const pod = await rig.pod({ bindingUID: (await rig.claim('tenant-a')).metadata.uid });
    await isNotReady('Retired');
    for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect([await rig.node(), await rig.phase(pod), rig.mac.bundles()]).toEqual([null, 'Pending', []]);
    expect(Object.keys(await rig.macStatus())).toEqual(['conditions']);
    await rig.plane.patch(Kinds.MacNode, { name: SERIAL }, { spec: { retired: false } });
    await rig.untilInTime('it is registered', async () => (await rig.node()) !== null);
  });

  it('stops reporting, and starts nothing more, when it is retired', async () => {
    rig = new Rig();
    const claim = await rig.leased();
    const pod = await rig.run(claim, 0);
    await rig.isPhase(pod, 'Running');
    await rig.plane.patch(Kinds.MacNode, { name: SERIAL }, { spec: { retired: true } });
    await isNotReady('Retired');
    const { lastSeen } = await rig.macStatus();
    const later = await rig.run(claim, 1);
    for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect([(await rig.macStatus()).lastSeen, await rig.phase(later), rig.mac.running().length]).toEqual([lastSeen, 'Pending', 1]);
  });

  it('stops reporting when its serial is given to another hardware', async () => {
    rig = new Rig();
    const claim = await rig.leased();
    const pod = await rig.run(claim, 0);
    await rig.isPhase(pod, 'Running');
    await rig.plane.patch(Kinds.MacNode, { name: SERIAL }, { spec: { hardwareUUID: 'ANOTHER-UUID' } });
    await isNotReady('HardwareMismatch');
    const { lastSeen } = await rig.macStatus();
    rig.pass(10_000);
    const later = await rig.run(claim, 1);
    for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect([(await rig.macStatus()).lastSeen, await rig.phase(later), rig.mac.running().length]).toEqual([lastSeen, 'Pending', 1]);
  });

  it('is not registered when its kernel allows more than two, and starts nothing', async () => {
    rig = new Rig({ kernelQuota: 3 });
    await rig.enrol();
    rig.start();
    const pod = await rig.pod({ bindingUID: (await rig.claim('tenant-a')).metadata.uid });
    await isNotReady('KernelQuota');
    for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
    expect([await rig.node(), await rig.phase(pod), rig.mac.bundles()]).toEqual([null, 'Pending', []]);
  });

  describe('because its journal', () => {
    const failing = (rig: Rig, isFull: () => boolean): DurableLines => {
      const lines = linesFile(rig.journal.path);
      return { read: () => lines.read(), close: () => lines.close(), append: (line) => (isFull() ? Promise.reject(new Error('ENOSPC: no space left on device')) : lines.append(line)) };
    };

    it('cannot be written: nothing starts, what runs goes on and can be stopped, and it serves again when there is space', async () => {
      rig = new Rig();
      await rig.enrol();
      let isFull = false;
      await rig.start({ lines: failing(rig, () => isFull) }).ready;
      const claim = await rig.claim('tenant-a');
      const first = await rig.run(claim, 0);
      await rig.isPhase(first, 'Running');
      isFull = true;
      const second = await rig.run(claim, 1);
      await isNotReady('JournalUnwritable');
      expect((await rig.node())?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False', reason: 'JournalUnwritable' }));
      expect([await rig.phase(first), await rig.phase(second), rig.mac.running().length]).toEqual(['Running', 'Pending', 1]);
      await rig.deletePod(first);
      await rig.untilInTime('the machine is stopped', () => rig.mac.running().length === 0);
      expect(await rig.podStatus(first)).toBeDefined();
      isFull = false;
      await rig.isGone(first);
      await rig.isPhase(second, 'Running');
      await rig.untilInTime('the Mac is ready', async () => (await rig.macStatus()).conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true);
      expect(await rig.events()).toEqual(['Started uid-vm0', 'Stopped uid-vm0 PodDeleted', 'Started uid-vm1']);
    });

    it('is damaged: nothing starts and it says so', async () => {
      rig = new Rig();
      await rig.enrol();
      const lines = linesFile(rig.journal.path);
      await lines.read();
      await lines.append('not a line of the journal');
      await lines.close();
      rig.start();
      await isNotReady('JournalDamaged');
      const pod = await rig.pod({ bindingUID: (await rig.claim('tenant-a')).metadata.uid });
      for (let i = 0; i < 3; i += 1) await rig.until('time passes', () => { rig.pass(10_000); return true; });
      expect([await rig.phase(pod), rig.mac.bundles()]).toEqual(['Pending', []]);
      expect((await rig.node())?.metadata.name).toBe(NODE);
    });
  });
});
