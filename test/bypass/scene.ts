import type { Logger } from 'pino';
import type { SimMac } from '../../agent';
import { Kinds, nodeName, podName } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { until } from '../../sdk/client/until';
import { ADMIN } from '../../realplane/identities';
import { type RealDevelopment, startRealDevelopment } from '../../realplane/real-development';
import { Policies } from './policies';
import { type Answer, type Request, send } from './request';
import { Sight } from './sight';
import type { Site } from './site';

/** What each site starts with. A tenant's names are told from every other word of a cluster. */
const PLAN = {
  /** Two machines run: what is refused aims here, and the third machine. */
  full: { tenant: 'alpine', machines: 2 },
  /** Another tenant, who wants to see and to reach the first one's Mac. */
  other: { tenant: 'borealis', machines: 1 },
  /** A free slot beside its one machine. */
  half: { tenant: 'cirrus', machines: 1 },
  /** Its namespace is forced away and made again. */
  renamed: { tenant: 'dunes', machines: 1 },
  /** Its lease is called Released. */
  faked: { tenant: 'etna', machines: 1 },
  /** Its claim is deleted too early. */
  stuck: { tenant: 'fjord', machines: 1 },
} as const;
export type SiteName = keyof typeof PLAN;
const NAMES = Object.keys(PLAN) as SiteName[];

const serialOf = (tenant: string): string => `${tenant}mac`;
const instanceOf = (tenant: string, slot: number): string => `${tenant}-machine-${slot}`;
const leaseName = (tenant: string): string => `${tenant}-lease`;

/** The whole of MacRack on the real plane, six Macs leased to six tenants, and the truth of every hypervisor. */
export class Scene {
  private constructor(readonly world: RealDevelopment, readonly admin: ControlPlane, readonly sites: Readonly<Record<SiteName, Site>>, readonly sight: Sight, readonly policies: Policies) {}

  static async start(logger: Logger): Promise<Scene> {
    const tenants = NAMES.map((name) => PLAN[name].tenant);
    const world = await startRealDevelopment({ macs: tenants.map((tenant) => ({ serial: serialOf(tenant), class: 'base' })), tenants, logger });
    const admin = await world.connectAs(ADMIN);
    try {
      const sites = await Promise.all(NAMES.map(async (name) => [name, await settle(admin, PLAN[name].tenant, PLAN[name].machines)] as const));
      const bySite = Object.fromEntries(sites) as Record<SiteName, Site>;
      return new Scene(world, admin, bySite, await Sight.open(world, admin, Object.values(bySite)), await Policies.of(world.plane));
    } catch (error) {
      admin.close();
      await world.stop();
      throw error;
    }
  }

  /** One request to the API server, with the certificate of the user. */
  send(user: string, request: Request): Promise<Answer> {
    return send(this.world.plane, user, request);
  }

  /** As `send`, for what must be accepted. @throws Error with the answer */
  async pass(user: string, request: Request): Promise<Answer> {
    const answer = await this.send(user, request);
    if (answer.code >= 400) throw new Error(`${request.method ?? 'GET or POST'} ${request.path} was to be accepted: ${answer.code} ${answer.text}`);
    return answer;
  }

  mac({ serial }: Site): SimMac {
    const found = this.world.macs.get(serial);
    if (found === undefined) throw new Error(`there is no Mac ${serial}`);
    return found.mac;
  }

  async stop(): Promise<void> {
    this.admin.close();
    await this.world.stop();
  }
}

/** Leases the tenant its Mac and starts its machines, as the tenant's own tools would. */
async function settle(admin: ControlPlane, tenant: string, machines: number): Promise<Site> {
  const [lease, serial] = [leaseName(tenant), serialOf(tenant)];
  const instances = Array.from({ length: machines }, (_, slot) => instanceOf(tenant, slot));
  await admin.create(Kinds.MacNodeLease, { metadata: { namespace: tenant, name: lease }, spec: { class: 'base', serial } });
  const leaseUID = await until(`lease ${tenant}/${lease} is Bound`, async () => {
    const { metadata, status } = await admin.get(Kinds.MacNodeLease, { namespace: tenant, name: lease });
    return status?.phase === 'Bound' ? metadata.uid : undefined;
  });
  for (const name of instances) await run(admin, tenant, lease, name);
  const { metadata: claim, spec } = await admin.get(Kinds.MacNodeBinding, { name: serial });
  return { tenant, lease, serial, node: nodeName(serial), instances, pods: instances.map((_, slot) => podName(lease, slot)), leaseUID, claimUID: claim.uid, namespaceUID: spec.namespaceUID, nodeUID: (await admin.get(Kinds.Node, { name: nodeName(serial) })).metadata.uid };
}

async function run(admin: ControlPlane, namespace: string, leaseName: string, name: string): Promise<void> {
  await admin.create(Kinds.MacOSInstance, { metadata: { namespace, name }, spec: { leaseName, image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } });
  await until(`instance ${namespace}/${name} runs`, async () => ((await admin.get(Kinds.MacOSInstance, { namespace, name })).status?.phase === 'Running' ? true : undefined));
}
