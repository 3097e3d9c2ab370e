import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeHypervisor } from '../../testing/hypervisor-contract';
import { ManualTimers } from '../../testing/manual-timers';
import { DurableSimMac, durableSimHypervisor } from '.';

const spec = (instanceUID: string) => ({ instanceUID, image: 'ghcr.io/example/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '60Gi' } });

/** A file, and the Mac in it as several processes see it. */
function open() {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-sim-'));
  const opened: DurableSimMac[] = [];
  return {
    mac: (options: { timers?: ManualTimers } = {}) => {
      const mac = new DurableSimMac(join(directory, 'sim.sqlite'), options);
      opened.push(mac);
      return mac;
    },
    dispose: () => {
      for (const mac of opened) mac.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

describeHypervisor('a simulated Mac in a file', () => {
  const file = open();
  const other = file.mac();
  return Promise.resolve({
    hypervisor: durableSimHypervisor(file.mac()), reopen: () => durableSimHypervisor(file.mac()), image: 'ghcr.io/example/macos:15',
    killMachine: (uid) => { other.end(`macrack-${uid}`); return Promise.resolve(); },
    runForeign: async (name) => { other.createBundle(name); await other.boot(name); },
    dispose: () => { file.dispose(); return Promise.resolve(); },
  });
});

describe('a simulated Mac in a file', () => {
  let file: ReturnType<typeof open>;
  beforeEach(() => { file = open(); });
  afterEach(() => file.dispose());

  it('goes on with a start and a stop that nobody waits for any more', async () => {
    const first = file.mac({ timers: new ManualTimers() });
    first.set({ startMs: 60_000, stopMs: 60_000 });
    first.createBundle('macrack-a');
    void first.boot('macrack-a').catch(() => undefined);
    expect(file.mac().running()).toMatchObject([{ state: 'Starting' }]);
    void first.shutDown('macrack-a', 120_000).catch(() => undefined);
    expect(file.mac().running()).toMatchObject([{ state: 'Stopping' }]);
    await file.mac().shutDown('macrack-a', 0);
    expect(first.running()).toEqual([]);
  });

  it('counts a leaked slot until the reboot, which is another boot', async () => {
    const mac = file.mac();
    const hypervisor = durableSimHypervisor(mac);
    const boot = mac.bootID;
    mac.set({ leaked: 2 });
    await hypervisor.create(spec('a'));
    await expect(hypervisor.start('a')).rejects.toMatchObject({ fault: 'KernelLimit' });
    mac.reboot();
    await hypervisor.start('a');
    expect(mac.bootID).not.toBe(boot);
  });

  it('answers nothing while it is told to be away', async () => {
    file.mac().set({ unavailable: 'the hypervisor is away' });
    await expect(durableSimHypervisor(file.mac()).list()).rejects.toThrow('the hypervisor is away');
  });
});
