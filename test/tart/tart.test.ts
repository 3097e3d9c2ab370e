import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isKernelLimit } from '../../agent/driver';
import type { TartHypervisor } from '../../agent/drivers/tart';
import { FakeMac, IMAGE, LINUX_IMAGE } from './fake-mac';

const shape = { cpu: 4, memory: '8Gi', disk: '60Gi' };
let mac: FakeMac;
let driver: TartHypervisor;
beforeEach(() => {
  mac = new FakeMac();
  driver = mac.driver();
});
afterEach(() => mac.dispose());

const create = (instanceUID: string, image = IMAGE) => driver.create({ instanceUID, image, shape });
const given = (name: string) => mac.commands().filter(({ command }) => command[0] === name);
const run = async (instanceUID: string) => {
  await create(instanceUID);
  await driver.start(instanceUID);
};

describe('create', () => {
  it('sets the shape, and always a new machine id and MAC', async () => {
    const identity = await create('a');
    expect(given('set').map(({ command }) => command.slice(2).join(' '))).toEqual(['--random-mac --random-serial --cpu 4 --memory 8192 --disk-size 65']);
    expect(mac.config('macrack-a')).toMatchObject({ ecid: identity.machineID, macAddress: identity.mac });
    expect([identity.machineID, identity.mac]).not.toEqual([mac.image.ecid, mac.image.macAddress.toLowerCase()]);
  });

  it.each([
    ['an image that the registry does not have', 'ghcr.io/example/none:1', {}, 'tart clone ended with code 1: Error: UnexpectedHTTPStatusCode(when: "pulling manifest", code: 404'],
    ['an image without a registry, which would be a machine on this Mac', 'macrack-b', {}, 'image "macrack-b" names no registry'],
    ['an image that would be an option', '--insecure/x', {}, 'names no registry'],
    ['an image of another system', LINUX_IMAGE, {}, 'is no image of macOS'],
    ['a tart that leaves the identity of the image', IMAGE, { keepIdentity: true }, 'no machine identifier and MAC of its own'],
  ])('refuses %s, and leaves nothing behind', async (_what, image, faults, told) => {
    mac.fail(faults);
    await expect(create('a', image)).rejects.toMatchObject({ fault: 'Failed', message: expect.stringContaining(told) as string });
    expect(mac.bundles()).toEqual([]);
  });

  it('keeps a damaged bundle as it is: a tenant may have data on its disk', async () => {
    await create('a');
    rmSync(join(mac.home, 'vms', 'macrack-a', 'nvram.bin'));
    await expect(create('a')).rejects.toThrow('its bundle macrack-a lacks nvram.bin');
    expect(await driver.disks()).toMatchObject([{ instanceUID: 'a' }]);
  });

  it('takes no UID for the name of another file', async () => {
    await expect(create('../../x')).rejects.toThrow('not the UID of an instance');
  });
});

describe('credentials of the registry', () => {
  it('reach the command that pulls and no other, and stand in no error', async () => {
    const environment = { PATH: process.env.PATH, HOME: mac.home, TART_REGISTRY_USERNAME: 'robot', TART_REGISTRY_PASSWORD: 'hunter2' };
    driver = mac.driver({ environment });
    await run('a');
    const seen = mac.commands().filter((each) => each.environment.includes('TART_REGISTRY_PASSWORD')).map(({ command }) => command[0]);
    expect([seen, given('run').length]).toEqual([['clone'], 1]);
    mac.fail({ registryError: 'AuthFailed(why: "robot:hunter2 was refused")' });
    const refusal = await create('b').catch((error: unknown) => (error as Error).message);
    expect(refusal).toContain('AuthFailed(why: "(withheld):(withheld) was refused")');
  });
});

