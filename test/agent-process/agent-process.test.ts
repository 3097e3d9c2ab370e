import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Client } from 'undici';
import { openTestAuthority, type Leaf, type PemPair, type TestAuthority } from '../../agent/testing/authority';
import { ADMIN, FLEET_OPERATOR, OPERATOR } from '../../realplane/identities';
import { type RealDevelopment, startRealDevelopment } from '../../realplane/real-development';
import { Kinds, type MacNode, type MacOSInstance } from '../../sdk/api';
import { connect, httpsAgentReader, type ControlPlane } from '../../sdk/client';
import { until } from '../../sdk/client/until';
import { macrack } from '../cli/command';
import { describeRealPlane } from '../harness/real-plane-suite';
import { MacHost } from './mac-host';

const HOUR_MS = 3_600_000;
/** More than any other file of an agent has. */
const FILE_BYTES = 131_072;

describeRealPlane('an agent that is a process, on Kubernetes 1.37', () => {
  let world: RealDevelopment;
  let admin: ControlPlane;
  let tenant: ControlPlane;
  let authority: TestAuthority;
  let one: MacHost;
  const directory = mkdtempSync(join(tmpdir(), 'macrack-agents-'));
  const hosts: MacHost[] = [];

  beforeAll(async () => {
    world = await startRealDevelopment({ macs: [], logger: pino({ level: process.env.AGENT_LOG ?? 'silent' }, pino.destination(2)) });
    [admin, tenant] = [await world.connectAs(ADMIN), await world.connectAs('tenant-a')];
    authority = await openTestAuthority(world.plane.ca, readFileSync(join(world.plane.directory, 'ca.key'), 'utf8'));
    one = newHost('proc01');
  });
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    admin?.close();
    tenant?.close();
    await world?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  function newHost(serial: string, hardwareUUID?: string): MacHost {
    const host = new MacHost(directory, serial, hardwareUUID);
    hosts.push(host);
    return host;
  }
  const enrol = (host: MacHost): Promise<void> => host.enrol(world.kubeconfigs[ADMIN] ?? '');
  const untilMac = (serial: string, what: string, holds: (mac: MacNode) => boolean): Promise<MacNode> => until(`Mac ${serial} ${what}`, async () => {
    const found = await admin.tryGet(Kinds.MacNode, { name: serial });
    return found !== null && holds(found) ? found : undefined;
  });
  const readiness = ({ status }: MacNode): string | undefined => status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
  const untilInstance = (name: string, phase: string): Promise<MacOSInstance> => until(`${name} is ${phase}`, async () => {
    const found = await tenant.tryGet(Kinds.MacOSInstance, { namespace: 'tenant-a', name });
    return found?.status?.phase === phase ? found : undefined;
  });
  const run = (name: string) => tenant.create(Kinds.MacOSInstance, { metadata: { namespace: 'tenant-a', name }, spec: { leaseName: 'ci', image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } });
  const stopped = async (host: MacHost, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => void await host.agent?.end(signal);
  const pairFile = (purpose: string): string => join(one.state, purpose, 'current.pem');
  const pairOf = (purpose: string): string => readFileSync(pairFile(purpose), 'utf8');
  const asOperator = async () => httpsAgentReader({ ca: world.plane.ca, ...await world.plane.identify(OPERATOR) });

  async function usePair(purpose: 'client' | 'serving', leaf: Leaf): Promise<void> {
    const { certificate, key } = await authority.issue('system:node:mac-proc01', { groups: ['system:nodes'], ...(purpose === 'serving' ? { usage: 'server', dns: ['mac-proc01'], ips: ['127.0.0.1'] } : {}), ...leaf });
    writeFileSync(pairFile(purpose), `${certificate.trimEnd()}\n${key}`, { mode: 0o600 });
  }

  const endpoint = async (): Promise<string> => (await admin.get(Kinds.MacNode, { name: 'proc01' })).status?.agentEndpoint ?? '';

  async function access(name: string, pair: PemPair): Promise<string[]> {
    const path = (suffix: string, text: string): string => {
      writeFileSync(join(directory, `${name}.${suffix}`), text, { mode: 0o600 });
      return join(directory, `${name}.${suffix}`);
    };
    return ['--endpoint', await endpoint(), '--serial', 'proc01', '--cert', path('crt', pair.certificate), '--key', path('key', pair.key), '--ca', path('ca', world.plane.ca)];
  }

  describe('from its enrolment on', () => {
    it('asks for its certificates by the token, becomes a node that is Ready, and is leased', async () => {
      await enrol(one);
      // Its clock is wrong until it is killed for the first time.
      const shift = join(directory, 'shift.cjs');
      writeFileSync(shift, `const now = Date.now; Date.now = () => now() + ${9 * HOUR_MS};`);
      one.start({ env: { NODE_OPTIONS: `--require ${shift}` } });
      await untilMac('proc01', 'is Ready', (mac) => readiness(mac) === 'AgentReady');
      await tenant.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-a', name: 'ci' }, spec: { class: 'base' } });
      await until('the lease is Bound', async () => (await tenant.get(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ci' })).status?.phase === 'Bound' || undefined);
      for (const purpose of ['client', 'serving']) expect(statSync(pairFile(purpose)).mode & 0o777).toBe(0o600);
      expect(JSON.stringify(one.agent?.lines)).not.toContain(readFileSync(one.bootstrap, 'utf8').match(/token: (\S+)/)?.[1]);
    });

    it('runs the instances of the lease', async () => {
      for (const name of ['vm-1', 'vm-2']) await run(name);
      for (const name of ['vm-1', 'vm-2']) await untilInstance(name, 'Running');
      expect(one.sim.running()).toHaveLength(2);
      await expect((await asOperator()).read(await untilMac('proc01', 'shows both', ({ status }) => status?.vmCount === 2))).resolves.toMatchObject({ serial: 'proc01', capacity: { max: 2, running: 2, kernelQuota: 2 } });
    });

    it('tells the time of the API server, however wrong its own clock is', async () => {
      const { status } = await admin.get(Kinds.MacNode, { name: 'proc01' });
      const stamps = [status?.lastSeen, status?.conditions?.[0]?.lastTransitionTime, ...status?.journal?.map(({ at }) => at) ?? []];
      expect(stamps).toHaveLength(4);
      for (const stamp of stamps) expect(Math.abs(Date.parse(stamp ?? '') - Date.now())).toBeLessThan(HOUR_MS);
    });

    it('is a node among nodes: of the API it has its own objects, and no more', async () => {
      const plane = await connect({ configPath: join(one.state, 'kubeconfig'), env: {} });
      const refused = { detail: { code: 403 } };
      try {
        await expect(plane.list(Kinds.Pod, { fieldSelector: 'spec.nodeName=mac-proc01' })).resolves.toMatchObject({ items: [{}, {}] });
        await expect(plane.list(Kinds.Pod)).rejects.toMatchObject(refused);
        await expect(plane.list(Kinds.MacNode)).rejects.toMatchObject(refused);
        await expect(plane.list(Kinds.Secret, { namespace: 'kube-system' })).rejects.toMatchObject(refused);
        await expect(plane.patch(Kinds.Node, { name: 'mac-proc01' }, { spec: { taints: null } })).rejects.toMatchObject(refused);
        await expect(plane.patch(Kinds.Node, { name: 'mac-proc01' }, { status: { capacity: { 'macrack.io/macos-vm': '4' } } }, { subresource: 'status' })).rejects.toMatchObject(refused);
        await expect(plane.patch(Kinds.MacNode, { name: 'proc01' }, { spec: { class: 'pro' } })).rejects.toMatchObject(refused);
      } finally {
        plane.close();
      }
    });
  });

  describe('its HTTPS API', () => {
    async function ask(pair: PemPair | undefined, headers: Record<string, string> = {}): Promise<number | string> {
      const client = new Client(await endpoint(), { connect: { ca: world.plane.ca, servername: 'mac-proc01', ...(pair && { cert: pair.certificate, key: pair.key }) } });
      return client.request({ method: 'GET', path: '/v1/state', headers }).then(({ statusCode }) => statusCode, () => 'handshake').finally(() => void client.destroy());
    }

    it('answers fleet operators on the command line', async () => {
      const fleet = await access('fleet', await world.plane.identify(FLEET_OPERATOR));
      const capacity = await macrack('agent', 'capacity', ...fleet).ended;
      expect([capacity.code, JSON.parse(capacity.stdout)]).toEqual([0, { max: 2, running: 2, kernelQuota: 2 }]);
      const journal = await macrack('agent', 'journal', ...fleet, '--after', '1').ended;
      expect(JSON.parse(journal.stdout)).toMatchObject({ seq: 2, entries: [{ seq: 2, event: 'Started', tenant: 'tenant-a' }] });
    });

    it('refuses a tenant in one sentence, and a token, no certificate and an expired one in the handshake', async () => {
      const refused = await macrack('agent', 'instances', ...await access('tenant', await world.plane.identify('tenant-a'))).ended;
      expect([refused.code, refused.stderr]).toEqual([1, 'macrack: the agent of Mac proc01 answers 403: an agent answers certificates with CN=macrack-operator or O=macrack:fleet-operators only\n']);
      expect(await ask(undefined)).toBe('handshake');
      expect(await ask(undefined, { authorization: 'Bearer abc' })).toBe('handshake');
      expect(await ask(await authority.issue(OPERATOR, { fromMs: -2 * HOUR_MS, untilMs: -HOUR_MS }))).toBe('handshake');
      expect(await ask(await world.plane.identify('system:node:mac-proc01'))).toBe(403);
    });
  });

  describe('killed while machines run', () => {
    it('leaves them running, and its successor goes on with them', async () => {
      const before = [one.sim.running().map(({ machineID }) => machineID), (await admin.list(Kinds.Pod, { namespace: 'tenant-a' })).items.map(({ metadata }) => metadata.uid)];
      expect(await one.agent?.end('SIGKILL')).toBe('SIGKILL');
      expect(one.sim.running()).toHaveLength(2);
      const { lastSeen } = (await admin.get(Kinds.MacNode, { name: 'proc01' })).status ?? {};
      one.start();
      const mac = await untilMac('proc01', 'is seen again', ({ status }) => (status?.lastSeen ?? '') > (lastSeen ?? ''));
      expect(mac.status).toMatchObject({ vmCount: 2, journalSeq: 2 });
      expect([one.sim.running().map(({ machineID }) => machineID), (await admin.list(Kinds.Pod, { namespace: 'tenant-a' })).items.map(({ metadata }) => metadata.uid)]).toEqual(before);
    });

    it('is told by the hypervisor what ended meanwhile: that is a crash, and no machine is started in its stead', async () => {
      const { status } = await tenant.get(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-2' });
      await stopped(one, 'SIGKILL');
      one.sim.end(one.sim.running().find(({ machineID }) => machineID === status?.machineID)?.name ?? '');
      one.start();
      expect((await untilInstance('vm-2', 'Failed')).status?.reason).toBe('Crashed');
      await tenant.remove(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-2' });
      await until('vm-2 is gone', async () => (await tenant.tryGet(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-2' })) === null || undefined);
      expect(one.sim.running()).toHaveLength(1);
    });

    it('counts and reports a machine that a person started meanwhile, refuses a third one, and kills nothing', async () => {
      await stopped(one, 'SIGKILL');
      one.sim.createBundle('by-hand');
      await one.sim.boot('by-hand');
      one.start();
      const { status } = await untilMac('proc01', 'shows it', (mac) => mac.status?.vmCount === 2);
      expect(status?.vms?.map(({ podUID }) => podUID === '')).toEqual([false, true]);
      await run('vm-3');
      expect((await untilInstance('vm-3', 'Failed')).status?.reason).toBe('ThirdInstance');
      expect(one.sim.running().map(({ name }) => name)).toContain('by-hand');
      one.sim.end('by-hand');
      one.sim.deleteBundle('by-hand');
      await tenant.remove(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-3' });
      await untilMac('proc01', 'has one machine', (mac) => mac.status?.vmCount === 1);
    });

    it('ends on SIGTERM with status 0, and machines go on', async () => {
      expect(await one.agent?.end('SIGTERM')).toBe(0);
      expect(one.sim.running()).toHaveLength(1);
    });
  });

  describe('one Mac, one agent', () => {
    it('a second one with the same state directory ends in a sentence', async () => {
      const first = one.start();
      await first.says(/the API is served/);
      const second = one.start();
      expect(await second.ended).toBe(1);
      expect(second.text).toBe(`macrack: another agent runs with the state directory ${one.state}: one Mac has one agent\n`);
      one.agent = first;
    });

    it('a second one on the same hardware is denied a certificate, and registers nothing', async () => {
      const elsewhere = newHost('elsewhere', one.sim.hardwareUUID);
      const second = elsewhere.start({ serial: 'proc01', bootstrap: one.bootstrap });
      const { err } = await second.says(/has no client certificate yet/) as unknown as { err: { message: string } };
      expect(err.message).toContain('was denied (EnrolmentUsed)');
      await second.end('SIGKILL');
    });
  });

  describe('its certificates', () => {
    it('are renewed by the node itself when two thirds of their life are over', async () => {
      await stopped(one, 'SIGKILL');
      rmSync(one.bootstrap);
      for (const purpose of ['client', 'serving'] as const) await usePair(purpose, { fromMs: -3 * HOUR_MS, untilMs: HOUR_MS });
      const before = [pairOf('client'), pairOf('serving')];
      one.start({ bootstrap: '' });
      await until('both are renewed', () => Promise.resolve(pairOf('client') !== before[0] && pairOf('serving') !== before[1] || undefined));
      const mac = await admin.get(Kinds.MacNode, { name: 'proc01' });
      await until('the operator can ask it', async () => (await asOperator()).read(mac).then(() => true, () => undefined));
    });

    it('have expired: it says so and starts nothing, machines go on, and a new enrolment brings it back', async () => {
      await stopped(one, 'SIGKILL');
      await usePair('client', { fromMs: -3 * HOUR_MS, untilMs: -HOUR_MS });
      one.start({ bootstrap: '' });
      await one.agent?.says(/^Mac proc01 has a client certificate that expired at .*: nothing is started or reported, machines that run go on/);
      await one.agent?.says(/^the API server does not accept the identity of this agent/);
      expect(one.sim.running()).toHaveLength(1);
      await stopped(one, 'SIGTERM');
      await enrol(one);
      one.start();
      await one.agent?.says(/the client certificate is in use/);
      await untilMac('proc01', 'is fresh', ({ status }) => Date.parse(status?.lastSeen ?? '') > Date.now() - 5000);
      expect(one.sim.running()).toHaveLength(1);
      expect((await tenant.get(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-1' })).status?.phase).toBe('Running');
    });
  });

  describe('what it cannot do', () => {
    it('with a journal that cannot be written it starts nothing and says why, until it can', async () => {
      await stopped(one, 'SIGTERM');
      const journal = join(one.state, 'journal.jsonl');
      const { size } = statSync(journal);
      // The journal alone has outgrown what a file may have; the disk's other files are small.
      const blocks = Math.ceil((size + FILE_BYTES) / 512);
      fill(journal, blocks * 512);
      one.start({ shell: `trap '' XFSZ; ulimit -f ${blocks}` });
      await until('it is Ready', async () => readiness(await admin.get(Kinds.MacNode, { name: 'proc01' })) === 'AgentReady' || undefined);
      await run('vm-4');
      const mac = await untilMac('proc01', 'says why', (each) => readiness(each) === 'JournalUnwritable');
      expect(mac.status?.vmCount).toBe(1);
      await stopped(one, 'SIGTERM');
      one.start();
      await untilInstance('vm-4', 'Running');
    });

    it('of what it runs a fleet operator may stop one, and its tenant is told', async () => {
      await untilMac('proc01', 'shows both', ({ status }) => status?.vmCount === 2);
      const { metadata: { uid } } = await tenant.get(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-4' });
      const stop = await macrack('agent', 'stop', uid, ...await access('fleet', await world.plane.identify(FLEET_OPERATOR))).ended;
      expect([stop.code, stop.stderr]).toEqual([0, '']);
      expect(JSON.parse(stop.stdout)).toMatchObject({ instanceUID: uid, state: 'Stopped' });
      expect((await untilInstance('vm-4', 'Failed')).status?.reason).toBe('StoppedByOperator');
    });

    it('with a kernel that allows more than two machines it asks for no certificate and registers nothing', async () => {
      const four = newHost('proc04');
      four.sim.set({ kernelQuota: 4 });
      four.start({ bootstrap: one.bootstrap });
      await four.agent?.says(/allows 4 macOS machines and the licence 2 \(rule 1\): it is not registered/);
      expect(existsSync(join(four.state, 'client'))).toBe(false);
      expect(await admin.tryGet(Kinds.Node, { name: 'mac-proc04' })).toBeNull();
      expect(await four.agent?.end('SIGTERM')).toBe(0);
    });

  });

  describe('at the end of the lease', () => {
    it('confirms the wipe, and the operator, who asks it, lets the Mac go', async () => {
      await tenant.remove(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ci' });
      await world.passFloor('tenant-a', 'ci');
      await until('the lease is gone', async () => (await tenant.tryGet(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ci' })) === null || undefined);
      expect([one.sim.running(), one.sim.bundles()]).toEqual([[], []]);
      expect(await admin.tryGet(Kinds.MacNodeBinding, { name: 'proc01' })).toBeNull();
      const { status } = await admin.get(Kinds.MacNode, { name: 'proc01' });
      expect(status?.journal?.at(-1)).toMatchObject({ event: 'Wiped', tenant: 'tenant-a', vmCount: 0 });
    });
  });
});

/** Lengthens a journal by lines that say nothing, to just below `bytes`. */
function fill(journal: string, bytes: number): void {
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  let text = '';
  for (let line = lines.length + 1; ; line += 1) {
    const next = `${JSON.stringify({ line, boot: 'filled', body: { kind: 'Probe' } })}\n`;
    if (statSync(journal).size + text.length + next.length > bytes) break;
    text += next;
  }
  appendFileSync(journal, text);
}
