import { Kinds } from '../../sdk/api';
import { AuditType } from '../audit/audit-log';
import { HOUR_MS, Rig, TENANT, until } from '../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
afterEach(() => rig.close());

const set = (spec: object) => rig.plane.patch(Kinds.MacNode, { name: 'c02a' }, { spec });
const node = () => rig.plane.peek(Kinds.Node, { name: 'mac-c02a' });
const pods = () => rig.plane.all(Kinds.Pod);
const lease = () => rig.lease('ios')?.status;
const ref = { namespace: TENANT, name: 'ios' };

async function running(): Promise<void> {
  rig = await Rig.open('c02a');
  await rig.operate();
  await rig.createLease('ios');
  await rig.untilLease('ios', 'Bound');
  await rig.createInstance('one');
  await rig.untilInstance('one', 'Running');
}

/** What Kubernetes does with pods whose node is gone. */
async function collectPods(): Promise<void> {
  for (const { metadata: { name, namespace = '' } } of pods()) await rig.plane.remove(Kinds.Pod, { namespace, name }, { gracePeriodSeconds: 0 });
  for (const { metadata: { name, namespace = '' } } of pods()) rig.plane.erase(Kinds.Pod, { namespace, name });
}

describe('a Mac that was retired while it is leased', () => {
  beforeEach(async () => {
    await running();
    for (const mac of rig.macs) mac.alive = false;
    await set({ retired: true });
  });

  it('keeps its lease and its node until the floor, and says what to do', async () => {
    await until('it says so', () => lease()?.reason === 'MacRetired');
    expect(lease()).toMatchObject({ phase: 'Bound', message: 'The Mac has left service; nothing starts on it. Release the lease and take another.' });
    await rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    await rig.pass(23 * HOUR_MS);
    expect([lease()?.phase, node()?.spec.taints?.[0]?.key, rig.plane.all(Kinds.MacNodeBinding).length]).toEqual(['Held', 'macrack.io/tenant', 1]);
  });

  it('takes no new start', async () => {
    await rig.createInstance('two');
    await until('it says why', () => rig.instance('two')?.status?.reason === 'MacRetired');
    expect(pods()).toHaveLength(1);
  });

  it('ends at the floor without an answer: first its node, which is unleased, then the pods that nobody ends, then the claim', async () => {
    await rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await until('the pod is being deleted', () => pods().every((p) => p.metadata.deletionTimestamp !== undefined));
    expect(node()).not.toBeNull();
    await rig.pass(60_000);
    await until('the node is gone', () => node() === null);
    expect([lease()?.phase, rig.plane.all(Kinds.MacNodeBinding).length]).toEqual(['Releasing', 1]);
    expect(rig.plane.requests.filter((r) => /^(patch|remove) nodes/.test(r)).slice(-2)).toEqual(['patch nodes /mac-c02a', 'remove nodes /mac-c02a']);
    await collectPods();
    await rig.untilLease('ios', 'Released');
    expect([rig.plane.all(Kinds.MacNodeBinding), rig.instance('one')]).toEqual([[], null]);
    const [intent] = await rig.audit.rows({ type: AuditType.LeaseReleased });
    expect(intent?.payload).toMatchObject({ wipe: 'retired', nodePresent: false });
  });

  it('is told to wipe what it still has when it comes back after that, and is leased again', async () => {
    await rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS + 60_000);
    await until('the node is gone', () => node() === null);
    await collectPods();
    await rig.untilLease('ios', 'Released');
    const [mac] = rig.macs;
    mac?.loseMachines();
    expect(mac?.state().disks).toHaveLength(1);
    await set({ retired: false });
    await rig.plane.create(Kinds.Node, { metadata: { name: 'mac-c02a', labels: { 'macrack.io/serial': 'c02a' } }, spec: { taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] } });
    if (mac !== undefined) mac.alive = true;
    await rig.createLease('next');
    await until('it is leased', async () => {
      await rig.pass(1_000);
      return rig.lease('next')?.status?.phase === 'Bound';
    });
    expect(mac?.state().disks).toEqual([]);
  });

  it('and came back before that, ends as any other: when it confirms that it is wiped', async () => {
    await rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    await set({ retired: false });
    for (const mac of rig.macs) mac.alive = true;
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await until('it is empty', () => rig.macs[0]?.state().disks.length === 0);
    await rig.pass(60_000);
    await rig.untilLease('ios', 'Released');
    expect(node()?.spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
  });
});

describe('a Mac that was retired while it is free', () => {
  it('leaves the cluster at once and takes no lease, also when somebody registers its node again', async () => {
    rig = await Rig.open('c02a');
    await rig.operate();
    await set({ retired: true });
    await until('its node is gone', () => node() === null);
    await rig.plane.create(Kinds.Node, { metadata: { name: 'mac-c02a', labels: { 'macrack.io/serial': 'c02a' } }, spec: { taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] } });
    await until('and gone again', () => node() === null);
    await rig.createLease('ios');
    await until('it waits', () => lease()?.reason === 'NoCapacity');
    expect(rig.plane.peek(Kinds.MacClass, { name: 'base' })?.status).toMatchObject({ total: 0, unleased: 0 });
  });
});

describe('a cordoned Mac', () => {
  it('takes no new lease until it is uncordoned', async () => {
    rig = await Rig.open('c02a');
    await set({ cordoned: true });
    await rig.operate();
    await rig.createLease('ios');
    await until('it waits', () => lease()?.reason === 'NoCapacity');
    await set({ cordoned: false });
    await rig.untilLease('ios', 'Bound');
  });

  it('goes on with the lease that it has: restarts, new starts, and its end', async () => {
    await running();
    await set({ cordoned: true });
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' }, { spec: { running: false } });
    await rig.untilInstance('one', 'Stopped');
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'one' }, { spec: { running: true } });
    await rig.untilInstance('one', 'Running');
    await rig.createInstance('two');
    await rig.untilInstance('two', 'Running');
    await rig.plane.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await until('it is empty', () => rig.macs[0]?.state().disks.length === 0);
    await rig.pass(60_000);
    await rig.untilLease('ios', 'Released');
    await rig.createLease('next');
    await until('the next waits', () => rig.lease('next')?.status?.reason === 'NoCapacity');
  });
});
