import { Host, MACOS_PROGRAMS } from './host';
import type { Outcome, Subprocesses } from './subprocesses';

const IOREG = '/usr/sbin/ioreg -r -d 1 -c IOPlatformExpertDevice';
const said = (stdout: string): Outcome => ({ code: 0, stdout, stderr: '' });

/** Answers by the whole command line. */
function host(answers: Readonly<Record<string, Outcome>>) {
  const asked: string[] = [];
  const subprocesses: Subprocesses = {
    run: ({ program, args }) => {
      const line = [program, ...args].join(' ');
      asked.push(line);
      const answer = answers[line];
      return answer === undefined ? Promise.reject(new Error('no such program')) : Promise.resolve(answer);
    },
    launch: () => Promise.reject(new Error('nothing is launched here')),
    kill: () => undefined,
  };
  return { it: new Host(MACOS_PROGRAMS, subprocesses), asked };
}

describe('the facts of a Mac', () => {
  it('are its hardware UUID and serial number, asked for once', async () => {
    const { it: mac, asked } = host({ [IOREG]: said('  "IOPlatformSerialNumber" = "C02ABC"\n  "IOPlatformUUID" = "4C4C4544-0000"\n') });
    expect([await mac.hardwareUUID(), await mac.serialNumber(), await mac.hardwareUUID()]).toEqual(['4C4C4544-0000', 'C02ABC', '4C4C4544-0000']);
    expect(asked.length).toBe(1);
  });

  it('are asked for again after they could not be had', async () => {
    const answers: Record<string, Outcome> = {};
    const { it: mac } = host(answers);
    await expect(mac.hardwareUUID()).rejects.toThrow('ioreg -r -d 1 -c IOPlatformExpertDevice failed: no such program');
    answers[IOREG] = said('"IOPlatformUUID" = "4C4C"');
    expect(await mac.hardwareUUID()).toBe('4C4C');
  });

  it.each([
    ['', 2],
    ['debug=0x144 hv_apple_isa_vm_quota=0xFF', 255],
    ['hv_apple_isa_vm_quota=4 -v', 4],
    ['not_hv_apple_isa_vm_quota=4', 2],
  ])('are a limit of the kernel that the boot arguments %j leave at %d', async (bootArguments, limit) => {
    expect(await host({ '/usr/sbin/sysctl -n kern.bootargs': said(`${bootArguments}\n`) }).it.probeLimit()).toBe(limit);
  });

  it('are never made up: an answer that cannot be read is an error', async () => {
    const { it: mac } = host({ [IOREG]: said(''), '/usr/sbin/sysctl -n kern.bootsessionuuid': said('\n'), '/usr/sbin/sysctl -n kern.bootargs': { code: 1, stdout: '', stderr: 'unknown oid' } });
    await expect(mac.serialNumber()).rejects.toThrow('ioreg shows no IOPlatformSerialNumber');
    await expect(mac.bootID()).rejects.toThrow('kern.bootsessionuuid is empty');
    await expect(mac.probeLimit()).rejects.toThrow('ended with code 1: unknown oid');
  });

  it('include the processes of a machine, and not those of one whose name begins like it', async () => {
    const ps = ['    1 /sbin/launchd', '  701 tart run --no-graphics macrack-a', '  702 tart run --no-graphics macrack-ab', '  703 tart ip macrack-a'].join('\n');
    expect(await host({ '/bin/ps -axww -o pid=,args=': said(ps) }).it.processesOf('macrack-a')).toEqual([701]);
  });
});