describe('start', () => {
  it('opens no window and shares nothing of the host with the guest', async () => {
    await run('a');
    expect(given('run').map(({ command }) => command)).toEqual([['run', '--no-graphics', '--no-audio', '--no-clipboard', 'macrack-a']]);
  });

  it('waits for the kernel: a machine that tart lists already may still be refused', async () => {
    for (const uid of ['a', 'b', 'c']) await create(uid);
    await driver.start('a');
    await driver.start('b');
    mac.fail({ startMs: 1_000 });
    const refusal = await driver.start('c').catch((error: unknown) => error);
    expect(isKernelLimit(refusal)).toBe(true);
    expect((refusal as Error).message).toContain('The number of VMs exceeds the system limit (other running VMs: macrack-a, macrack-b)');
  });

  it('tells a leaked slot: the limit, while fewer than two machines run', async () => {
    mac.fail({ leakNextSlot: true });
    for (const uid of ['a', 'b']) await create(uid);
    await driver.start('a');
    await driver.stop('a', 0);
    await driver.start('a');
    expect(isKernelLimit(await driver.start('b').catch((error: unknown) => error))).toBe(true);
    expect((await driver.list()).length).toBe(1);
    mac.boot('');
    for (const uid of ['a', 'b']) await mac.driver().start(uid);
    expect((await driver.list()).length).toBe(2);
  });

  it('fails in the words of tart, and leaves the slot', async () => {
    await create('a');
    mac.fail({ failNextStart: 'Error Domain=VZErrorDomain Code=1 "The virtual machine failed to start."' });
    await expect(driver.start('a')).rejects.toMatchObject({ fault: 'Failed', message: expect.stringContaining('The virtual machine failed to start.') as string });
    await driver.start('a');
  });

  it('goes by the list where tart opens no control socket, before macOS 14', async () => {
    mac.fail({ noControlSocket: true });
    driver = mac.driver({ times: { settleMs: 500 } });
    await run('a');
    expect(await driver.list()).toMatchObject([{ instanceUID: 'a', state: 'Running' }]);
  });
});

describe('stop', () => {
  it('asks the guest to shut down, and tart to end nothing that did', async () => {
    mac.fail({ guestAgent: true });
    await run('a');
    await driver.stop('a', 60_000);
    expect([given('exec').length, given('stop').length, await driver.list()]).toEqual([1, 0, []]);
  });

  it('ends a guest that cannot be asked, without waiting for its grace', async () => {
    await run('a');
    await driver.stop('a', 24 * 60 * 60 * 1000);
    expect([given('exec').length, given('stop').length, await driver.list()]).toEqual([1, 1, []]);
  });

  it('ends a guest whose grace is over', async () => {
    mac.fail({ guestAgent: true, guestStopMs: 600_000 });
    await run('a');
    const stopped = driver.stop('a', 1_500);
    expect(await driver.list()).toMatchObject([{ state: 'Stopping' }]);
    await stopped;
    expect(await driver.list()).toEqual([]);
  });

  it.each([
    ['hangs', { ignoreInterruptMs: 600_000 }],
    ['fails', { stopError: 'failed to get lock status' }],
  ])('ends the process of a machine where tart %s', async (_what, faults) => {
    mac.fail(faults);
    await run('a');
    await mac.driver().stop('a', 0);
    expect(await driver.list()).toEqual([]);
  });
});

describe('delete', () => {
  it('is not over before the disk is gone: one that was interrupted is still a disk, though tart lists it no more', async () => {
    await create('a');
    mac.fail({ interruptDelete: true });
    await expect(driver.delete('a')).rejects.toThrow('tart delete was killed');
    expect(mac.tart('list', '--source', 'local', '--format', 'json').trim()).toBe('[]');
    expect(await driver.disks()).toEqual([{ instanceUID: 'a', machineID: '', mac: '' }]);
    await driver.delete('a');
    expect([await driver.disks(), mac.bundles()]).toEqual([[], []]);
  });
});

describe('what is unknown', () => {
  it('is an error, never an empty Mac', async () => {
    mac.fail({ listAnswer: 'Failed to perform garbage collection' });
    await expect(driver.list()).rejects.toThrow('the answer of tart list cannot be read: Failed to perform garbage collection');
    await expect(mac.driver({ program: join(mac.home, 'absent') }).list()).rejects.toThrow('install tart, or correct PATH');
  });
});

describe('the Mac', () => {
  it('has the serial and hardware that it was made with, and a new boot after a restart, without machines', async () => {
    expect([await driver.serialNumber(), await driver.hardwareUUID()]).toEqual([mac.serial, mac.hardwareUUID]);
    await run('a');
    const boot = await driver.bootID();
    mac.boot('hv_apple_isa_vm_quota=4');
    const anew = mac.driver();
    expect([await anew.bootID() === boot, await anew.list(), await anew.probeLimit()]).toEqual([false, [], 4]);
  });

  it('tells a new agent that a machine of the former one has died', async () => {
    await run('a');
    const anew = mac.driver();
    expect((await anew.list()).length).toBe(1);
    let unsubscribe = (): void => undefined;
    const gone = new Promise<void>((resolve, reject) => {
      unsubscribe = anew.onChange(() => void anew.list().then((vms) => (vms.length === 0 ? resolve() : undefined), reject));
    });
    await mac.crash('macrack-a');
    await gone.finally(unsubscribe);
  });
});
