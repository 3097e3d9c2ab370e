import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HypervisorError, type Identity } from '../../driver';

/** What tart keeps of a machine; one that lacks a file is not listed by it. */
const FILES = ['config.json', 'disk.img', 'nvram.bin'];

// A machine of another system than macOS has no ECID.
const configSchema = z.object({ ecid: z.string().default(''), macAddress: z.string().min(1) });

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The directory where tart keeps local machines, one folder each: what its own list leaves out is still a disk. */
export class Bundles {
  readonly #directory: string;

  /** @param home of tart */
  constructor(home: string) {
    this.#directory = join(home, 'vms');
  }

  async names(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#directory, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw this.#unreadable(this.#directory, error);
    }
  }

  /** Files that are missing: none of a whole bundle, all of one that is not there. */
  async missing(name: string): Promise<readonly string[]> {
    const found: readonly string[] = await readdir(join(this.#directory, name)).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw this.#unreadable(name, error);
    });
    return FILES.filter((file) => !found.includes(file));
  }

  async exists(name: string): Promise<boolean> {
    return (await this.names()).includes(name);
  }

  /** Undefined where there is no configuration: no such machine, or the rest of one that was being deleted. */
  async tryIdentity(name: string): Promise<Identity | undefined> {
    const file = join(this.#directory, name, 'config.json');
    try {
      const { ecid, macAddress } = configSchema.parse(JSON.parse(await readFile(file, 'utf8')));
      return { machineID: ecid, mac: macAddress.toLowerCase() };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw this.#unreadable(file, error);
    }
  }

  async identity(name: string): Promise<Identity> {
    const found = await this.tryIdentity(name);
    if (found === undefined) throw new HypervisorError('Failed', `machine ${name} has no configuration`);
    return found;
  }

  /** Changes when a machine has started: tart opens this socket then, and not before (macOS 14 and later). */
  async startMark(name: string): Promise<string | undefined> {
    const found = await stat(join(this.#directory, name, 'control.sock')).catch(() => undefined);
    return found === undefined ? undefined : `${found.ino} ${found.mtimeMs}`;
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#directory, name), { recursive: true, force: true });
  }

  #unreadable(path: string, cause: unknown): HypervisorError {
    return new HypervisorError('Failed', `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
