import { parseQuantity } from '../../../sdk/api/quantity';
import { HypervisorError, type Identity, type VmSpec } from '../../driver';
import { bundleName, isStaging, stagingName } from './bundle-name';
import type { Bundles } from './bundles';
import type { Tart } from './tart';

const MIB = 2 ** 20;
const GB = 1e9;

/**
 * Makes bundles. A clone has the machine id and MAC of its image, so it is made under another name, given an identity of its own there, and renamed
 * last: under the name of an instance there is never a bundle that shares one, wherever the agent is killed.
 */
export class BundleMaker {
  readonly #making = new Set<string>();

  constructor(private readonly tart: Tart, private readonly bundles: Bundles) {}

  async create(spec: VmSpec): Promise<Identity> {
    const name = bundleName(spec.instanceUID);
    const found = await this.#existing(name);
    if (found !== undefined) return found;
    assertRemote(spec.image);
    await this.#clearLeftovers();
    const staging = stagingName(spec.instanceUID);
    this.#making.add(staging);
    const failure = await this.#make(spec, staging).then(() => this.tart.rename(staging, name)).then(() => undefined, (error: unknown) => error);
    this.#making.delete(staging);
    // Left over, it costs only room, and the next create tries again: why this one failed matters more.
    if (failure !== undefined) await this.#clearLeftovers().catch(() => undefined);
    // The last command of a killed agent may have ended meanwhile, and its bundle is as good.
    const made = await this.#existing(name);
    if (made !== undefined) return made;
    throw failure instanceof Error ? failure : new HypervisorError('Failed', `tart renamed a machine to ${name}, and it is not there`);
  }

  async #existing(name: string): Promise<Identity | undefined> {
    if (!await this.bundles.exists(name)) return undefined;
    const missing = await this.bundles.missing(name);
    if (missing.length === 0) return this.bundles.identity(name);
    throw new HypervisorError('Failed', `its bundle ${name} lacks ${missing.join(', ')}: its deletion was interrupted, or it is damaged`);
  }

  async #make({ image, shape }: VmSpec, staging: string): Promise<void> {
    await this.tart.clone(image, staging);
    const cloned = await this.bundles.identity(staging);
    if (cloned.machineID === '') throw new HypervisorError('Failed', `${image} is no image of macOS: it has no machine identifier`);
    await this.tart.setUp(staging, {
      cpu: shape.cpu, memoryMiB: Math.floor(parseQuantity(shape.memory) / MIB), diskGB: Math.ceil(parseQuantity(shape.disk) / GB),
    });
    const own = await this.bundles.identity(staging);
    if (own.machineID !== cloned.machineID && own.mac !== cloned.mac) return;
    throw new HypervisorError('Failed', `tart set gave the clone of ${image} no machine identifier and MAC of its own; tart is too old for --random-serial`);
  }

  /** What killed agents have left half-made. No instance was ever in it. */
  async #clearLeftovers(): Promise<void> {
    for (const name of await this.bundles.names()) {
      if (!isStaging(name) || this.#making.has(name)) continue;
      await this.tart.delete(name);
      await this.bundles.remove(name);
    }
  }
}

/** A name without a registry is that of a machine on this Mac, which may be another instance's or a person's, with all that is on its disk. */
function assertRemote(image: string): void {
  if (/^[A-Za-z0-9][^\s/]*\/\S+$/.test(image)) return;
  throw new HypervisorError('Failed', `image ${JSON.stringify(image)} names no registry: write it as registry/name:tag`);
}
