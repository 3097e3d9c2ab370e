import { Kinds } from '../sdk/api';
import { simHypervisor } from './drivers/sim';
import { Journal } from './journal/journal';
import { linesFile } from './journal/lines-file';
import { Fuse } from './testing/fuse';
import { Rig } from './testing/rig';

/** The life of a claim: two machines, one that dies, one refused, one stopped; then the wipe and the end of the claim. */
async function live(rig: Rig): Promise<void> {
  await rig.enrol();
  const claim = await rig.claim('tenant-a');
  await rig.untilInTime('the Node is registered', async () => (await rig.node()) !== null);
  const [stays, dies] = [await rig.run(claim, 0), await rig.run(claim, 1)];
  for (const pod of [stays, dies]) await rig.untilInTime(`${pod.metadata.name} has an address`, async () => (await rig.podStatus(pod))?.podIP !== undefined);
  rig.crash('vm1');
  await rig.isPhase(dies, 'Failed');
  const foreign = await rig.pod({ namespace: 'tenant-b', lease: 'b', instance: 'b' });
  await rig.isPhase(foreign, 'Failed');
  for (const pod of [dies, foreign, stays]) {
    await rig.deletePod(pod);
    await rig.isGone(pod);
  }
  await rig.keep();
  await rig.untilInTime('it is wiped', async () => (await rig.events()).some((event) => event.startsWith('Wiped')));
  await rig.unclaim();
  await rig.untilInTime('the pin is off', async () => (await rig.macStatus()).vmCount === 0 && (await rig.macStatus()).bindingUID === undefined);
}

async function liveWithDeath(at: string | undefined, side: 'before' | 'after'): Promise<Fuse> {
  const rig = new Rig();
  const lines = linesFile(rig.journal.path);
  const fuse = new Fuse(at, side, () => {
    rig.agents = [];
    void lines.close().catch(() => undefined).then(() => rig.start());
  });
  rig.start({ plane: fuse.plane(rig.plane), hypervisor: fuse.hypervisor(simHypervisor(rig.mac)), lines: fuse.lines(lines), timers: fuse.timers(rig.timers) });
  rig.mac.faults.ipMs = 1000;
  const watching = watchSlots(rig);
  try {
    await live(rig);
    await rig.stopAgents();
    await expectWhole(rig);
    expect(watching.breaches).toEqual([]);
    return fuse;
  } catch (error) {
    throw new Error(`killed ${side} ${at}: ${String(error)}`, { cause: error });
  } finally {
    watching.stop();
    await rig.end();
  }
}

/** A slot that the API calls free while its machine runs would be a third machine's. */
function watchSlots(rig: Rig): { readonly breaches: string[]; readonly stop: () => void } {
  const breaches: string[] = [];
  const running = (instanceUID: string | undefined): boolean => rig.mac.running().some((vm) => vm.instanceUID === instanceUID);
  const watching = rig.plane.watch(Kinds.Pod, {}, {
    onSync: () => undefined,
    onChange: (type, pod) => {
      const isFree = type === 'DELETED' || pod.status?.phase === 'Failed';
      if (isFree && pod.metadata.namespace === 'tenant-a' && running(pod.metadata.annotations?.['macrack.io/instance-uid'])) breaches.push(`${pod.metadata.name} ${type}`);
    },
  });
  return { breaches, stop: () => watching.stop() };
}

async function expectWhole(rig: Rig): Promise<void> {
  const journal = await Journal.open(linesFile(rig.journal.path));
  await journal.close();
  expect(journal.fault).toBeUndefined();
  const told = journal.ledger.tail.map(({ event, instanceUID, reason }) => [event, instanceUID, reason].filter(Boolean).join(' '));
  expect(told.filter((line) => !line.startsWith('Wiped')).sort()).toEqual(['Refused uid-b CrossTenant', 'Started uid-vm0', 'Started uid-vm1', 'Stopped uid-vm0 PodDeleted', 'Stopped uid-vm1 Crashed']);
  expect(told.at(-1)).toMatch(/^Wiped/);
  expect((await rig.macStatus()).journal).toEqual(journal.ledger.tail);
  expect([rig.mac.running(), rig.mac.bundles()]).toEqual([[], []]);
}

// How many reports there are depends on what falls together, an address with its machine for example; one more or less of these is no other case.
const isReport = (write: string): boolean => /^(patch|create) (MacNode|Node|Lease) |^patch Pod .* Running #[^1]/.test(write);

describe('kill -9 of the agent', () => {
  it.each(['before', 'after'] as const)('%s any of its writes changes neither what runs nor what is told', async (side) => {
    const { writes } = await liveWithDeath(undefined, side);
    const missed: string[] = [];
    for (const write of writes) if (!(await liveWithDeath(write, side)).isBlown) missed.push(write);
    expect(missed.filter((write) => !isReport(write))).toEqual([]);
    expect(writes).toEqual(expect.arrayContaining([
      'create Node mac-c02abc #1', 'journal CreateIntent uid-vm0 #1', 'create bundle uid-vm0 #1', 'journal StartIntent uid-vm0 #1', 'start machine uid-vm0 #1', 'journal Started uid-vm0 #1', 'patch Pod ci-vm-0 Running #1', 'patch Pod ci-vm-1 Failed #1', 'journal Refused uid-b #1',
      'journal StopIntent #1', 'stop machine uid-vm0 #1', 'journal Stopped uid-vm0 #1', 'remove Pod ci-vm-0 #1', 'delete bundle uid-vm0 #1', 'patch MacNode c02abc #1',
    ]));
  });
});
