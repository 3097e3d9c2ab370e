import { AuditType } from '../../operator';
import { Kinds, type MacNodeLease, type MacOSInstance } from '../../sdk/api';
import { type ControlPlane, PlaneError } from '../../sdk/client';
import { until as untilGiven } from '../../sdk/client/until';
import { instant, parseInstant } from '../../sdk/rules/instant';
import type { World } from './world';

const TENANT = 'tenant-a';
const OTHER = 'tenant-b';
const HOUR_MS = 3_600_000;
const shape = { cpu: 2, memory: '4Gi', disk: '60Gi' };

type Spec = Record<string, string | boolean>;

export const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => void await untilGiven(what, async () => (await holds()) || undefined);

async function refusalOf(request: Promise<unknown>): Promise<PlaneError> {
  return request.then(() => { throw new Error('it was allowed'); }, (error: unknown) => {
    if (error instanceof PlaneError) return error;
    throw error;
  });
}

/** Those who ask, and what they ask for. */
export class Cast {
  private constructor(readonly world: World, readonly admin: ControlPlane, readonly tenantA: ControlPlane, readonly tenantB: ControlPlane) {}

  static async of(world: World): Promise<Cast> {
    return new Cast(world, await world.connectAs('macrack-admin'), await world.connectAs(TENANT), await world.connectAs(OTHER));
  }

  lease(name: string, namespace = TENANT): Promise<MacNodeLease | null> {
    return this.admin.tryGet(Kinds.MacNodeLease, { namespace, name });
  }

  instance(name: string, namespace = TENANT): Promise<MacOSInstance | null> {
    return this.admin.tryGet(Kinds.MacOSInstance, { namespace, name });
  }

  untilLease(phase: string, name: string, namespace = TENANT): Promise<void> {
    return until(`lease ${name} is ${phase}`, async () => (await this.lease(name, namespace))?.status?.phase === phase);
  }

  untilInstance(phase: string, name: string, namespace = TENANT): Promise<void> {
    return until(`instance ${name} is ${phase}`, async () => (await this.instance(name, namespace))?.status?.phase === phase);
  }

  createLease(who: ControlPlane, namespace: string, name: string, spec: Spec = {}) {
    return who.create(Kinds.MacNodeLease, { metadata: { name, namespace }, spec: { class: 'base', ...spec } });
  }

  createInstance(who: ControlPlane, namespace: string, name: string, leaseName = 'ios', dryRun = false) {
    return who.create(Kinds.MacOSInstance, { metadata: { name, namespace }, spec: { leaseName, image: 'registry.example/macos:26', shape } }, { dryRun });
  }

  rows(type: AuditType) {
    return this.world.operator().audit.rows({ type });
  }

  async outcomes(type: AuditType) {
    return (await this.rows(type)).filter(({ stage }) => stage === 'outcome');
  }

  close(): void {
    for (const client of [this.admin, this.tenantA, this.tenantB]) client.close();
  }
}

