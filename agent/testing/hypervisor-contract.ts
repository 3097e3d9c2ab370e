import { isKernelLimit, type Hypervisor } from '../driver';

export interface HypervisorUnderTest {
  readonly hypervisor: Hypervisor;
  /** The same Mac, seen by an agent that was started anew. */
  readonly reopen: () => Hypervisor;
  /** Ends the process of a machine without the driver's knowledge. */
  readonly killMachine: (instanceUID: string) => Promise<void>;
  /** Starts a machine that is not ours, as a person at the Mac would. */
  readonly runForeign: (name: string) => Promise<void>;
  /** An image that the Mac can create machines from. */
  readonly image: string;
  readonly dispose: () => Promise<void>;
}

const shape = { cpu: 4, memory: '8Gi', disk: '60Gi' };

/** What the agent relies on, for every driver. A driver's own test calls it with its Mac. */
export function describeHypervisor(name: string, open: () => Promise<HypervisorUnderTest>): void {
  describe(`the hypervisor contract on ${name}`, () => {
    let mac: HypervisorUnderTest;
    beforeEach(async () => { mac = await open(); });
    afterEach(() => mac.dispose());
    identities(() => mac);
    listing(() => mac);
    slots(() => mac);
    bundles(() => mac);
  });
}

type Mac = () => HypervisorUnderTest;
const create = (mac: Mac, instanceUID: string) => mac().hypervisor.create({ instanceUID, image: mac().image, shape });
const running = async (mac: Mac) => (await mac().hypervisor.list()).map(({ instanceUID }) => instanceUID);

function identities(mac: Mac): void {
  it('gives each machine a machine id and a MAC of its own, also from one image', async () => {
    const [a, b] = [await create(mac, 'a'), await create(mac, 'b')];
    expect(a.machineID).not.toBe(b.machineID);
    expect(a.mac).not.toBe(b.mac);
    expect(a.mac).toMatch(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/);
  });

  it('keeps the identity of an instance over a second create, starts, stops and a new agent', async () => {
    const identity = await create(mac, 'a');
    await mac().hypervisor.start('a');
    await mac().hypervisor.stop('a', 0);
    await mac().hypervisor.start('a');
    expect((await mac().reopen().list())[0]).toMatchObject({ instanceUID: 'a', ...identity });
    expect(await create(mac, 'a')).toEqual(identity);
    expect(await mac().reopen().disks()).toEqual([{ instanceUID: 'a', ...identity }]);
  });

  it('knows the hardware and the boot, the same each time', async () => {
    expect(await mac().reopen().hardwareUUID()).toBe(await mac().hypervisor.hardwareUUID());
    expect(await mac().reopen().bootID()).toBe(await mac().hypervisor.bootID());
  });
}

function listing(mac: Mac): void {
  it('lists a machine from the moment that its start has resolved', async () => {
    await create(mac, 'a');
    expect(await running(mac)).toEqual([]);
    await mac().hypervisor.start('a');
    expect(await running(mac)).toEqual(['a']);
  });

  it('lists machines that others started, without an instance', async () => {
    await mac().runForeign('by-hand');
    expect(await mac().hypervisor.list()).toMatchObject([{ name: 'by-hand' }]);
    expect(await running(mac)).toEqual([undefined]);
    expect(await mac().hypervisor.disks()).toEqual([]);
  });
}

function slots(mac: Mac): void {
  it("refuses a third machine with the kernel's own limit", async () => {
    for (const uid of ['a', 'b', 'c']) await create(mac, uid);
    await mac().hypervisor.start('a');
    await mac().hypervisor.start('b');
    expect(isKernelLimit(await mac().hypervisor.start('c').catch((error: unknown) => error))).toBe(true);
    expect(await running(mac)).toEqual(['a', 'b']);
    expect(await mac().hypervisor.probeLimit()).toBe(2);
  });

  it('frees the slot of a machine that died, and says that something changed', async () => {
    for (const uid of ['a', 'b', 'c']) await create(mac, uid);
    await mac().hypervisor.start('a');
    await mac().hypervisor.start('b');
    const changed = new Promise<void>((resolve) => mac().hypervisor.onChange(resolve));
    await mac().killMachine('a');
    await changed;
    await mac().hypervisor.start('c');
    expect(await running(mac)).toEqual(['b', 'c']);
  });
}

function bundles(mac: Mac): void {
  it('has no machine any more when stop resolves, and stops nothing without complaint', async () => {
    await create(mac, 'a');
    await mac().hypervisor.start('a');
    await mac().hypervisor.stop('a', 0);
    expect(await running(mac)).toEqual([]);
    await mac().hypervisor.stop('a', 0);
    await mac().hypervisor.stop('never-made', 0);
  });

  it('deletes a stopped bundle for good, not a running one, and nothing without complaint', async () => {
    const first = await create(mac, 'a');
    await mac().hypervisor.start('a');
    await expect(mac().hypervisor.delete('a')).rejects.toMatchObject({ fault: 'Busy' });
    await mac().hypervisor.stop('a', 0);
    await mac().hypervisor.delete('a');
    expect(await mac().hypervisor.disks()).toEqual([]);
    await mac().hypervisor.delete('a');
    expect((await create(mac, 'a')).machineID).not.toBe(first.machineID);
  });
}
