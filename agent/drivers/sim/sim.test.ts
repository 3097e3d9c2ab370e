import { describeHypervisor } from '../../testing/hypervisor-contract';
import { ManualTimers } from '../../testing/manual-timers';
import { isKernelLimit } from '../../driver';
import { SimMac, simHypervisor } from '.';

const spec = (instanceUID: string) => ({ instanceUID, image: 'ghcr.io/example/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '60Gi' } });

describeHypervisor('a simulated Mac', () => {
  const mac = new SimMac();
  return Promise.resolve({
    hypervisor: simHypervisor(mac), reopen: () => simHypervisor(mac), image: 'ghcr.io/example/macos:15',
    killMachine: (uid) => { mac.end(`macrack-${uid}`); return Promise.resolve(); },
    runForeign: async (name) => { mac.createBundle(name); await mac.boot(name); },
    dispose: () => Promise.resolve(),
  });
});

describe('a simulated Mac with faults', () => {
  const timers = new ManualTimers();
  let mac: SimMac;
  let hypervisor: ReturnType<typeof simHypervisor>;
  beforeEach(() => {
    mac = new SimMac({ timers });
    hypervisor = simHypervisor(mac);
  });

  it('holds the slot of a machine that starts slowly, and goes on with it without an agent', async () => {
    mac.faults.startMs = 30_000;
    await hypervisor.create(spec('a'));
    const started = hypervisor.start('a');
    await Promise.resolve();
    expect(await hypervisor.list()).toMatchObject([{ state: 'Starting' }]);
    timers.advance(30_000);
    await started;
    expect(await simHypervisor(mac).list()).toMatchObject([{ state: 'Running' }]);
  });

  it('ends a guest that does not shut down when its grace is over', async () => {
    mac.faults.stopMs = 600_000;
    await hypervisor.create(spec('a'));
    await hypervisor.start('a');
    const stopped = hypervisor.stop('a', 120_000);
    timers.advance(119_999);
    expect(await hypervisor.list()).toMatchObject([{ state: 'Stopping' }]);
    timers.advance(1);
    await stopped;
    expect(await hypervisor.list()).toEqual([]);
  });

  it('counts a leaked slot until the reboot', async () => {
    for (const uid of ['a', 'b']) await hypervisor.create(spec(uid));
    mac.faults.leakNextSlot = true;
    await hypervisor.start('a');
    await hypervisor.stop('a', 0);
    await hypervisor.start('a');
    expect(isKernelLimit(await hypervisor.start('b').catch((error: unknown) => error))).toBe(true);
    const boot = await hypervisor.bootID();
    mac.reboot();
    expect(await hypervisor.bootID()).not.toBe(boot);
    await hypervisor.start('a');
    await hypervisor.start('b');
  });

  it('can clone a bundle together with its identity', async () => {
    const source = await hypervisor.create(spec('a'));
    mac.faults.cloneNextFrom = 'a';
    expect(await hypervisor.create(spec('b'))).toEqual(source);
    expect(await hypervisor.create(spec('c'))).not.toEqual(source);
  });

  it('gives addresses late or never', async () => {
    mac.faults.ipMs = 5000;
    await hypervisor.create(spec('a'));
    await hypervisor.start('a');
    expect((await hypervisor.list())[0]).not.toHaveProperty('ip');
    timers.advance(5000);
    expect((await hypervisor.list())[0]).toHaveProperty('ip');
    await hypervisor.stop('a', 0);
    mac.faults.noIP = true;
    await hypervisor.start('a');
    timers.advance(60_000);
    expect((await hypervisor.list())[0]).not.toHaveProperty('ip');
  });
});
