import type { FaultWorld } from '../harness/fault-world/fault-world';
import { Kinds, type MacNodeLease, type MacOSInstance } from '../../sdk/api/kinds';
import { isFault } from '../../sdk/client/errors';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { connectAs } from '../harness/fault-world/ground';

export const TENANTS = ['tenant-a', 'tenant-b', 'tenant-c'];
const IMPATIENT_MS = 1_500;
const SHAPE = { cpu: 2, memory: '4Gi', disk: '40Gi' };

/** What tenants want, each with rights of its own. A refusal or an answer that is lost is theirs to live with. */
export class Tenants {
  readonly #planes = new Map<string, ControlPlane>();
  #made = 0;

  private constructor(private readonly world: FaultWorld) {}

  static async open(world: FaultWorld): Promise<Tenants> {
    const tenants = new Tenants(world);
    for (const name of TENANTS) tenants.#planes.set(name, await connectAs(world.ground, name, world.ground.url, IMPATIENT_MS));
    return tenants;
  }

  close(): void {
    for (const plane of this.#planes.values()) plane.close();
  }

  async createLease(which: number): Promise<void> {
    const namespace = pick(TENANTS, which) ?? '';
    const serials = [...this.world.macs.keys()];
    const serial = which % 5 === 0 ? pick(serials, which >> 3) : undefined;
    await this.#try(namespace, (plane) => plane.create(Kinds.MacNodeLease, { metadata: { namespace, name: `lease-${++this.#made}` }, spec: { class: 'base', ...(serial !== undefined && { serial }) } }));
  }

  async createInstance(which: number): Promise<void> {
    const lease = pick(this.#leases(), which);
    const namespace = lease?.metadata.namespace ?? '';
    if (lease === undefined) return;
    const spec = { leaseName: lease.metadata.name, image: 'ghcr.io/acme/macos:15', shape: SHAPE, running: which % 7 !== 0 };
    await this.#try(namespace, (plane) => plane.create(Kinds.MacOSInstance, { metadata: { namespace, name: `vm-${++this.#made}` }, spec }));
  }

  /** Asked for is what was tried: a write whose answer is lost may have been made. */
  async release(which: number, release: boolean): Promise<void> {
    const lease = pick(this.#leases(), which);
    if (lease === undefined) return;
    if (release) this.world.asked.add(lease.metadata.uid);
    await this.#try(lease.metadata.namespace, (plane) => plane.patch(Kinds.MacNodeLease, refOf(lease), { spec: { release } }));
  }

  async deleteLease(which: number): Promise<void> {
    const lease = pick(this.#leases(), which);
    if (lease === undefined) return;
    this.world.asked.add(lease.metadata.uid);
    await this.#try(lease.metadata.namespace, (plane) => plane.remove(Kinds.MacNodeLease, refOf(lease)));
  }

  async raiseFloor(which: number): Promise<void> {
    const lease = pick(this.#leases(), which);
    if (lease !== undefined) await this.#try(lease.metadata.namespace, (plane) => plane.patch(Kinds.MacNodeLease, refOf(lease), { spec: { minimumDuration: '25h' } }));
  }

  async run(which: number, running: boolean): Promise<void> {
    const instance = pick(this.#instances(), which);
    if (instance !== undefined) await this.#try(instance.metadata.namespace, (plane) => plane.patch(Kinds.MacOSInstance, refOf(instance), { spec: { running } }));
  }

  async deleteInstance(which: number): Promise<void> {
    const instance = pick(this.#instances(), which);
    if (instance !== undefined) await this.#try(instance.metadata.namespace, (plane) => plane.remove(Kinds.MacOSInstance, refOf(instance)));
  }

  /** All of them want to end everything, and do not give up. */
  async leave(): Promise<void> {
    for (const lease of await this.world.admin.list(Kinds.MacNodeLease)) {
      this.world.asked.add(lease.metadata.uid);
      await this.world.admin.remove(Kinds.MacNodeLease, refOf(lease));
    }
  }

  #leases(): MacNodeLease[] {
    return [...this.world.seen.leases.values()].flatMap(({ object, isGone }) => (isGone ? [] : [object]));
  }

  #instances(): MacOSInstance[] {
    return [...this.world.seen.instances.values()].flatMap(({ object, isGone }) => (isGone ? [] : [object]));
  }

  async #try(namespace: string | undefined, ask: (plane: ControlPlane) => Promise<unknown>): Promise<void> {
    const plane = this.#planes.get(namespace ?? '');
    if (plane === undefined) throw new Error(`there is no tenant ${namespace}`);
    await ask(plane).catch((error: unknown) => {
      if (!isFault(error, 'Conflict', 'AlreadyExists', 'NotFound', 'Invalid', 'Forbidden', 'Unavailable', 'Unreachable', 'Timeout', 'Unexpected')) throw error;
    });
  }
}

const refOf = ({ metadata: { namespace = '', name } }: MacNodeLease | MacOSInstance): { namespace: string; name: string } => ({ namespace, name });

export function pick<T>(items: readonly T[], which: number): T | undefined {
  return items[which % Math.max(1, items.length)];
}