function describeLeased(cast: () => Cast): void {
  it('begins with every Mac registered by its agent, Ready, unleased and offering two slots', async () => {
    const nodes = async () => (await cast().admin.list(Kinds.Node)).items;
    await until('both nodes are schedulable', async () => (await nodes()).filter(({ spec }) => spec.taints?.length === 1).length === 2);
    for (const { spec, status } of await nodes()) {
      expect(spec.taints).toEqual([{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
      expect(status?.allocatable).toMatchObject({ 'macrack.io/macos-vm': '2', pods: '2' });
    }
  });

  it('binds a lease of a tenant and runs two machines on it', async () => {
    const { tenantA } = cast();
    await cast().createLease(tenantA, TENANT, 'ios');
    await cast().untilLease('Bound', 'ios');
    for (const name of ['one', 'two']) await cast().createInstance(tenantA, TENANT, name);
    for (const name of ['one', 'two']) await cast().untilInstance('Running', name);
    const [one, two] = [(await cast().instance('one'))?.status, (await cast().instance('two'))?.status];
    expect(one?.machineID).not.toBe(two?.machineID);
    expect(one?.mac).not.toBe(two?.mac);
    await until('the lease counts them', async () => (await cast().lease('ios'))?.status?.slots?.used === 2);
  });

  it('takes the Mac for a day from the stamp of its claim, and the scheduler places both machines there', async () => {
    const { chassis = '', boundAt = '', earliestReleaseAt = '' } = (await cast().lease('ios'))?.status ?? {};
    const claim = await cast().admin.get(Kinds.MacNodeBinding, { name: chassis });
    expect([boundAt, claim.metadata.finalizers]).toEqual([claim.metadata.creationTimestamp, ['macrack.io/claim']]);
    expect(Date.parse(earliestReleaseAt) - Date.parse(boundAt)).toBe(24 * HOUR_MS);
    const { spec } = await cast().admin.get(Kinds.Node, { name: `mac-${chassis}` });
    expect(spec.taints).toEqual([{ key: 'macrack.io/tenant', value: TENANT, effect: 'NoSchedule' }]);
    const { items } = await cast().admin.list(Kinds.Pod, { namespace: TENANT });
    expect(items.map(({ metadata, spec: { nodeName } }) => [metadata.name, nodeName]).sort()).toEqual([['ios-vm-0', `mac-${chassis}`], ['ios-vm-1', `mac-${chassis}`]]);
  });

  it('stamps who asked, over what the tenant wrote', async () => {
    const stamps = async () => (await cast().lease('ios'))?.metadata.annotations;
    expect(await stamps()).toMatchObject({ 'macrack.io/requested-by': TENANT });
    await cast().tenantA.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { metadata: { annotations: { 'macrack.io/requested-by': 'mallory' } } });
    expect(await stamps()).toMatchObject({ 'macrack.io/requested-by': TENANT });
  });
}

function describeRefused(cast: () => Cast): void {
  it('refuses a third instance by webhook, with the holders in words and the reason as data, and records it unless it is a dry run', async () => {
    const dry = await refusalOf(cast().createInstance(cast().tenantA, TENANT, 'three', 'ios', true));
    expect(await cast().rows(AuditType.ThirdInstanceRejected)).toEqual([]);
    const wet = await refusalOf(cast().createInstance(cast().tenantA, TENANT, 'three'));
    for (const { detail, said } of [dry, wet]) {
      expect(detail).toMatchObject({ code: 403, causes: [{ reason: 'ThirdInstance', field: 'spec.leaseName' }] });
      expect(said).toMatch(/macrack: ThirdInstance: Lease tenant-a\/ios \(Mac sim000.\).*tenant-a\/one \(Running.*tenant-a\/two \(Running/);
    }
    expect((await cast().rows(AuditType.ThirdInstanceRejected)).map(({ layer, tenant, actor }) => [layer, tenant, actor])).toEqual([['webhook', TENANT, TENANT]]);
  });

  it('says the same of a serial that is absent, and of one that another tenant has, and records the second only', async () => {
    const { chassis = '' } = (await cast().lease('ios'))?.status ?? {};
    const ask = (serial: string) => refusalOf(cast().createLease(cast().tenantB, OTHER, 'b', { serial }));
    const [absent, taken] = [await ask('nope'), await ask(chassis.toUpperCase())];
    expect(absent.said.replace('nope', 'X')).toBe(taken.said.replace(chassis, 'X'));
    expect(taken.detail).toMatchObject({ code: 409, causes: [{ reason: 'SerialUnavailable', field: 'spec.serial' }] });
    expect(taken.said).not.toContain(TENANT);
    expect((await cast().rows(AuditType.CrossTenantRejected)).map(({ payload }) => payload)).toEqual([{ layer: 'webhook', sourceNamespace: OTHER, targetNode: `mac-${chassis}`, targetLeaseTenant: TENANT, actor: OTHER }]);
  });

  it('refuses an instance of a lease that the tenant does not have', async () => {
    expect((await refusalOf(cast().createInstance(cast().tenantB, OTHER, 'spy'))).detail.causes?.[0]?.reason).toBe('LeaseNotFound');
  });

  it('refuses a change inside the floor, and a claim deleted before it, whoever asks', async () => {
    expect((await refusalOf(cast().tenantA.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { class: 'pro' } }))).message).toMatch(/macrack/);
    const { chassis = '' } = (await cast().lease('ios'))?.status ?? {};
    expect((await refusalOf(cast().admin.remove(Kinds.MacNodeBinding, { name: chassis }))).message).toMatch(/macrack/);
    expect((await refusalOf(cast().admin.patch(Kinds.MacNodeBinding, { name: chassis }, { metadata: { finalizers: null } }))).detail.code).toBe(403);
    const { metadata } = await cast().admin.get(Kinds.MacNodeBinding, { name: chassis });
    expect([metadata.finalizers, metadata.deletionTimestamp]).toEqual([['macrack.io/claim'], undefined]);
  });
}

function developmentOf({ development }: World): NonNullable<World['development']> {
  if (development === undefined) throw new Error('this plane has no clock');
  return development;
}

function describeRest(cast: () => Cast): void {
  it('at rest writes nothing but the Clock, and asks nothing', async () => {
    const { admin, world } = cast();
    const plane = developmentOf(world);
    const before = plane.requests.records.length;
    await new Promise<void>((resolve) => void plane.timers.after(1_000, resolve));
    for (let i = 0; i < 18; i += 1) {
      plane.clock.advance(10_000);
      await Promise.all([...world.macs.keys()].map((serial) => until('a heartbeat', async () => Date.parse((await admin.get(Kinds.MacNode, { name: serial })).status?.lastSeen ?? '') > plane.clock.now() - 5_000)));
    }
    const operators = Object.fromEntries(Object.entries(plane.requests.counts(before)).filter(([key]) => key.startsWith('macrack-operator ')));
    expect(operators).toEqual({ 'macrack-operator create clocks.macrack.io': 3, 'macrack-operator delete clocks.macrack.io': 3 });
  });
}

function describeReleased(cast: () => Cast): void {
  it('holds a lease that is released early, warns, and records who asked', async () => {
    const warnings: string[] = [];
    await cast().tenantA.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } }, { onWarning: (text) => warnings.push(text) });
    expect(warnings.join()).toMatch(/macrack: lease tenant-a\/ios is Held until .* and billed until then/);
    await cast().untilLease('Held', 'ios');
    await until('the row', async () => (await cast().rows(AuditType.EarlyDeleteHeld)).length === 1);
    expect((await cast().rows(AuditType.EarlyDeleteHeld))[0]).toMatchObject({ actor: TENANT });
    expect((await refusalOf(cast().createLease(cast().tenantA, TENANT, 'ios'))).detail.code).toBe(409);
  });

  it('releases it by itself at the floor and its margin, wiped', async () => {
    const { world } = cast();
    const { chassis = '' } = (await cast().lease('ios'))?.status ?? {};
    await world.passFloor(TENANT, 'ios');
    await cast().untilLease('Released', 'ios');
    expect([await cast().instance('one'), await cast().instance('two')]).toEqual([null, null]);
    const { mac } = world.macs.get(chassis) ?? {};
    expect([mac?.running(), mac?.bundles()]).toEqual([[], []]);
    await until('the row', async () => (await cast().outcomes(AuditType.LeaseReleased)).length === 1);
    expect((await cast().outcomes(AuditType.LeaseReleased))[0]?.payload).toMatchObject({ nodeUnleased: true, tenantTaintGone: true });
  });
}

