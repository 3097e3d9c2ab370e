import { Annotation, Kinds, type MacNodeBinding, type Pod } from '../../sdk/api';
import { formatTime } from '../clock';
import { NODE, Rig } from '../testing/rig';

describe('the disks of a claim', () => {
  let rig: Rig;
  let claim: MacNodeBinding;
  beforeEach(async () => {
    rig = new Rig();
    claim = await rig.leased();
  });
  afterEach(() => rig.end());

  const ranAndStopped = async (slot: number): Promise<Pod> => {
    const pod = await rig.run(claim, slot);
    await rig.isPhase(pod, 'Running');
    await rig.deletePod(pod);
    await rig.isGone(pod);
    return pod;
  };
  const disks = (): string[] => rig.mac.bundles().map(({ name }) => name);
  const beats = async (count: number): Promise<void> => {
    for (let beat = 0; beat < count; beat += 1) {
      rig.pass(10_000);
      await rig.until('the beat is over', async () => (await rig.macStatus()).lastSeen === formatTime(rig.plane.now));
    }
  };

  it('stay while the annotation names them, with no pod and no machine', async () => {
    await ranAndStopped(0);
    await beats(3);
    expect(disks()).toEqual(['macrack-uid-vm0']);
    expect((await rig.macStatus()).disks).toEqual([{ instanceUID: 'uid-vm0', bindingUID: claim.metadata.uid, tenant: 'tenant-a' }]);
  });

  it('go one by one as the annotation lets them go', async () => {
    await ranAndStopped(0);
    await ranAndStopped(1);
    await rig.keep('uid-vm1');
    await rig.until('one is gone', () => disks().length === 1);
    expect(disks()).toEqual(['macrack-uid-vm1']);
    await rig.until('it is reported', async () => (await rig.macStatus()).disks?.length === 1);
    expect(await rig.events()).not.toContain('Wiped uid-vm1');
  });

  it('stay while there is no annotation at all', async () => {
    await ranAndStopped(0);
    await rig.plane.patch(Kinds.Node, { name: NODE }, { metadata: { annotations: { [Annotation.KeepDisks]: null } } });
    await beats(3);
    expect(disks()).toHaveLength(1);
  });

  it('stay while a pod of their instance is bound to the Mac, whatever the annotation says', async () => {
    const pod = await rig.run(claim, 0);
    await rig.isPhase(pod, 'Running');
    await rig.keep();
    rig.crash('vm0');
    await rig.isPhase(pod, 'Failed');
    await beats(2);
    expect(disks()).toHaveLength(1);
  });

  it('are reported wiped when the last one is gone, before the claim is let go', async () => {
    await ranAndStopped(0);
    await rig.keep();
    await rig.until('it is wiped', async () => (await rig.events()).includes('Wiped uid-vm0'));
    expect((await rig.macStatus()).journal?.at(-1)).toMatchObject({ event: 'Wiped', bindingUID: claim.metadata.uid, tenant: 'tenant-a', vmCount: 0 });
    expect(await rig.macStatus()).toMatchObject({ disks: [], bindingUID: claim.metadata.uid });
    await rig.unclaim();
    await rig.untilInTime('the pin is off', async () => (await rig.macStatus()).bindingUID === undefined);
    expect((await rig.events()).filter((event) => event.startsWith('Wiped'))).toHaveLength(1);
  });

  it('keep the claim pinned when it went before they did', async () => {
    await ranAndStopped(0);
    await rig.unclaim();
    await beats(3);
    expect((await rig.macStatus()).bindingUID).toBe(claim.metadata.uid);
    await rig.keep();
    await rig.untilInTime('the pin is off', async () => (await rig.macStatus()).bindingUID === undefined);
    expect(await rig.events()).toContain('Wiped uid-vm0');
  });

  it('of machines that nobody can explain are not deleted under them', async () => {
    rig.mac.createBundle('macrack-uid-stranger');
    await rig.mac.boot('macrack-uid-stranger');
    await rig.keep();
    await beats(2);
    expect(rig.mac.running()).toHaveLength(1);
    expect(await rig.macStatus()).toMatchObject({ vmCount: 1, vms: [{ instanceUID: 'uid-stranger', bindingUID: '' }], disks: [{ bindingUID: '' }] });
  });
});
