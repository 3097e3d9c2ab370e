import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type RunningAgent, SimMac, simHypervisor, startAgent } from '../../agent';
import { type Development, startDevelopmentPlane } from '../../devplane/development-plane';
import { deployDirectory } from '../../devplane/package-files';
import { Kinds } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client';
import { until } from '../../sdk/client/until';
import { macrack } from '../cli/command';

const TENANT = 'tenant-a';
const HOUR_MS = 3_600_000;
const spec = { image: 'ghcr.io/acme/macos-sequoia:15.1', shape: { cpu: 2, memory: '4Gi', disk: '60Gi' } };

const directory = mkdtempSync(join(tmpdir(), 'macrack-strays-'));
let development: Development;
let tenant: ControlPlane;
let admin: ControlPlane;
beforeAll(async () => {
  // As where policies are objects of the API, and an administrator has deleted the one that keeps the finalizer of a lease.
  const deploy = join(directory, 'deploy');
  cpSync(deployDirectory(), deploy, { recursive: true });
  rmSync(join(deploy, 'policies', 'p6-lease-finalizer.yaml'));
  development = await startDevelopmentPlane({ directory, deploy, macs: [{ serial: 'sim0001', class: 'base' }, { serial: 'sim0002', class: 'pro' }], logger: pino({ level: 'silent' }), log: () => undefined });
  [tenant, admin] = [await development.connectAs(TENANT), await development.connectAs('macrack-admin')];
});
afterAll(async () => {
  for (const client of [tenant, admin]) client.close();
  await development.stop();
  rmSync(directory, { recursive: true, force: true });
});

const advance = (ms: number) => development.plane.clock.advance(ms);
const instancePhase = async (name: string) => (await admin.tryGet(Kinds.MacOSInstance, { namespace: TENANT, name }))?.status?.phase;
const isInstance = (name: string, phase: string) => until(`${name} is ${phase}`, async () => (await instancePhase(name) === phase ? true : undefined));

/** A lease that is Bound, and its instances that run. */
async function running(name: string, className: string, ...instances: readonly string[]): Promise<void> {
  await tenant.create(Kinds.MacNodeLease, { metadata: { namespace: TENANT, name }, spec: { class: className, minimumDuration: '24h', release: false } });
  await until('the lease is bound', async () => ((await admin.get(Kinds.MacNodeLease, { namespace: TENANT, name })).status?.phase === 'Bound' ? true : undefined));
  for (const instance of instances) {
    await tenant.create(Kinds.MacOSInstance, { metadata: { namespace: TENANT, name: instance }, spec: { ...spec, leaseName: name, running: true } });
    await isInstance(instance, 'Running');
  }
}

async function orphans(): Promise<{ readonly code: number | null; readonly said: string }> {
  const { code, stdout } = await macrack('mac', 'orphans', '--kubeconfig', development.kubeconfigs['macrack-admin'] ?? '').ended;
  return { code, said: stdout };
}

describe('a lease whose object was forced away, its finalizer stripped', () => {
  const claim = () => admin.tryGet(Kinds.MacNodeBinding, { name: 'sim0001' });

  it('leaves its claim, which keeps the Mac for its tenant and its hours, and stands in the report of orphans', async () => {
    await running('stray', 'base');
    await tenant.remove(Kinds.MacNodeLease, { namespace: TENANT, name: 'stray' });
    await admin.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'stray' }, { metadata: { finalizers: null } });
    expect(await admin.tryGet(Kinds.MacNodeLease, { namespace: TENANT, name: 'stray' })).toBeNull();
    expect(await orphans()).toEqual({ code: 2, said: expect.stringContaining('sim0001') as string });
    expect((await claim())?.spec).toMatchObject({ tenant: TENANT, leaseName: 'stray' });
    advance(23 * HOUR_MS);
    await tenant.create(Kinds.MacNodeLease, { metadata: { namespace: TENANT, name: 'next' }, spec: { class: 'base', minimumDuration: '24h', release: false } });
    await until('it is seen that there is no Mac for another', async () => ((await admin.get(Kinds.MacNodeLease, { namespace: TENANT, name: 'next' })).status?.phase === 'Pending' ? true : undefined));
    expect((await claim())?.spec.leaseName).toBe('stray');
  });

  it('is ended by the operator at its floor, and the Mac goes to the next', async () => {
    advance(HOUR_MS + 120_000);
    await until('the next lease is bound', async () => ((await admin.get(Kinds.MacNodeLease, { namespace: TENANT, name: 'next' })).status?.phase === 'Bound' ? true : undefined));
    expect((await claim())?.spec.leaseName).toBe('next');
  });
});

describe('a Mac whose agent went away with its machines', () => {
  let successor: RunningAgent | undefined;
  let client: ControlPlane;
  afterAll(async () => {
    await successor?.stop();
    client.close();
  });
  let said = '';
  const log = pino({ level: 'error' }, { write: (line: string) => { said += line; } });
  const start = (mac: SimMac, journal: string) => startAgent({ plane: client, serial: 'sim0002', hypervisor: simHypervisor(mac), timers: development.plane.timers, journalFile: join(directory, journal), log });
  const macOf = () => development.macs.get('sim0002');

  it('has instances that are Unknown, not Failed, and hold their slots', async () => {
    await running('ci', 'pro', 'vm-1', 'vm-2');
    client = await development.connectAs('system:node:mac-sim0002');
    await macOf()?.agent.stop();
    advance(41_000);
    await isInstance('vm-1', 'Unknown');
    await isInstance('vm-2', 'Unknown');
    await expect(tenant.create(Kinds.MacOSInstance, { metadata: { namespace: TENANT, name: 'vm-3' }, spec: { ...spec, leaseName: 'ci', running: true } })).rejects.toThrow('ThirdInstance');
  });

  it('comes back without them: they are Failed, and their slots are free, once', async () => {
    const mac = macOf()?.mac;
    if (mac === undefined) throw new Error('no Mac');
    mac.reboot();
    successor = start(mac, 'mac-sim0002.journal');
    await isInstance('vm-1', 'Failed');
    await isInstance('vm-2', 'Failed');
    await tenant.create(Kinds.MacOSInstance, { metadata: { namespace: TENANT, name: 'vm-3' }, spec: { ...spec, leaseName: 'ci', running: true } });
    await isInstance('vm-3', 'Running');
    expect(mac.running().length).toBe(1);
  });

  it('is not believed as another hardware under its serial: what it says does not count, and it starts nothing', async () => {
    await successor?.stop();
    const other = new SimMac({ timers: development.plane.timers });
    successor = start(other, 'other.journal');
    await until('it is refused', () => Promise.resolve(said.includes('HardwareMismatch') ? true : undefined));
    advance(41_000);
    await isInstance('vm-3', 'Unknown');
    expect(other.running()).toEqual([]);
    expect((await admin.get(Kinds.MacNode, { name: 'sim0002' })).status?.hardwareUUID).toBe(macOf()?.mac.hardwareUUID);
  });
});
