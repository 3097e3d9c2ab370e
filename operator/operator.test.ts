import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimMac, simHypervisor, startAgent, type RunningAgent } from '../agent';
import { readManifests } from '../devplane/manifests';
import { startPlane, type DevelopmentPlane } from '../devplane/plane';
import { Kinds, type MacNodeLease, type MacOSInstance } from '../sdk/api';
import { connect } from '../sdk/client/connect';
import type { ControlPlane } from '../sdk/client/control-plane';
import type { Log } from './reconcile/context';
import { startOperator, AuditType, type Operator } from './index';
import { HOUR_MS, TENANT, until } from './testing/rig';

const deploy = `${__dirname}/../deploy`;
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const errors: object[] = [];
const log: Log = { ...silent, error: (fields, message) => void errors.push({ ...fields, message }) };
const serials = ['c02a', 'c02b'];
const shape = { cpu: 2, memory: '4Gi', disk: '60Gi' };

let directory: string;
let plane: DevelopmentPlane;
let operator: Operator;
let agents: RunningAgent[];
let admin: ControlPlane, tenantA: ControlPlane, tenantB: ControlPlane;
const open: ControlPlane[] = [];

async function as(user: string): Promise<ControlPlane> {
  const client = await connect({ host: plane.url, clusterCaCertificate: plane.ca, token: tokens.get(user) ?? '', env: {} });
  open.push(client);
  return client;
}
const tokens = new Map<string, string>();

function addUser(name: string, groups: string[] = []): void {
  tokens.set(name, plane.addUser({ name, groups: [...groups, 'system:authenticated'] }));
}

async function seed(): Promise<void> {
  const bind = (namespace: string) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'editor', namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'macrack-tenant-editor' }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: namespace }],
  });
  const namespaces = [TENANT, 'tenant-b'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const macs = serials.map((serial) => ({ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: serial }, spec: { class: 'base', serial, hardwareUUID: `hw-${serial}` } }));
  await plane.load([...namespaces, ...readManifests(`${deploy}/classes`), ...macs, ...[TENANT, 'tenant-b'].map(bind)] as never);
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'operator-'));
  plane = await startPlane({ crds: `${deploy}/crds`, policies: [`${deploy}/policies`, `${deploy}/clock-policy`], rbac: `${deploy}/rbac`, webhooks: `${deploy}/webhooks`, log: () => undefined });
  addUser('macrack-operator', ['macrack:operators']);
  for (const name of [TENANT, 'tenant-b']) addUser(name);
  tokens.set('admin', plane.addUser({ name: 'macrack-admin-2', groups: ['system:masters'] }));
  for (const serial of serials) addUser(`system:node:mac-${serial}`, ['system:nodes']);
  operator = await startOperator({ plane: await as('macrack-operator'), timers: plane.timers, auditFile: join(directory, 'audit.db'), admission: { host: '127.0.0.1', port: 0 }, log });
  plane.redirectWebhooks(operator.admissionOrigin, operator.caPem);
  await seed();
  [admin, tenantA, tenantB] = [await as('admin'), await as(TENANT), await as('tenant-b')];
  agents = [];
  for (const serial of serials) {
    const hypervisor = simHypervisor(new SimMac({ hardwareUUID: `hw-${serial}` } as never));
    agents.push(startAgent({ plane: await as(`system:node:mac-${serial}`), serial, hypervisor, timers: plane.timers, journalFile: join(directory, `${serial}.jsonl`), log: { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined, child() { return this; } } as never }));
  }
  await operator.ready;
  await Promise.all(agents.map((a) => a.ready));
}, 30_000);

afterAll(async () => {
  await operator.stop();
  await Promise.all(agents.map((a) => a.stop()));
  open.forEach((c) => c.close());
  await plane.stop();
  rmSync(directory, { recursive: true, force: true });
});

const lease = (name: string, namespace = TENANT): Promise<MacNodeLease | null> => admin.tryGet(Kinds.MacNodeLease, { namespace, name });
const instance = (name: string, namespace = TENANT): Promise<MacOSInstance | null> => admin.tryGet(Kinds.MacOSInstance, { namespace, name });
const phase = async (object: Promise<MacNodeLease | MacOSInstance | null>): Promise<string | undefined> => (await object)?.status?.phase;

describe('the operator on the development plane, with the agents and everything in deploy/', () => {
  it('binds a lease of a tenant and runs two machines on it', async () => {
    await tenantA.create(Kinds.MacNodeLease, { metadata: { name: 'ios', namespace: TENANT }, spec: { class: 'base' } });
    await until('the lease is Bound', async () => (await phase(lease('ios'))) === 'Bound');
    for (const name of ['one', 'two']) await tenantA.create(Kinds.MacOSInstance, { metadata: { name, namespace: TENANT }, spec: { leaseName: 'ios', image: 'registry.example/macos:26', shape } });
    await until('both run', async () => (await phase(instance('one'))) === 'Running' && (await phase(instance('two'))) === 'Running');
    expect(errors).toEqual([]);
  });
});
