import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimMac, simHypervisor, startAgent, type RunningAgent } from '../agent';
import { readManifests } from '../devplane/manifests';
import { startPlane, type DevelopmentPlane } from '../devplane/plane';
import { Kinds, type MacNodeLease, type MacOSInstance } from '../sdk/api';
import { httpsAgentReader } from '../sdk/client/agent-client';
import { connect } from '../sdk/client/connect';
import type { ControlPlane } from '../sdk/client/control-plane';
import { PlaneError } from '../sdk/client/errors';
import { instant, parseInstant } from '../sdk/rules/instant';
import type { Log } from './reconcile/context';
import { startOperator, AuditType, type Operator } from './index';
import { HOUR_MS, TENANT, until } from './testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
jest.setTimeout(20_000);

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
  const agentReader = httpsAgentReader({ ca: plane.ca, ...await plane.identify('macrack-operator', ['macrack:operators']) });
  operator = await startOperator({ plane: await as('macrack-operator'), agents: agentReader, timers: plane.timers, auditFile: join(directory, 'audit.db'), admission: { host: '127.0.0.1', port: 0 }, log });
  plane.redirectWebhooks(operator.admissionOrigin, operator.caPem);
  await seed();
  [admin, tenantA, tenantB] = [await as('admin'), await as(TENANT), await as('tenant-b')];
  agents = [];
  for (const serial of serials) {
    const hypervisor = simHypervisor(new SimMac({ hardwareUUID: `hw-${serial}` }));
    const api = { host: '127.0.0.1', port: 0, clientCa: plane.ca, ...await plane.serve({ dns: [`mac-${serial}`], ips: [] }) };
    agents.push(startAgent({ plane: await as(`system:node:mac-${serial}`), serial, hypervisor, api, timers: plane.timers, journalFile: join(directory, `${serial}.jsonl`), log: { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined, child() { return this; } } as never }));
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


const createLease = (who: ControlPlane, namespace: string, name: string, spec: object = {}, options: { dryRun?: boolean; onWarning?: (text: string) => void } = {}) =>
  who.create(Kinds.MacNodeLease, { metadata: { name, namespace }, spec: { class: 'base', ...spec } }, options);
const createInstance = (who: ControlPlane, namespace: string, name: string, leaseName = 'ios', options: { dryRun?: boolean } = {}) =>
  who.create(Kinds.MacOSInstance, { metadata: { name, namespace }, spec: { leaseName, image: 'registry.example/macos:26', shape } }, options);

async function refusalOf(request: Promise<unknown>): Promise<PlaneError> {
  return request.then(() => { throw new Error('it was allowed'); }, (error: unknown) => {
    if (error instanceof PlaneError) return error;
    throw error;
  });
}

describe('the operator on the development plane, with the agents and everything in deploy/', () => {
  it('binds a lease of a tenant and runs two machines on it', async () => {
    await createLease(tenantA, TENANT, 'ios');
    await until('the lease is Bound', async () => (await phase(lease('ios'))) === 'Bound');
    for (const name of ['one', 'two']) await createInstance(tenantA, TENANT, name);
    await until('both run', async () => (await phase(instance('one'))) === 'Running' && (await phase(instance('two'))) === 'Running');
    const [one, two] = [(await instance('one'))?.status, (await instance('two'))?.status];
    expect(one?.machineID).not.toBe(two?.machineID);
    expect(one?.mac).not.toBe(two?.mac);
    await until('the lease counts them', async () => (await lease('ios'))?.status?.slots?.used === 2);
  });

  it('stamps who asked, over what the tenant wrote', async () => {
    expect((await lease('ios'))?.metadata.annotations).toMatchObject({ 'macrack.io/requested-by': TENANT });
    await tenantA.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { metadata: { annotations: { 'macrack.io/requested-by': 'mallory' } } });
    expect((await lease('ios'))?.metadata.annotations).toMatchObject({ 'macrack.io/requested-by': TENANT });
  });

  it('refuses a third instance by webhook, with the holders in words and the reason as data, and records it unless it is a dry run', async () => {
    const dry = await refusalOf(createInstance(tenantA, TENANT, 'three', 'ios', { dryRun: true }));
    expect(await operator.audit.rows({ type: AuditType.ThirdInstanceRejected })).toEqual([]);
    const wet = await refusalOf(createInstance(tenantA, TENANT, 'three'));
    for (const { detail, said } of [dry, wet]) {
      expect(detail).toMatchObject({ code: 403, causes: [{ reason: 'ThirdInstance', field: 'spec.leaseName' }] });
      expect(said).toMatch(/macrack: ThirdInstance: Lease tenant-a\/ios \(Mac c02.\).*tenant-a\/one \(Running.*tenant-a\/two \(Running/);
    }
    const rows = await operator.audit.rows({ type: AuditType.ThirdInstanceRejected });
    expect(rows.map((r) => [r.layer, r.tenant, r.actor])).toEqual([['webhook', TENANT, TENANT]]);
  });

  it('says the same of a serial that is absent, and of one that another tenant has, and records the second only', async () => {
    const { chassis = '' } = (await lease('ios'))?.status ?? {};
    const [absent, taken] = [await refusalOf(createLease(tenantB, 'tenant-b', 'b', { serial: 'nope' })), await refusalOf(createLease(tenantB, 'tenant-b', 'b', { serial: chassis.toUpperCase() }))];
    expect(absent.said.replace('nope', 'X')).toBe(taken.said.replace(chassis, 'X'));
    expect(taken.detail).toMatchObject({ code: 409, causes: [{ reason: 'SerialUnavailable', field: 'spec.serial' }] });
    expect(taken.said).not.toContain(TENANT);
    const rows = await operator.audit.rows({ type: AuditType.CrossTenantRejected });
    expect(rows.map((r) => r.payload)).toEqual([{ layer: 'webhook', sourceNamespace: 'tenant-b', targetNode: `mac-${chassis}`, targetLeaseTenant: TENANT, actor: 'tenant-b' }]);
  });

  it('refuses an instance of a lease that the tenant does not have', async () => {
    expect((await refusalOf(createInstance(tenantB, 'tenant-b', 'spy'))).detail.causes?.[0]?.reason).toBe('LeaseNotFound');
  });

  it('refuses a change inside the floor, and a claim deleted before it, whoever asks', async () => {
    expect((await refusalOf(tenantA.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { class: 'pro' } }))).message).toMatch(/macrack/);
    const { chassis = '' } = (await lease('ios'))?.status ?? {};
    const refused = await refusalOf(admin.remove(Kinds.MacNodeBinding, { name: chassis }));
    expect(refused.message).toMatch(/macrack/);
    expect(await admin.tryGet(Kinds.MacNodeBinding, { name: chassis })).toMatchObject({ metadata: { finalizers: ['macrack.io/claim'] } });
  });

  it('at rest writes nothing but the Clock, and asks nothing', async () => {
    const before = plane.requests.records.length;
    await new Promise<void>((resolve) => void plane.timers.after(1_000, resolve));
    for (let i = 0; i < 18; i += 1) {
      plane.clock.advance(10_000);
      await Promise.all(agents.map(async (a, n) => until('a heartbeat', async () => Date.parse((await admin.get(Kinds.MacNode, { name: serials[n] ?? '' })).status?.lastSeen ?? '') > plane.clock.now() - 5_000)));
    }
    const counts = plane.requests.counts(before);
    const operators = Object.fromEntries(Object.entries(counts).filter(([key]) => key.startsWith('macrack-operator ')));
    expect(operators).toEqual({ 'macrack-operator create clocks.macrack.io': 3, 'macrack-operator delete clocks.macrack.io': 3 });
  }, 30_000);

  it('holds a lease that is released early, warns, and records who asked', async () => {
    const warnings: string[] = [];
    await tenantA.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } }, { onWarning: (w) => warnings.push(w) });
    expect(warnings.join()).toMatch(/macrack: lease tenant-a\/ios is Held until .* and billed until then/);
    await until('it is Held', async () => (await phase(lease('ios'))) === 'Held');
    await until('the row', async () => (await operator.audit.rows({ type: AuditType.EarlyDeleteHeld })).length === 1);
    expect((await operator.audit.rows({ type: AuditType.EarlyDeleteHeld }))[0]).toMatchObject({ actor: TENANT });
    const named = await refusalOf(createLease(tenantA, TENANT, 'ios'));
    expect(named.detail.code).toBe(409);
  });

  it('releases it by itself at the floor and its margin, wiped, and proves the run', async () => {
    plane.clock.advance(24 * HOUR_MS);
    await until('it is being released', async () => (await phase(lease('ios'))) === 'Releasing');
    await until('its instances are gone', async () => (await instance('one')) === null && (await instance('two')) === null);
    plane.clock.advance(61_000);
    await until('it is Released', async () => (await phase(lease('ios'))) === 'Released');
    const outcomes = async () => (await operator.audit.rows({ type: AuditType.LeaseReleased })).filter((r) => r.stage === 'outcome');
    await until('the row', async () => (await outcomes()).length === 1);
    const [outcome] = await outcomes();
    expect(outcome?.payload).toMatchObject({ nodeUnleased: true, tenantTaintGone: true });
    const now = parseInstant(new Date(plane.clock.now()).toISOString());
    const proof = await operator.audit.proveFleet({ from: instant(now - 26 * HOUR_MS), to: now });
    expect(proof).toMatchObject({ verdict: 'proven', chassis: serials.map((serial) => ({ serial, verdict: 'proven' })) });
  });

  it('lets the other tenant have it', async () => {
    for (const name of ['b1', 'b2']) await createLease(tenantB, 'tenant-b', name);
    await until('both are Bound', async () => (await phase(lease('b1', 'tenant-b'))) === 'Bound' && (await phase(lease('b2', 'tenant-b'))) === 'Bound');
    expect(errors).toEqual([]);
  });

  it('keeps a lease that is deleted raw until its floor, also when the clock jumps past floor and margin at once with a machine running', async () => {
    await createInstance(tenantB, 'tenant-b', 'last', 'b1');
    await until('it runs', async () => (await phase(instance('last', 'tenant-b'))) === 'Running');
    await tenantB.remove(Kinds.MacNodeLease, { namespace: 'tenant-b', name: 'b1' });
    await until('it is Held', async () => (await phase(lease('b1', 'tenant-b'))) === 'Held');
    await until('the row', async () => (await operator.audit.rows({ type: AuditType.EarlyDeleteHeld })).length === 2);
    expect((await operator.audit.rows({ type: AuditType.EarlyDeleteHeld }))[1]).toMatchObject({ actor: 'tenant-b', tenant: 'tenant-b', payload: { by: 'delete' } });
    plane.clock.advance(25 * HOUR_MS);
    await until('it is gone', async () => (await lease('b1', 'tenant-b')) === null);
    expect((await operator.audit.rows({ type: AuditType.LeaseReleased })).filter((r) => r.stage === 'outcome')).toHaveLength(2);
    expect(await phase(lease('b2', 'tenant-b'))).toBe('Bound');
    expect(errors).toEqual([]);
  });

  it('refuses what it cannot check: with the webhooks down nothing is created', async () => {
    await operator.stop();
    const refused = await refusalOf(createLease(tenantB, 'tenant-b', 'late'));
    expect(refused.detail.code).toBe(500);
    expect(await lease('late', 'tenant-b')).toBeNull();
  }, 20_000);
});
