import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type RunningAgent, SimMac, simHypervisor, startAgent } from '../agent';
import type { Development, SimulatedMac } from '../devplane/development-plane';
import { type Operator, startOperator } from '../operator';
import { Kinds } from '../sdk/api/kinds';
import { nodeName } from '../sdk/api/names';
import { RELEASE_MARGIN_MS } from '../sdk/api/timing';
import { httpsAgentReader } from '../sdk/client/agent-client';
import { processTimers } from '../sdk/client/timers';
import { FLOOR_MS } from '../sdk/rules/limits';
import { beginAll } from '../devplane/begin-all';
import { ageClaim } from './ageing';
import { ADMIN, OPERATOR } from './identities';
import { type RealPlane, startRealPlane } from './real-plane';
import { makeTenants } from './tenants';

export interface RealDevelopmentOptions {
  /** Default: two of class base. */
  readonly macs?: readonly SimulatedMac[];
  /** A namespace for each, with the users `<tenant>` (editor) and `<tenant>-viewer`. Default tenant-a and tenant-b. */
  readonly tenants?: readonly string[];
  /** Where the audit record goes. Default: a file that ends with the plane. */
  readonly auditFile?: string;
  /** Of operator and agents. */
  readonly logger: Logger;
}

/** What `Development` is on the development plane: the real plane, the operator, and one agent for each simulated Mac, in this process. */
export interface RealDevelopment extends Omit<Development, 'plane'> {
  readonly plane: RealPlane;
  /** Makes a bound lease, and its claim, older than its floor and the operator's margin. */
  passFloor(namespace: string, lease: string): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const defaultMacs: readonly SimulatedMac[] = [{ serial: 'sim0001', class: 'base' }, { serial: 'sim0002', class: 'base' }];

async function beginOperator(plane: RealPlane, auditFile: string, log: Logger) {
  const client = await plane.connectAs(OPERATOR);
  const agents = httpsAgentReader({ ca: plane.ca, ...await plane.identify(OPERATOR) });
  const operator = await startOperator({ plane: client, agents, timers: processTimers, auditFile, admission: { host: LOOPBACK, port: 0 }, log });
  await plane.redirectWebhooks(operator.admissionOrigin, operator.caPem);
  const stop = async () => {
    await operator.stop();
    client.close();
  };
  return { operator, stop };
}

async function beginMac(plane: RealPlane, { serial, class: name }: SimulatedMac, log: Logger) {
  const mac = new SimMac({ timers: processTimers });
  await plane.load([{ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: serial }, spec: { class: name, serial, hardwareUUID: mac.hardwareUUID } }]);
  const client = await plane.connectAs(`system:node:${nodeName(serial)}`);
  const api = { host: LOOPBACK, port: 0, clientCa: plane.ca, ...await plane.serve({ dns: [nodeName(serial)], ips: [LOOPBACK] }) };
  const agent: RunningAgent = startAgent({ plane: client, serial, hypervisor: simHypervisor(mac), api, timers: processTimers, journalFile: join(plane.directory, `${nodeName(serial)}.journal`), log });
  const stop = async () => {
    await agent.stop();
    client.close();
  };
  return { serial, mac, agent, stop };
}

async function writeKubeconfigs(plane: RealPlane, tenants: readonly string[]): Promise<Record<string, string>> {
  const directory = join(plane.directory, 'kubeconfigs');
  mkdirSync(directory);
  const users = [[ADMIN, 'default'], ...tenants.flatMap((tenant) => [[tenant, tenant], [`${tenant}-viewer`, tenant]])] as [string, string][];
  return Object.fromEntries(await Promise.all(users.map(async ([user, namespace]) => {
    const path = join(directory, `${user === ADMIN ? 'admin' : user}.kubeconfig`);
    writeFileSync(path, await plane.kubeconfig(user, namespace), { mode: 0o600 });
    return [user, path] as const;
  })));
}

/** Boots everything and returns when operator and agents are ready. */
export async function startRealDevelopment({ macs = defaultMacs, tenants = ['tenant-a', 'tenant-b'], auditFile: keptAudit, logger }: RealDevelopmentOptions): Promise<RealDevelopment> {
  const plane = await startRealPlane();
  const ends: (() => Promise<void>)[] = [() => plane.stop()];
  const stop = async () => {
    for (const end of ends.splice(0)) await end();
  };
  try {
    const admin = await plane.connectAs(ADMIN);
    ends.unshift(() => Promise.resolve(admin.close()));
    await makeTenants(plane, tenants);
    const auditFile = keptAudit ?? join(plane.directory, 'audit.sqlite');
    let current: Awaited<ReturnType<typeof beginOperator>> & { operator: Operator } = await beginOperator(plane, auditFile, logger);
    ends.unshift(() => current.stop());
    const running = await beginAll(macs.map((mac) => beginMac(plane, mac, logger)), ends);
    await Promise.all([current.operator.ready, ...running.map(({ agent }) => agent.ready)]);
    return {
      plane, auditFile, connectAs: (user) => plane.connectAs(user), kubeconfigs: await writeKubeconfigs(plane, tenants),
      macs: new Map(running.map(({ serial, mac, agent }) => [serial, { mac, agent }])),
      operator: () => current.operator,
      restartOperator: async () => {
        await current.stop();
        current = await beginOperator(plane, auditFile, logger);
        await current.operator.ready;
      },
      passFloor: async (namespace, name) => {
        const { status } = await admin.get(Kinds.MacNodeLease, { namespace, name });
        if (status?.chassis === undefined) throw new Error(`lease ${namespace}/${name} is not bound: it has no floor to pass`);
        await ageClaim(plane.store, { serial: status.chassis, lease: { namespace, name } }, FLOOR_MS + 2 * RELEASE_MARGIN_MS);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
