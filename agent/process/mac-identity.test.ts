import { SimMac, simHypervisor } from '../drivers/sim';
import { readMacIdentity } from './mac-identity';

const mac = new SimMac({ hardwareUUID: 'HW' });
const driver = (serial?: string) => ({ hypervisor: simHypervisor(mac), ...(serial === undefined ? {} : { serialNumber: () => Promise.resolve(serial) }) });

describe('what a Mac is enrolled by', () => {
  it('is its own serial in lower case, its hardware and what its kernel allows', async () => {
    expect(await readMacIdentity(driver('C02ABC'), undefined)).toEqual({ serial: 'c02abc', hardwareUUID: 'HW', kernelQuota: 2 });
    expect(await readMacIdentity(driver('C02ABC'), 'c02abc')).toMatchObject({ serial: 'c02abc' });
    expect(await readMacIdentity(driver(), 'C02SIM')).toMatchObject({ serial: 'c02sim' });
  });

  it.each<[string, string | undefined, string | undefined, RegExp]>([
    ['another serial than its own', 'C02ABC', 'C02XYZ', /--serial says C02XYZ, and this Mac is C02ABC/],
    ['no serial at all', undefined, undefined, /give one with --serial/],
    ['no serial of a Mac', 'C02 ABC', undefined, /is no serial number of a Mac/],
  ])('is not %s', async (_what, own, given, message) => {
    await expect(readMacIdentity(driver(own), given)).rejects.toThrow(message);
  });
});
