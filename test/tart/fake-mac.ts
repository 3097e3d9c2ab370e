import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TartHypervisor, tartHypervisor, type TartOptions } from '../../agent/drivers/tart';
import { until } from '../../sdk/client/until';

const PROGRAM = join(__dirname, 'fake', 'tart.cjs');
export const IMAGE = 'ghcr.io/example/macos:15';
export const LINUX_IMAGE = 'ghcr.io/example/ubuntu:24.04';

/** What the fake does wrong or slowly. */
export interface TartFaults {
  readonly cloneMs?: number;
  readonly startMs?: number;
  readonly ignoreInterruptMs?: number;
  readonly guestStopMs?: number;
  readonly guestAgent?: boolean;
  readonly noControlSocket?: boolean;
  readonly noIP?: boolean;
  readonly keepIdentity?: boolean;
  readonly interruptDelete?: boolean;
  readonly leakNextSlot?: boolean;
  readonly failNextStart?: string;
  readonly registryError?: string;
  readonly stopError?: string;
  readonly listAnswer?: string;
}

const platform = (hardwareUUID: string, serial: string) => `+-o J316sAP  <class IOPlatformExpertDevice, id 0x10000025a, registered, matched, active, busy 0 (29 ms), retain 39>
    {
      "IOPlatformSerialNumber" = "${serial}"
      "IOPlatformUUID" = "${hardwareUUID}"
      "manufacturer" = <"Apple Inc.">
    }
`;

function image(os: 'darwin' | 'linux') {
  const apple = os === 'darwin' ? { ecid: randomBytes(24).toString('base64'), hardwareModel: randomBytes(24).toString('base64') } : {};
  return { version: 1, os, arch: 'arm64', cpuCountMin: 4, cpuCount: 4, memorySizeMin: 2 ** 32, memorySize: 2 ** 33, macAddress: '7A:65:E4:3F:B2:01', display: { width: 1024, height: 768 }, diskFormat: 'raw', ...apple };
}

/** A Mac with tart in a directory of its own: machines are processes, and the kernel allows two. */
export class FakeMac {
  readonly home = mkdtempSync(join(tmpdir(), 'macrack-tart-'));
  readonly hardwareUUID = randomUUID().toUpperCase();
  readonly serial = 'C02FAKE01';
  readonly image = image('darwin');
  #children: ChildProcess[] = [];

  constructor() {
    mkdirSync(join(this.home, 'fake', 'bin'), { recursive: true });
    this.#write('images.json', JSON.stringify({ [IMAGE]: this.image, [LINUX_IMAGE]: image('linux') }));
    this.#write('platform', platform(this.hardwareUUID, this.serial));
    this.boot('');
    this.#script('ioreg', '-r -d 1 -c IOPlatformExpertDevice', 'platform');
    this.#script('sysctl', '-n kern.bootsessionuuid', 'bootsession', '-n kern.bootargs', 'bootargs');
  }

  /** What a driver of this Mac is made with. */
  options(over: TartOptions = {}): TartOptions {
    const bin = (name: string) => join(this.home, 'fake', 'bin', name);
    return {
      program: PROGRAM, home: this.home, environment: { PATH: process.env.PATH, HOME: this.home }, lookEveryMs: 200,
      hostPrograms: { ioreg: bin('ioreg'), sysctl: bin('sysctl'), ps: '/bin/ps' }, times: { endMs: 2_000 }, ...over,
    };
  }

  driver(over: TartOptions = {}): TartHypervisor {
    return tartHypervisor(this.options(over));
  }

  fail(faults: TartFaults): void {
    this.#write('faults.json', JSON.stringify(faults));
  }

  /** Commands that tart was given, with the names in its environment. */
  commands(): readonly { readonly command: readonly string[]; readonly environment: readonly string[] }[] {
    const file = join(this.home, 'fake', 'commands.jsonl');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { command: string[]; environment: string[] });
  }

  bundles(): readonly string[] {
    const directory = join(this.home, 'vms');
    return existsSync(directory) ? readdirSync(directory).sort() : [];
  }

  config(name: string): Readonly<Record<string, unknown>> {
    return JSON.parse(readFileSync(join(this.home, 'vms', name, 'config.json'), 'utf8')) as Record<string, unknown>;
  }

  /** The command line, as a person at the Mac uses it. */
  tart(...args: readonly string[]): string {
    return execFileSync(PROGRAM, args, { env: { PATH: process.env.PATH, TART_HOME: this.home }, encoding: 'utf8' });
  }

  /** A person starts a machine of any name. */
  async runForeign(name: string): Promise<void> {
    this.tart('clone', IMAGE, name);
    this.tart('set', name, '--random-mac', '--random-serial');
    this.#children.push(spawn(PROGRAM, ['run', name], { env: { PATH: process.env.PATH, TART_HOME: this.home }, stdio: 'ignore' }));
    await until(`${name} runs`, () => Promise.resolve(existsSync(join(this.home, 'vms', name, 'control.sock')) ? true : undefined));
  }

  /** The process of a machine dies. */
  async crash(name: string): Promise<void> {
    const pid = Number(readFileSync(join(this.home, 'fake', 'locks', name), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await until(`${name} has ended`, () => Promise.resolve(this.runningNames().includes(name) ? undefined : true));
  }

  runningNames(): readonly string[] {
    return (JSON.parse(this.tart('list', '--source', 'local', '--format', 'json')) as { Name: string; Running: boolean }[]).filter(({ Running }) => Running).map(({ Name }) => Name);
  }

  /** A new boot: no machine runs and the kernel counts from zero. */
  boot(bootArguments: string): void {
    this.#killMachines();
    rmSync(join(this.home, 'fake', 'slots'), { recursive: true, force: true });
    this.#write('bootsession', `${randomUUID().toUpperCase()}\n`);
    this.#write('bootargs', `${bootArguments}\n`);
  }

  /** As new: no machines and no bundles. Faults stay. */
  reset(): void {
    this.boot('');
    rmSync(join(this.home, 'vms'), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  dispose(): void {
    this.#killMachines();
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  #killMachines(): void {
    const locks = join(this.home, 'fake', 'locks');
    for (const name of existsSync(locks) ? readdirSync(locks) : []) {
      try {
        process.kill(Number(readFileSync(join(locks, name), 'utf8')), 'SIGKILL');
      } catch {
        // It has ended already.
      }
      rmSync(join(locks, name), { force: true });
    }
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.home, 'fake', name), text);
  }

  /** A program that answers exactly these arguments, each with a file. */
  #script(name: string, ...answers: readonly string[]): void {
    const cases = Array.from({ length: answers.length / 2 }, (_, i) => `  '${answers[2 * i] ?? ''}') cat '${join(this.home, 'fake', answers[2 * i + 1] ?? '')}' ;;`);
    const path = join(this.home, 'fake', 'bin', name);
    writeFileSync(path, ['#!/bin/sh', 'case "$*" in', ...cases, `  *) echo "${name}: unknown arguments: $*" >&2; exit 1 ;;`, 'esac', ''].join('\n'));
    chmodSync(path, 0o755);
  }
}
