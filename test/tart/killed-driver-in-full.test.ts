import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../../sdk/client/until';
import { FakeMac, IMAGE } from './fake-mac';

type Kill = { readonly at: number; readonly side: 'before' | 'while' };
type Call = readonly ['create' | 'start' | 'stop' | 'delete', ...unknown[]];

const spec = (instanceUID: string) => ({ instanceUID, image: IMAGE, shape: { cpu: 4, memory: '8Gi', disk: '60Gi' } });

/** A call by a process of its own. Resolves to the number of commands, or to undefined when it was killed. */
function call(mac: FakeMac, [method, ...args]: Call, kill?: Kill): Promise<number | undefined> {
  const child = spawn(process.execPath, [join(__dirname, 'driver-process.cjs'), JSON.stringify({ options: mac.options(), method, args, kill })], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, failed] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => { said += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { failed += text; });
  return new Promise((resolve, reject) => child.once('close', (code, signal) => {
    if (signal === 'SIGKILL') resolve(undefined);
    else if (code === 0) resolve(Number(said));
    else reject(new Error(failed));
  }));
}

/** What must hold at any moment, whoever was killed: no bundle of ours shares an identity with its image or another, and two machines at most. */
async function holds(mac: FakeMac): Promise<void> {
  const driver = mac.driver();
  const [vms, disks] = [await driver.list(), await driver.disks()];
  const identities = disks.flatMap(({ machineID, mac: address }) => [machineID, address]);
  expect(new Set([...identities, mac.image.ecid, mac.image.macAddress.toLowerCase()]).size).toBe(identities.length + 2);
  expect(vms.length).toBeLessThanOrEqual(2);
  expect(vms.every(({ instanceUID }) => disks.some((disk) => disk.instanceUID === instanceUID))).toBe(true);
}

const scenarios: readonly { readonly name: string; readonly before: readonly Call[]; readonly call: Call; readonly after: { readonly running: readonly string[]; readonly disks: readonly string[] } }[] = [
  { name: 'create', before: [['create', spec('other')]], call: ['create', spec('a')], after: { running: [], disks: ['a', 'other'] } },
  { name: 'start', before: [['create', spec('a')]], call: ['start', 'a'], after: { running: ['a'], disks: ['a'] } },
  { name: 'stop', before: [['create', spec('a')], ['start', 'a']], call: ['stop', 'a', 60_000], after: { running: [], disks: ['a'] } },
  { name: 'delete', before: [['create', spec('a')]], call: ['delete', 'a'], after: { running: [], disks: [] } },
];

/** The same call by a driver that lives. */
async function within(mac: FakeMac, [method, ...args]: Call): Promise<void> {
  const driver = mac.driver();
  const made = args[0] as ReturnType<typeof spec> & string;
  if (method === 'create') await driver.create(made);
  if (method === 'stop') await driver.stop(made, 60_000);
  if (method === 'delete') await driver.delete(made);
  // A machine that runs by then is what a new agent wants.
  if (method === 'start') await driver.start(made).catch((error: unknown) => expect(error).toMatchObject({ fault: 'Busy' }));
}

describe.each(scenarios)('an agent killed in $name, before each command and while it runs', ({ before, call: killed, after }) => {
  let mac: FakeMac;
  beforeEach(() => {
    mac = new FakeMac();
    mac.fail({ cloneMs: 100, startMs: 50, guestAgent: true });
  });
  afterEach(() => mac.dispose());

  it('leaves what a new one can go on with: identities of their own, two machines, nothing lost', async () => {
    const prepare = async () => { for (const each of before) await within(mac, each); };
    await prepare();
    const commands = await call(mac, killed) ?? 0;
    expect(commands).toBeGreaterThan(1);
    for (const side of ['before', 'while'] as const) {
      for (let at = 1; at <= commands; at += 1) {
        mac.reset();
        await prepare();
        expect(await call(mac, killed, { at, side })).toBeUndefined();
        await holds(mac);
        await within(mac, killed);
        const driver = mac.driver();
        await until('the machines are those that were wanted', async () => ((await driver.list()).map(({ instanceUID }) => instanceUID).join() === after.running.join() ? true : undefined));
        expect((await driver.disks()).map(({ instanceUID }) => instanceUID).sort()).toEqual(after.disks);
        await holds(mac);
      }
    }
  });
});

describe('what a killed agent left half-made', () => {
  const mac = new FakeMac();
  afterAll(() => mac.dispose());

  it('is no disk of an instance, and the next create clears it away', async () => {
    await call(mac, ['create', spec('a')], { at: 3, side: 'before' });
    expect(mac.bundles()).toEqual([expect.stringMatching(/^macrack\.making\.a\./)]);
    expect(await mac.driver().disks()).toEqual([]);
    await mac.driver().create(spec('b'));
    expect(mac.bundles()).toEqual(['macrack-b']);
  });

  it('does not reach the next one, also when its clone ends later', async () => {
    mac.fail({ cloneMs: 1_500 });
    await call(mac, ['create', spec('late')], { at: 1, side: 'while' });
    await until('the clone is under way', () => Promise.resolve(mac.commands().some(({ command }) => command.join(' ').includes('making.late')) ? true : undefined));
    const identity = await mac.driver().create(spec('late'));
    await until('the late clone is there', () => Promise.resolve(mac.bundles().some((name) => name.startsWith('macrack.making.')) ? true : undefined));
    expect((await mac.driver().disks()).find(({ instanceUID }) => instanceUID === 'late')).toEqual({ instanceUID: 'late', ...identity });
    await holds(mac);
  });
});
