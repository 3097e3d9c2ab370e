import { HypervisorError } from '../../driver';
import type { Subprocesses } from './subprocesses';

export interface HostPrograms {
  readonly ioreg: string;
  readonly sysctl: string;
  readonly ps: string;
}

/** Where macOS has them. */
export const MACOS_PROGRAMS: HostPrograms = { ioreg: '/usr/sbin/ioreg', sysctl: '/usr/sbin/sysctl', ps: '/bin/ps' };

const TIMEOUT_MS = 30_000;
/** What a kernel allows that nobody has told otherwise. */
const KERNEL_QUOTA = 2;

/** Facts of the Mac itself, from the tools of macOS. */
export class Host {
  #hardware: Promise<string> | undefined;
  #boot: Promise<string> | undefined;

  constructor(private readonly programs: HostPrograms, private readonly subprocesses: Subprocesses) {}

  hardwareUUID(): Promise<string> {
    return this.#platform('IOPlatformUUID');
  }

  serialNumber(): Promise<string> {
    return this.#platform('IOPlatformSerialNumber');
  }

  /** The kernel's own name for this boot. The time of the boot would not do: it moves when the clock is set. */
  async bootID(): Promise<string> {
    const boot = this.#boot ??= this.#output(this.programs.sysctl, ['-n', 'kern.bootsessionuuid']);
    const text = (await boot.catch((error: unknown) => {
      this.#boot = undefined;
      throw error;
    })).trim();
    if (text === '') throw new HypervisorError('Failed', 'kern.bootsessionuuid is empty');
    return text;
  }

  /**
   * The quota is a variable of the kernel (`hv_apple_isa_vm_quota`) that no sysctl shows. A boot argument of that name changes it where the
   * security of the Mac was lowered to let it.
   */
  async probeLimit(): Promise<number> {
    const bootArguments = await this.#output(this.programs.sysctl, ['-n', 'kern.bootargs']);
    const given = /(?:^|\s)hv_apple_isa_vm_quota=(0x[0-9a-f]+|\d+)(?:\s|$)/i.exec(bootArguments)?.[1];
    return given === undefined ? KERNEL_QUOTA : Number(given);
  }

  /** Process ids of `tart run` of a machine, whoever is their parent. */
  async processesOf(name: string): Promise<readonly number[]> {
    const lines = (await this.#output(this.programs.ps, ['-axww', '-o', 'pid=,args='])).split('\n').map((line) => line.trim());
    return lines.filter((line) => line.includes(' run ') && line.endsWith(` ${name}`)).map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 1);
  }

  async #platform(key: string): Promise<string> {
    const hardware = this.#hardware ??= this.#output(this.programs.ioreg, ['-r', '-d', '1', '-c', 'IOPlatformExpertDevice']);
    const text = await hardware.catch((error: unknown) => {
      this.#hardware = undefined;
      throw error;
    });
    const value = new RegExp(`"${key}" = "([^"]+)"`).exec(text)?.[1];
    if (value === undefined) throw new HypervisorError('Failed', `ioreg shows no ${key}`);
    return value;
  }

  async #output(program: string, args: readonly string[]): Promise<string> {
    const what = [program, ...args].join(' ');
    const outcome = await this.subprocesses.run({ program, args, environment: {} }, TIMEOUT_MS).catch((error: unknown) => {
      throw new HypervisorError('Failed', `${what} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
    if (outcome.code !== 0) throw new HypervisorError('Failed', `${what} ended with code ${outcome.code ?? 'none'}: ${outcome.stderr.trim()}`);
    return outcome.stdout;
  }
}
