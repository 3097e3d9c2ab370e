import type { Logger } from 'pino';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningAgent, SimMac, simHypervisor, startAgent } from '../agent';
import { DurableSimMac, durableSimHypervisor } from '../agent/drivers/sim';
import { type Operator, startOperator } from '../operator';
import { nodeName } from '../sdk/api/names';
import type { ControlPlane } from '../sdk/client/control-plane';
import { connect, httpsAgentReader } from '../sdk/client';
import { beginAll } from './begin-all';
import type { ApiObject } from './json';
import { readManifests } from './manifests';
import { deployDirectory } from './package-files';
import { admin, type DevelopmentPlane, startPlane } from './plane';

export interface SimulatedMac {
  serial: string;
  class: 'base' | 'pro' | 'studio';
}

export interface DevelopmentOptions {
  /** Where kubeconfigs, the audit record and the agents' journals go. Made if absent. */
  directory: string;
  /** Default: three of class base. */
  macs?: SimulatedMac[];
  /** A namespace for each, with the users `<tenant>` (editor) and `<tenant>-viewer`. Default tenant-a and tenant-b. */
  tenants?: string[];
  /** Default 0: any free port. */
  port?: number;
  /** Default: the package's own `deploy/`. */
  deploy?: string;
  /** Keeps the plane and its Macs in `directory`, so that a later start with it goes on, also after SIGKILL. Default false: both end with the process. */
  isKept?: boolean;
  /** Where the plane's lines go; default standard error. */
  log?: (line: string) => void;
  /** Logger of operator and agents; default: JSON lines on standard error. */
  logger?: Logger;
  /** What each operator that starts talks through, for tests that end one at a chosen write. Default: its client itself. */
  operatorPlane?: (client: ControlPlane) => ControlPlane;
}

/** A whole MacRack in one process: plane, operator and one agent for each simulated Mac. */
export interface Development {
  plane: DevelopmentPlane;
  /** The operator that runs now. */
  operator(): Operator;
  /** Ends the operator and starts another on the same audit record, as after a crash. */
  restartOperator(): Promise<void>;
  /** Those that end with the process: none of a plane that is kept. */
  macs: Map<string, { mac: SimMac; agent: RunningAgent }>;
  /** Paths of the kubeconfigs by user name. */
  kubeconfigs: Record<string, string>;
  auditFile: string;
  /** A client with the identity of any user of the plane. The caller closes it. */
  connectAs(user: string): Promise<ControlPlane>;
  stop(): Promise<void>;
}

const loopback = '127.0.0.1';
const agentUser = (serial: string) => `system:node:${nodeName(serial)}`;
const operatorUser = { name: 'macrack-operator', groups: ['macrack:operators'] };
const defaultMacs = ['1', '2', '3'].map((number): SimulatedMac => ({ serial: `sim000${number}`, class: 'base' }));

function tenantObjects(tenant: string): ApiObject[] {
  const bind = (role: string, user: string): ApiObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: `${user}-${role}`, namespace: tenant },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
  });
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant } }, bind('macrack-tenant-editor', tenant), bind('macrack-tenant-viewer', `${tenant}-viewer`)];
}

const enrolment = (mac: SimulatedMac, hardwareUUID: string): ApiObject => ({ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: mac.serial }, spec: { class: mac.class, serial: mac.serial, hardwareUUID } });

function startBarePlane(options: DevelopmentOptions, macs: SimulatedMac[], tenants: string[]): Promise<DevelopmentPlane> {
  const deploy = options.deploy ?? deployDirectory();
  const users = [operatorUser, ...macs.map(({ serial }) => ({ name: agentUser(serial), groups: ['system:nodes'] })), ...tenants.flatMap((tenant) => [tenant, `${tenant}-viewer`]).map((name) => ({ name, groups: [] }))];
  return startPlane({
    crds: join(deploy, 'crds'), rbac: join(deploy, 'rbac'), webhooks: join(deploy, 'webhooks'),
    policies: ['policies', 'policies/mutating', 'clock-policy'].map((name) => join(deploy, name)),
    objects: [...readManifests(join(deploy, 'classes')), ...tenants.flatMap(tenantObjects)],
    users, ...(options.isKept && { dataDirectory: join(options.directory, 'plane') }), ...(options.port !== undefined && { port: options.port }), ...(options.log && { log: options.log }),
  });
}

