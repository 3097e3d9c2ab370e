import { Kinds } from '../../sdk/api';
import { AuditType } from '../audit/audit-log';
import { Mortal, type KillPoint } from '../testing/interrupted';
import { HOUR_MS, Rig, TENANT, until } from '../testing/rig';

const lease = { namespace: TENANT, name: 'ios' };
const one = { namespace: TENANT, name: 'one' };

/** Runs one whole life of a lease and an instance with an operator that dies at the kill point, and a fresh one that takes over. */
class Life {
  readonly mortal: Mortal;
  #succeeded = false;

  constructor(private readonly rig: Rig, killAt?: KillPoint) {
    this.mortal = new Mortal(killAt);
  }

  async live(): Promise<void> {
    const { rig } = this;
    const first = await rig.operate(this.mortal);
    const come = (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => until(what, async () => {
      if (this.mortal.dead && !this.#succeeded) {
        this.#succeeded = true;
        void first.stop();
        await rig.operate();
      }
      return holds();
    });
    const phase = (wanted: string) => come(`lease ${wanted}`, () => rig.lease('ios')?.status?.phase === wanted);
    const instance = (wanted: string) => come(`instance ${wanted}`, () => rig.instance('one')?.status?.phase === wanted);
    const outcomes = (type: AuditType, n: number) => come(`${n} of ${type}`, async () => (await rig.audit.rows({ type })).filter((r) => r.stage !== 'intent').length >= n);
    await rig.createLease('ios');
    await phase('Bound');
    await rig.createInstance('one');
    await instance('Running');
    await outcomes(AuditType.InstanceStarted, 1);
    await rig.plane.patch(Kinds.MacOSInstance, one, { spec: { running: false } });
    await instance('Stopped');
    await rig.plane.patch(Kinds.MacOSInstance, one, { spec: { running: true } });
    await instance('Running');
    await rig.plane.patch(Kinds.MacNodeLease, lease, { spec: { release: true } });
    await phase('Held');
    await rig.plane.patch(Kinds.MacNodeLease, lease, { spec: { release: false } });
    await phase('Bound');
    await rig.plane.remove(Kinds.MacOSInstance, one);
    await come('instance gone', () => rig.instance('one') === null);
    await rig.createInstance('last');
    await come('the last runs', () => rig.instance('last')?.status?.phase === 'Running');
    await rig.pass(HOUR_MS);
    await rig.plane.patch(Kinds.MacNodeLease, lease, { spec: { release: true } });
    await phase('Held');
    await outcomes(AuditType.EarlyDeleteHeld, 2);
    await rig.pass(24 * HOUR_MS);
    await phase('Releasing');
    await come('the last is gone', () => rig.instance('last') === null);
    await rig.pass(60_000);
    await phase('Released');
    await outcomes(AuditType.LeaseReleased, 1);
    await outcomes(AuditType.InstanceStopped, 3);
    await come('the finalizer off', () => rig.lease('ios')?.metadata.finalizers?.length === 0);
  }
}

const EXPECTED = [
  'Early delete converted to Held event', 'Early delete converted to Held event',
  'Instance started event', 'Instance started event', 'Instance started event', 'Instance stopped event', 'Instance stopped event', 'Instance stopped event',
  'Lease bound intent', 'Lease bound outcome', 'Lease released intent', 'Lease released outcome',
];

async function check(rig: Rig): Promise<void> {
  expect((await rig.audit.rows()).map((r) => `${r.type} ${r.stage}`).sort()).toEqual(EXPECTED);
  expect(await rig.audit.openIntents()).toEqual([]);
  expect(rig.plane.all(Kinds.MacNodeBinding)).toEqual([]);
  expect(rig.plane.all(Kinds.Pod)).toEqual([]);
  expect(rig.plane.peek(Kinds.Node, { name: 'mac-c02a' })?.spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
  expect(rig.plane.peek(Kinds.MacNode, { name: 'c02a' })?.status).toMatchObject({ vms: [], disks: [] });
  expect(rig.plane.peek(Kinds.MacNode, { name: 'c02b' })?.status).toMatchObject({ vms: [], disks: [], journalSeq: 0 });
}

async function life(killAt?: KillPoint): Promise<Mortal> {
  const rig = await Rig.open('c02a', 'c02b');
  try {
    const { mortal } = await lived(rig, killAt);
    await check(rig);
    return mortal;
  } catch (error) {
    throw new Error(`killed ${killAt?.moment} ${killAt?.label}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await rig.close();
  }
}

async function lived(rig: Rig, killAt?: KillPoint): Promise<Life> {
  const all = new Life(rig, killAt);
  await all.live();
  return all;
}

/** Lives spend most of their time waiting; eight of them share it. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const [i, item] of queue) results[i] = await work(item);
  }));
  return results;
}

describe('an operator that is killed', () => {
  it('before or after any write, of the server or of the record, leaves what the next one brings to the same end, with the same rows', async () => {
    const { labels } = await life();
    const points = labels.filter((l) => !l.includes('Clock') && !l.includes('MacClass')).flatMap((label): KillPoint[] => [{ label, moment: 'before' }, { label, moment: 'after' }]);
    expect(points.length).toBeGreaterThan(60);
    const met = await inParallel(points, async (point) => (await life(point)).dead);
    // The order of independent writes varies, so that a few points are not met in a run of their own.
    expect(met.filter(Boolean).length).toBeGreaterThan(points.length * 0.9);
  });
});
