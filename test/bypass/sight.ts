import type { SimMac } from '../../agent';
import { Kinds } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { RealDevelopment } from '../../realplane/real-development';
import type { Site } from './site';

const MOST_MACHINES = 2;

/** Machines of one Mac at one moment, by the UID of their instance, or by name where no instance is behind them. */
interface Moment { readonly serial: string; readonly machines: readonly string[] }

/**
 * What is really so, whatever the API says: every machine of every hypervisor from the first moment on, and the claim of every leased Mac.
 * Asked after each attack; what was wrong for a moment only is not forgotten.
 */
export class Sight {
  /** Tenant of each instance that ever was, by its UID. */
  readonly #tenants = new Map<string, string>();
  readonly #moments: Moment[] = [];
  readonly #faults = new Set<string>();
  readonly #excused = new Set<string>();

  private constructor(private readonly admin: ControlPlane, private readonly macs: ReadonlyMap<string, { readonly mac: SimMac }>, private readonly sites: readonly Site[]) {}

  static async open({ macs }: RealDevelopment, admin: ControlPlane, sites: readonly Site[]): Promise<Sight> {
    const sight = new Sight(admin, macs, sites);
    await sight.#learnTenants();
    for (const [serial, { mac }] of macs) mac.onChange(() => sight.#look(serial, mac));
    return sight;
  }

  /** Faults so far; empty when each rule has held. */
  async faults(): Promise<readonly string[]> {
    await this.#learnTenants();
    for (const [serial, { mac }] of this.macs) this.#look(serial, mac);
    for (const moment of this.#moments.splice(0)) this.#judge(moment);
    for (const site of this.sites) await this.#judgeClaim(site);
    return [...this.#faults];
  }

  /** From now on the claim of this Mac may end: its host has been repaired. */
  excuse({ serial }: Site): void {
    this.#excused.add(serial);
  }

  // An instance that is gone keeps its tenant: its machine may be the last to notice.
  async #learnTenants(): Promise<void> {
    for (const { metadata } of (await this.admin.list(Kinds.MacOSInstance)).items) this.#tenants.set(metadata.uid, metadata.namespace ?? '');
  }

  #look(serial: string, mac: SimMac): void {
    this.#moments.push({ serial, machines: mac.running().map(({ name, instanceUID = name }) => instanceUID) });
  }

  #judge({ serial, machines }: Moment): void {
    const owner = this.sites.find((site) => site.serial === serial)?.tenant;
    if (machines.length > MOST_MACHINES) this.#faults.add(`${machines.length} machines run on ${serial}`);
    for (const machine of machines) {
      const tenant = this.#tenants.get(machine);
      if (tenant !== owner) this.#faults.add(`machine ${machine} of ${tenant ?? 'nobody'} runs on ${serial}, which is leased to ${owner ?? 'nobody'}`);
    }
  }

  async #judgeClaim({ serial, claimUID, tenant }: Site): Promise<void> {
    if (this.#excused.has(serial)) return;
    const claim = await this.admin.tryGet(Kinds.MacNodeBinding, { name: serial });
    if (claim?.metadata.uid !== claimUID) this.#faults.add(`the claim of ${tenant} on ${serial} is ${claim === null ? 'gone' : 'another one'} before its floor`);
  }
}