/** Where nobody has aged a stamp. */
function describeProof(cast: () => Cast): void {
  it('proves the run from its record alone', async () => {
    const { macs } = cast().world;
    const plane = developmentOf(cast().world);
    const now = parseInstant(new Date(plane.clock.now()).toISOString());
    const proof = await cast().world.operator().audit.proveFleet({ from: instant(now - 26 * HOUR_MS), to: now });
    expect(proof).toMatchObject({ verdict: 'proven', chassis: [...macs.keys()].map((serial) => ({ serial, verdict: 'proven' })) });
  });
}

function describeNext(cast: () => Cast): void {
  it('lets the other tenant have it', async () => {
    for (const name of ['b1', 'b2']) await cast().createLease(cast().tenantB, OTHER, name);
    for (const name of ['b1', 'b2']) await cast().untilLease('Bound', name, OTHER);
  });

  it('keeps a lease that is deleted raw until its floor, also when floor and margin pass at once with a machine running', async () => {
    const { tenantB, world } = cast();
    await cast().createInstance(tenantB, OTHER, 'last', 'b1');
    await cast().untilInstance('Running', 'last', OTHER);
    await tenantB.remove(Kinds.MacNodeLease, { namespace: OTHER, name: 'b1' });
    await cast().untilLease('Held', 'b1', OTHER);
    await until('the row', async () => (await cast().rows(AuditType.EarlyDeleteHeld)).length === 2);
    expect((await cast().rows(AuditType.EarlyDeleteHeld))[1]).toMatchObject({ actor: OTHER, tenant: OTHER, payload: { by: 'delete' } });
    await (world.development === undefined ? world.passFloor(OTHER, 'b1') : Promise.resolve(world.development.clock.advance(25 * HOUR_MS)));
    await until('it is gone', async () => (await cast().lease('b1', OTHER)) === null);
    expect(await cast().outcomes(AuditType.LeaseReleased)).toHaveLength(2);
    expect((await cast().lease('b2', OTHER))?.status?.phase).toBe('Bound');
  });
}

