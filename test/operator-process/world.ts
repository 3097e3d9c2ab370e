import { join } from 'node:path';
import pino from 'pino';
import { SimMac, simHypervisor, startAgent } from '../../agent';
import { ADMIN } from '../../realplane/identities';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';
import { makeTenants } from '../../realplane/tenants';
import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { nodeName } from '../../sdk/api/names';
import type { Kind, KubeObject } from '../../sdk/api/object';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { processTimers } from '../../sdk/client/timers';
import { until } from '../../sdk/client/until';
import { operatorKubeconfig, Replica } from './replica';

type Secret = KubeObject & { data?: Record<string, string> };
const SECRET: Kind<Secret> = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
export const NAMESPACE = 'macrack-system';

/** A real plane with Macs and tenants, on which operators run as processes of their own. */
export interface World {
  readonly plane: RealPlane;
  readonly admin: ControlPlane;
  readonly tenant: ControlPlane;
  readonly auditFile: string;
  replica(identity: string, ...args: readonly string[]): Promise<Replica>;
  /** PEM of the webhooks' CA. */
  webhookCa(): Promise<string>;
  /** Sends the webhooks to a replica. */
  sendWebhooksTo(replica: Replica): Promise<void>;
  lease(name: string): Promise<void>;
  untilLease(name: string, phase: string): Promise<MacNodeLease>;
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

async function simulateMac(plane: RealPlane, serial: string): Promise<() => Promise<void>> {
  const mac = new SimMac({ timers: processTimers });
  await plane.load([{ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: serial }, spec: { class: 'base', serial, hardwareUUID: mac.hardwareUUID } }]);
  const client = await plane.connectAs(`system:node:${nodeName(serial)}`);
  const api = { host: LOOPBACK, port: 0, clientCa: plane.ca, ...await plane.serve({ dns: [nodeName(serial)], ips: [LOOPBACK] }) };
  const agent = startAgent({ plane: client, serial, hypervisor: simHypervisor(mac), api, timers: processTimers, journalFile: join(plane.directory, `${serial}.journal`), log: pino({ level: 'silent' }) });
  return async () => {
    await agent.stop();
    client.close();
  };
}

/** @param serials of Macs of class base */
export async function openWorld(serials: readonly string[]): Promise<World> {
  const plane = await startRealPlane();
  await makeTenants(plane, ['tenant-a']);
  const [admin, tenant] = await Promise.all([plane.connectAs(ADMIN), plane.connectAs('tenant-a')]);
  const ends = await Promise.all(serials.map((serial) => simulateMac(plane, serial)));
  const auditFile = join(plane.directory, 'audit.sqlite');
  const replicas: Replica[] = [];
  const webhookCa = async (): Promise<string> => {
    const { data } = await until('the CA of the webhooks is made', async () => await admin.tryGet(SECRET, { namespace: NAMESPACE, name: 'macrack-webhook-ca' }) ?? undefined);
    return Buffer.from(data?.['ca.crt'] ?? '', 'base64').toString('utf8');
  };
  return {
    plane, admin, tenant, auditFile, webhookCa,
    replica: async (identity, ...args) => {
      const replica = new Replica({ identity, auditFile, kubeconfig: await operatorKubeconfig(plane), arguments: args });
      replicas.push(replica);
      return replica;
    },
    sendWebhooksTo: async (replica) => plane.redirectWebhooks(await replica.webhookOrigin(), await webhookCa()),
    lease: async (name) => void await tenant.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-a', name }, spec: { class: 'base' } }),
    untilLease: (name, phase) => until(`lease ${name} is ${phase}`, async () => {
      const lease = await tenant.get(Kinds.MacNodeLease, { namespace: 'tenant-a', name });
      return lease.status?.phase === phase ? lease : undefined;
    }),
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await Promise.all(ends.map((end) => end()));
      admin.close();
      tenant.close();
      await plane.stop();
    },
  };
}
