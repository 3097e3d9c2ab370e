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

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;
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
    expect([a.mac, b.mac]).toEqual([expect.stringMatching(MAC), expect.stringMatching(MAC)]);
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

  it('lists machines that others started, with their identity and without an instance', async () => {
    await mac().runForeign('by-hand');
    const [foreign] = await mac().hypervisor.list();
    expect(foreign).toMatchObject({ name: 'by-hand', state: 'Running' });
    expect([foreign?.machineID, foreign?.mac]).toEqual([expect.stringMatching(/.+/), expect.stringMatching(MAC)]);
    expect(await running(mac)).toEqual([undefined]);
    expect(await mac().hypervisor.disks()).toEqual([]);
  });

  it('shows the address of a machine once it has one, and says that something changed', async () => {
    await create(mac, 'a');
    const { hypervisor } = mac();
    let unsubscribe = (): void => undefined;
    const address = new Promise<string>((resolve, reject) => {
      unsubscribe = hypervisor.onChange(() => void hypervisor.list().then(([vm]) => (vm?.ip === undefined ? undefined : resolve(vm.ip)), reject));
    });
    await hypervisor.start('a');
    expect(await address.finally(unsubscribe)).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
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

  it('counts the machines of others to that limit', async () => {
    await mac().runForeign('by-hand');
    for (const uid of ['a', 'b']) await create(mac, uid);
    await mac().hypervisor.start('a');
    expect(isKernelLimit(await mac().hypervisor.start('b').catch((error: unknown) => error))).toBe(true);
  });

  it('runs two of three that start at once, and the kernel refuses one', async () => {
    for (const uid of ['a', 'b', 'c']) await create(mac, uid);
    const starts = await Promise.all(['a', 'b', 'c'].map((uid) => mac().hypervisor.start(uid).then(() => 'runs', (error: unknown) => (isKernelLimit(error) ? 'refused' : error))));
    expect([...starts].sort()).toEqual(['refused', 'runs', 'runs']);
    expect((await running(mac)).length).toBe(2);
  });

  it('frees the slot of a machine that died, and says that something changed', async () => {
    for (const uid of ['a', 'b', 'c']) await create(mac, uid);
    await mac().hypervisor.start('a');
    await mac().hypervisor.start('b');
    let unsubscribe = (): void => undefined;
    const changed = new Promise<void>((resolve) => { unsubscribe = mac().hypervisor.onChange(resolve); });
    await mac().killMachine('a');
    await changed.finally(unsubscribe);
    await mac().hypervisor.start('c');
    expect(await running(mac)).toEqual(['b', 'c']);
  });
}

function bundles(mac: Mac): void {
  it('starts nothing that was not created, and nothing that runs', async () => {
    await expect(mac().hypervisor.start('never-made')).rejects.toMatchObject({ fault: 'Failed' });
    await create(mac, 'a');
    await mac().hypervisor.start('a');
    await expect(mac().hypervisor.start('a')).rejects.toMatchObject({ fault: 'Busy' });
    expect(await running(mac)).toEqual(['a']);
  });

  it('leaves machines to run when its agent is started anew, which stops and deletes them', async () => {
    await create(mac, 'a');
    await mac().hypervisor.start('a');
    const anew = mac().reopen();
    expect((await anew.list()).map(({ instanceUID }) => instanceUID)).toEqual(['a']);
    await anew.stop('a', 0);
    await anew.delete('a');
    expect([await running(mac), await mac().hypervisor.disks()]).toEqual([[], []]);
  });

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
