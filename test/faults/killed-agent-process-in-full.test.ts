import { FaultWorld } from '../harness/fault-world/fault-world';
import { KillWaves } from '../harness/fault-world/kill-waves';
import { Life } from '../harness/fault-world/life';
import { MacProcess } from '../harness/fault-world/mac-process';
import { dieAtEach, OWN_STEPS, type OwnDeath } from '../harness/fault-world/own-deaths';
import { endLeadership, OperatorProcess } from '../harness/fault-world/operator-process';
import { describeRealPlane } from '../harness/real-plane-suite';

// Only ends a hang.
jest.setTimeout(900_000);

// As many processes as a small machine bears: each starts anew at every other write.
const SERIALS = Array.from({ length: 5 }, (_, i) => `c02p0${i + 1}`);
const TENANTS = ['tenant-a', 'tenant-b', 'tenant-c'];

/** What an agent always writes in the life of a lease; which of its other reports there are depends on what falls together. */
const WRITES = ['patch pods/status Running #1', 'delete pods #1', 'patch macnodes/status after Wiped with 0 machines and 0 disks #1'];

const deathsAt = (moment: OwnDeath['moment']): OwnDeath[] => OWN_STEPS.filter((step) => moment !== 'torn' || step.startsWith('journal')).map((step) => ({ step, moment }));

describeRealPlane('kill -9 of agents that are processes, on Kubernetes 1.37', () => {
  let world: FaultWorld<MacProcess>;
  let waves: KillWaves;
  let operator: OperatorProcess;

  beforeAll(async () => {
    world = await FaultWorld.openWith((ground, serial, history, _log, permissive) => MacProcess.enrol(ground, serial, history, permissive), { ground: 'real', serials: SERIALS, tenants: TENANTS, operated: false });
    operator = await OperatorProcess.open(world, 'operator');
    waves = new KillWaves(world, TENANTS);
    for (const { proxy } of [operator, ...world.macs.values()]) proxy.hooks.add(waves.hook);
    await operator.start();
    await operator.takeWebhooks();
    await operator.untilLeads();
  });
  afterAll(async () => {
    await operator?.close();
    await world?.close();
  });

  const strike = (serial: string): void => world.mac(serial).strike();
  const agents = async (): Promise<void> => {
    await Promise.all([...world.macs.values()].map(async (mac) => {
      await mac.killAgent();
      await mac.startAgent();
    }));
  };
  const everybody = async (): Promise<void> => {
    await Promise.all([operator.kill(), ...[...world.macs.values()].map((mac) => mac.killAgent())]);
    await endLeadership(world);
    await Promise.all([operator.start(), ...[...world.macs.values()].map((mac) => mac.startAgent())]);
    await operator.untilLeads();
  };

  it('knows the writes in the life of a lease', async () => {
    const labels = await waves.scout();
    expect(WRITES.filter((write) => !labels.includes(write))).toEqual([]);
  });

  it('before, in the middle of and after each line of a journal, and around each call of the hypervisor, changes nothing in how it ends', async () => {
    const missed = await Promise.all((['before', 'torn', 'after'] as const).map(async (moment, i) => {
      const mac = world.mac(SERIALS[i] ?? '');
      const life = new Life(world, mac.serial, TENANTS[i] ?? '', moment).live();
      const [left] = await Promise.all([dieAtEach(mac, deathsAt(moment), life), life]);
      return left;
    }));
    expect(missed.flat()).toEqual([]);
    await world.untilWhole();
  });

  it('before and after each of the writes, whoever makes them, changes nothing in how it ends', async () => {
    expect(await waves.kill(agents, waves.labels, strike)).toEqual([]);
  });

  it('and of the operator with them changes nothing in how it ends', async () => {
    expect(await waves.kill(everybody, waves.labels, strike)).toEqual([]);
  });
});
