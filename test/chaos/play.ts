import type { Logger } from 'pino';
import { HEARTBEAT_MS } from '../../sdk/api/timing';
import { FaultWorld } from '../harness/fault-world/fault-world';
import type { GroundName } from '../harness/fault-world/ground';
import { BadLuck } from './bad-luck';
import type { Step, StepKind } from './steps';
import { Tenants, TENANTS } from './tenants';

export interface Game {
  readonly ground: GroundName;
  readonly macs: number;
  readonly log?: Logger;
}

type Doing = Readonly<Record<StepKind, (which: number) => Promise<unknown> | void>>;

const SILENT_MS = 50_000;

function doing(world: FaultWorld, tenants: Tenants, luck: BadLuck): Doing {
  const { ground } = world;
  const pause = (proxy: { stall(): void }): void => proxy.stall();
  return {
    createLease: (n) => tenants.createLease(n), releaseLease: (n) => tenants.release(n, true), keepLease: (n) => tenants.release(n, false), deleteLease: (n) => tenants.deleteLease(n), raiseFloor: (n) => tenants.raiseFloor(n),
    createInstance: (n) => tenants.createInstance(n), stopInstance: (n) => tenants.run(n, false), startInstance: (n) => tenants.run(n, true), deleteInstance: (n) => tenants.deleteInstance(n),
    passFloor: () => world.passFloors(), heartbeat: () => ground.advance?.(HEARTBEAT_MS), silence: () => ground.advance?.(SILENT_MS),
    killOperator: (n) => luck.killOperator(n), secondOperator: () => luck.secondOperator(), stallOperator: async (n) => pause((await luck.operator(n)).proxy), cutOperator: async (n) => (await luck.operator(n)).proxy.cut(),
    loseEvents: async (n) => (await luck.operator(n)).proxy.withholdEvents([/./, /^macnodes$/, /^macnodebindings$/, /^(macnodeleases|macosinstances)$/, /^(pods|nodes)$/][n % 5]),
    expireWatches: async (n) => (await luck.operator(n)).proxy.expireWatches(), webhooksDown: () => luck.webhooksDown(),
    killAgent: (n) => luck.killAgent(n), cutAgent: (n) => luck.mac(n).proxy.cut(), stallAgent: (n) => pause(luck.mac(n).proxy), fullDisk: (n) => luck.fullDisk(n), rebootMac: (n) => luck.mac(n).mac.reboot(),
    crashMachine: (n) => luck.crashMachine(n), failStart: (n) => { luck.mac(n).mac.faults.failNextStart = 'it does not boot'; }, slowStop: (n) => luck.slow(n, 'stopMs'), slowStart: (n) => luck.slow(n, 'startMs'),
    noAddress: (n) => { luck.mac(n).mac.faults.noIP = true; }, cloneIdentity: (n) => luck.cloneIdentity(n), hypervisorDown: (n) => { luck.mac(n).mac.faults.unavailable = 'the hypervisor does not answer'; },
    killApiServer: () => luck.killServer('kube-apiserver'), killEtcd: () => luck.killServer('etcd'), killScheduler: () => luck.killServer('kube-scheduler'), killControllers: () => luck.killServer('kube-controller-manager'),
    heal: (n) => luck.heal(n),
  };
}

async function end(world: FaultWorld, tenants: Tenants, luck: BadLuck): Promise<void> {
  await luck.heal(0, true);
  await world.untilWhole();
  await tenants.leave();
  // A lease that is bound only now has its floor before it: until all are gone.
  await world.untilEmpty();
  await world.untilWhole();
}

/** Plays a history in a fresh world, sets everything right, and lets every tenant leave. @throws Error with what did not hold */
export async function play({ ground, macs, log }: Game, steps: readonly Step[]): Promise<void> {
  const serials = Array.from({ length: macs }, (_, i) => `c02x${String(i + 1).padStart(2, '0')}`);
  const world = await FaultWorld.open({ ground, serials, tenants: TENANTS, ...(log && { log }) });
  const tenants = await Tenants.open(world);
  try {
    const luck = new BadLuck(world);
    const act = doing(world, tenants, luck);
    for (const { kind, which, pauseMs } of steps) {
      log?.info({ chaos: { kind, which } }, 'step');
      await act[kind](which);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await end(world, tenants, luck);
  } finally {
    tenants.close();
    await world.close();
  }
}