function describeOutage(cast: () => Cast): void {
  it('had no error to log in all this', () => {
    expect(cast().world.errors).toEqual([]);
  });

  it('refuses what it cannot check: with the webhooks down nothing is created', async () => {
    await cast().world.operator().stop();
    expect((await refusalOf(cast().createLease(cast().tenantB, OTHER, 'late'))).detail.code).toBe(500);
    expect(await cast().lease('late', OTHER)).toBeNull();
  });

  it('goes on after a restart, on the same record', async () => {
    await cast().world.restartOperator();
    await cast().createLease(cast().tenantA, TENANT, 'again');
    await cast().untilLease('Bound', 'again');
  });

  it('a namespace with a lease inside its floor stays Terminating and names what keeps it', async () => {
    const namespace = { name: TENANT };
    await cast().admin.remove(Kinds.Namespace, namespace);
    await cast().untilLease('Held', 'again');
    await until('the namespace says what is left', async () => {
      const said = JSON.stringify((await cast().admin.get(Kinds.Namespace, namespace)).status);
      return said.includes('macnodeleases.macrack.io has 1 resource instances') && said.includes('macrack.io/floor in 1 resource instances');
    });
  });
}

/** The operator with the agents and everything in deploy/. @param hasClock whether the plane counts requests and has a clock that is moved: what only such a plane can show is asked of no other */
export function describeOperator(start: () => Promise<World>, hasClock: boolean): void {
  let world: World | undefined;
  let cast: Cast | undefined;
  beforeAll(async () => {
    world = await start();
    cast = await Cast.of(world);
  });
  afterAll(async () => {
    cast?.close();
    await world?.stop();
  });
  const players = (): Cast => {
    if (cast === undefined) throw new Error('the plane has not started');
    return cast;
  };
  const ofClock = (part: (cast: () => Cast) => void) => (hasClock ? [part] : []);
  for (const part of [describeLeased, describeRefused, ...ofClock(describeRest), describeReleased, ...ofClock(describeProof), describeNext, describeOutage]) part(players);
}