function writeKubeconfigs(plane: DevelopmentPlane, directory: string, tenants: string[]): Record<string, string> {
  const write = (user: string, namespace: string) => {
    const path = join(directory, `${user === admin.name ? 'admin' : user}.kubeconfig`);
    writeFileSync(path, plane.kubeconfig(user, { [user]: namespace }), { mode: 0o600 });
    return [user, path] as const;
  };
  return Object.fromEntries([write(admin.name, 'default'), ...tenants.flatMap((tenant) => [write(tenant, tenant), write(`${tenant}-viewer`, tenant)])]);
}

/** Whoever starts as operator takes the webhooks over. */
async function beginOperator(plane: DevelopmentPlane, connectAs: Development['connectAs'], auditFile: string, { logger, operatorPlane }: DevelopmentOptions) {
  const client = await connectAs(operatorUser.name);
  const agents = httpsAgentReader({ ca: plane.ca, ...await plane.identify(operatorUser.name, operatorUser.groups) });
  const operator = await startOperator({ plane: operatorPlane?.(client) ?? client, agents, timers: plane.timers, auditFile, admission: { host: loopback, port: 0 }, ...(logger && { log: logger }) });
  plane.redirectWebhooks(operator.admissionOrigin, operator.caPem);
  const stop = async () => {
    await operator.stop();
    client.close();
  };
  return { operator, stop };
}

async function beginMac(plane: DevelopmentPlane, connectAs: Development['connectAs'], each: SimulatedMac, options: DevelopmentOptions) {
  const mac = options.isKept ? new DurableSimMac(join(options.directory, `${nodeName(each.serial)}.sqlite`), { timers: plane.timers }) : new SimMac({ timers: plane.timers });
  const hypervisor = mac instanceof SimMac ? simHypervisor(mac) : durableSimHypervisor(mac);
  await plane.load([enrolment(each, mac.hardwareUUID)]);
  const client = await connectAs(agentUser(each.serial));
  const journalFile = join(options.directory, `${nodeName(each.serial)}.journal`);
  const api = { host: loopback, port: 0, clientCa: plane.ca, ...await plane.serve({ dns: [nodeName(each.serial)], ips: [loopback] }) };
  const agent = startAgent({ plane: client, serial: each.serial, hypervisor, api, timers: plane.timers, journalFile, ...(options.logger && { log: options.logger }) });
  const stop = async () => {
    await agent.stop();
    client.close();
    if (mac instanceof DurableSimMac) mac.close();
  };
  return { serial: each.serial, mac, agent, stop };
}

/** Starts everything and returns when operator and agents are ready. In memory, save what stands in `directory`, unless it is kept. Where it rejects, nothing runs. */
export async function startDevelopmentPlane(options: DevelopmentOptions): Promise<Development> {
  const { directory, macs = defaultMacs, tenants = ['tenant-a', 'tenant-b'] } = options;
  // The audit record in it names every tenant.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const plane = await startBarePlane(options, macs, tenants);
  const ends: (() => Promise<void>)[] = [() => plane.stop()];
  const stop = async () => {
    for (const end of ends.splice(0)) await end();
  };
  try {
    const connectAs = (user: string) => connect({ host: plane.url, clusterCaCertificate: plane.ca, token: plane.token(user), env: {} });
    const auditFile = join(directory, 'audit.sqlite');
    let current = await beginOperator(plane, connectAs, auditFile, options);
    ends.unshift(() => current.stop());
    const running = await beginAll(macs.map((each) => beginMac(plane, connectAs, each, options)), ends);
    await Promise.all([current.operator.ready, ...running.map(({ agent }) => agent.ready)]);
    return {
      plane, auditFile, connectAs, kubeconfigs: writeKubeconfigs(plane, directory, tenants),
      macs: new Map(running.flatMap(({ serial, mac, agent }) => (mac instanceof SimMac ? [[serial, { mac, agent }]] : []))),
      operator: () => current.operator,
      restartOperator: async () => {
        await current.stop();
        current = await beginOperator(plane, connectAs, auditFile, options);
        await current.operator.ready;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
