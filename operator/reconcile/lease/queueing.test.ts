import { Kinds } from '../../../sdk/api';
import { Rig, TENANT, until } from '../../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
afterEach(() => rig.close());

const phase = (name: string) => rig.lease(name)?.status?.phase;

describe('leases that wait for Macs', () => {
  it('are served in the order of their creation', async () => {
    rig = await Rig.open();
    await rig.operate();
    for (const name of ['first', 'second', 'third']) {
      await rig.createLease(name);
      await rig.pass(1_000);
    }
    await until('all wait', () => ['first', 'second', 'third'].every((n) => rig.lease(n)?.status?.reason === 'NoCapacity'));
    for (const [serial, name] of [['c02a', 'first'], ['c02b', 'second']] as const) {
      await rig.addMac(serial);
      await rig.untilLease(name, 'Bound');
    }
    expect(phase('third')).toBe('Pending');
  });

  it('for one free Mac end with one Bound and the others Pending', async () => {
    rig = await Rig.open('c02a');
    await rig.operate();
    await Promise.all(['a', 'b', 'c'].map((n) => rig.createLease(n)));
    await until('all are settled', () => ['a', 'b', 'c'].every((n) => phase(n) === 'Bound' || rig.lease(n)?.status?.reason === 'NoCapacity'));
    expect(['a', 'b', 'c'].filter((n) => phase(n) === 'Bound')).toHaveLength(1);
    expect(rig.plane.all(Kinds.MacNodeBinding)).toHaveLength(1);
  });

  it('are withdrawn while Pending: Released, nothing bound, nothing billed, no row', async () => {
    rig = await Rig.open();
    await rig.operate();
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Pending');
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.untilLease('ios', 'Released');
    expect(rig.lease('ios')?.status?.boundAt).toBeUndefined();
    expect(rig.lease('ios')?.status?.message).toMatch(/Nothing is billed/);
    expect(await rig.audit.rows()).toEqual([]);
  });

  it('deleted while Pending are gone at once', async () => {
    rig = await Rig.open();
    await rig.operate();
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Pending');
    await rig.plane.remove(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' });
    await until('it is gone', () => rig.lease('ios') === null);
  });

  it('pinned to a Mac that another has, wait, in the words of a Mac that does not exist', async () => {
    rig = await Rig.open('c02a');
    await rig.operate();
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await rig.createLease('taken', { serial: 'C02A' }, 'tenant-b');
    await rig.createLease('absent', { serial: 'C02Z' }, 'tenant-b');
    await until('both wait', () => ['taken', 'absent'].every((n) => rig.lease(n, 'tenant-b')?.status?.reason === 'NoCapacity'));
    const [taken, absent] = ['taken', 'absent'].map((n) => rig.lease(n, 'tenant-b')?.status?.message ?? '');
    expect(taken?.replace('c02a', 'X')).toBe(absent?.replace('c02z', 'X'));
  });

  it.each([
    ['silent', { lastSeen: '2026-11-29T09:59:00Z' }],
    ['not ready', { conditions: [{ type: 'Ready', status: 'False', reason: 'X', message: '', lastTransitionTime: '2026-11-29T10:00:00Z' }] }],
    ['degraded by a leaked slot', { leaked: 1 }],
    ['not empty', { disks: [{ instanceUID: 'i', bindingUID: 'b', tenant: 't' }] }],
    ['other hardware than enrolled', { hardwareUUID: 'other' }],
  ])('do not get a Mac that is %s, and get it when that is over', async (_, status) => {
    rig = await Rig.open('c02a');
    const [mac] = rig.macs;
    await mac?.report(status as object);
    await rig.operate();
    await rig.createLease('ios');
    await until('it waits', () => rig.lease('ios')?.status?.reason === 'NoCapacity');
    await mac?.report();
    await rig.untilLease('ios', 'Bound');
  });
});

describe('two operators at once', () => {
  it('bind each lease once, and write each row once', async () => {
    rig = await Rig.open('c02a', 'c02b', 'c02c');
    await Promise.all([rig.operate(), rig.operate()]);
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((n) => rig.createLease(n)));
    await until('three are Bound and one waits', () => names.filter((n) => phase(n) === 'Bound').length === 3 && names.some((n) => rig.lease(n)?.status?.reason === 'NoCapacity'));
    const claims = rig.plane.all(Kinds.MacNodeBinding);
    expect(new Set(claims.map((c) => c.spec.leaseUID)).size).toBe(3);
    await until('the rows', async () => (await rig.audit.rows()).filter((r) => r.stage === 'outcome').length === 3);
    expect(await rig.audit.openIntents()).toEqual([]);
  });

  it('start each instance once, in a slot of its own', async () => {
    rig = await Rig.open('c02a');
    await Promise.all([rig.operate(), rig.operate()]);
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await Promise.all(['one', 'two', 'three'].map((n) => rig.createInstance(n)));
    const settled = () => ['one', 'two', 'three'].map((n) => rig.instance(n)?.status?.phase);
    await until('two run and one is Failed', () => settled().filter((p) => p === 'Running').length === 2 && settled().includes('Failed'));
    await until('one row', async () => (await rig.audit.rows({ type: 'Third instance rejected' })).length === 1);
  });
});
