import { Kinds } from '../../../sdk/api';
import type { AgentState } from '../../../sdk/client/agent-reader';
import { HOUR_MS, Rig, TENANT, until } from '../../testing/rig';
import type { SimMac } from '../../testing/sim-mac';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
let mac: SimMac;
beforeEach(async () => {
  rig = await Rig.open('c02a');
  [mac] = rig.macs as [SimMac];
  await rig.operate();
});
afterEach(() => rig.close());

const lease = () => rig.lease('ios')?.status;
const claims = (): string[] => rig.plane.all(Kinds.MacNodeBinding).map((c) => c.metadata.name);
const disk = { instanceUID: 'left' };
const vm = { name: 'by-hand', machineID: 'id', mac: '02:00:00:00:00:01', state: 'Running' };

/** Answers that differ from what the agent reported to the API server, and from what a bind or a release needs. */
const DOUBTFUL: [string, (truth: AgentState) => AgentState | null][] = [
  ['does not answer', () => null],
  ['is another Mac', (truth) => ({ ...truth, serial: 'c02z' })],
  ['is other hardware', (truth) => ({ ...truth, hardwareUUID: 'hw-other' })],
  ['runs a machine', (truth) => ({ ...truth, vms: [vm] })],
  ['counts a machine that it does not list', (truth) => ({ ...truth, capacity: { ...truth.capacity, running: 1 } })],
  ['has a disk', (truth) => ({ ...truth, disks: [disk] })],
  ['has a kernel that allows three', (truth) => ({ ...truth, capacity: { ...truth.capacity, kernelQuota: 3 } })],
];

async function untilRetried(what: string, holds: () => boolean): Promise<void> {
  await until(what, async () => {
    await rig.pass(1_000);
    return holds();
  });
}

describe.each(DOUBTFUL)('a Mac that %s when it is asked live', (_what, answer) => {
  it('is not bound, whatever it reported; the lease says so without a name, and is bound when the Mac confirms', async () => {
    mac.answer = answer;
    await rig.createLease('ios');
    await until('it says why', () => lease()?.reason === 'AgentUnavailable');
    expect(lease()).toMatchObject({ phase: 'Pending', message: 'A free Mac of class base does not confirm to the operator that it is ready; the lease waits in line and nothing is billed.' });
    for (let i = 0; i < 10; i += 1) await rig.pass(1_000);
    expect([claims(), lease()?.phase, lease()?.node]).toEqual([[], 'Pending', undefined]);
    mac.answer = (truth) => truth;
    await untilRetried('it is bound', () => lease()?.phase === 'Bound');
    expect(claims()).toEqual(['c02a']);
  });

  it('is not given back, whatever it reported; the lease says so, and is released when the Mac confirms', async () => {
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    mac.answer = answer;
    await rig.pass(24 * HOUR_MS);
    await rig.untilLease('ios', 'Releasing');
    await rig.pass(60_000);
    await until('it says why', () => lease()?.reason !== undefined);
    expect(lease()?.message).toMatch(/^The Mac does not (answer the operator|confirm that it is wiped).* Billed until 2026-11-30T10:00:00Z\.$/);
    expect(lease()?.message).not.toContain('c02');
    for (let i = 0; i < 10; i += 1) await rig.pass(1_000);
    expect([claims(), lease()?.phase]).toEqual([['c02a'], 'Releasing']);
    expect(rig.plane.peek(Kinds.Node, { name: 'mac-c02a' })?.spec.taints?.[0]?.key).toBe('macrack.io/tenant');
    mac.answer = (truth) => truth;
    await untilRetried('it is released', () => lease()?.phase === 'Released');
    expect(claims()).toEqual([]);
  });
});

describe('a Mac that does not answer', () => {
  it('holds nobody up: the lease takes another that does', async () => {
    await rig.addMac('c02b');
    mac.answer = () => null;
    await rig.createLease('ios');
    await until('it is bound', async () => {
      await rig.pass(100);
      return lease()?.phase === 'Bound';
    });
    expect(lease()?.chassis).toBe('c02b');
  });

  it('is not told from one that is absent where it was pinned', async () => {
    mac.answer = () => null;
    await rig.createLease('ios', { serial: 'c02a' });
    await rig.createLease('absent', { serial: 'c02z' });
    await until('both wait', () => ['ios', 'absent'].every((name) => rig.lease(name)?.status?.reason === 'NoCapacity'));
    expect(lease()?.message?.replace('c02a', 'X')).toBe(rig.lease('absent')?.status?.message?.replace('c02z', 'X'));
    mac.answer = (truth) => truth;
    await untilRetried('it is bound', () => lease()?.phase === 'Bound');
  });

  it('is not counted as free', async () => {
    const unleased = () => rig.plane.peek(Kinds.MacClass, { name: 'base' })?.status?.unleased;
    await until('it is free', () => unleased() === 1);
    mac.answer = () => null;
    await rig.createLease('ios');
    await until('it is not', () => unleased() === 0);
    mac.answer = (truth) => truth;
    await untilRetried('it is bound', () => lease()?.phase === 'Bound');
  });

  it('between the choice and the claim sends the lease back in line', async () => {
    let asked = 0;
    mac.answer = (truth) => ((asked += 1) === 2 ? null : truth);
    await rig.createLease('ios');
    await untilRetried('it is bound', () => lease()?.phase === 'Bound');
    expect(rig.plane.requests.filter((r) => r === 'patch-status macnodeleases tenant-a/ios').length).toBeGreaterThan(3);
    await until('its row is written', async () => (await rig.audit.openIntents()).length === 0);
  });
});

it('a Mac that is at rest is asked nothing', async () => {
  let asked = 0;
  mac.answer = (truth) => {
    asked += 1;
    return truth;
  };
  await rig.createLease('ios');
  await rig.untilLease('ios', 'Bound');
  expect(asked).toBe(2);
  for (let i = 0; i < 5; i += 1) await rig.pass(10_000);
  expect(asked).toBe(2);
});
