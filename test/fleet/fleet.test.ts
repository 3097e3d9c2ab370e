import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { parse } from 'yaml';
import { simHypervisor, startAgent, type RunningAgent } from '../../agent';
import { ADMIN } from '../../realplane/identities';
import { storageKey } from '../../realplane/etcd-store';
import { kubectl } from '../../realplane/kubectl';
import { startRealDevelopment, type RealDevelopment } from '../../realplane/real-development';
import { Kinds, type MacNode, type MacNodeLease, type MacOSInstance } from '../../sdk/api/kinds';
import type { NewObject } from '../../sdk/api/object';
import { connect } from '../../sdk/client';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import { until } from '../../sdk/client/until';
import { macrack } from '../cli/command';
import { describeRealPlane } from '../harness/real-plane-suite';
import { askCertificate, CLIENT, newKeys, SERVING, type CertificateAsked } from './certificates';

// Kubernetes leaves the pods of a node that is gone alone for forty seconds, and looks every twenty.
const COLLECTED_S = 270;
const logger = pino({ level: 'silent' });
const LOOPBACK = '127.0.0.1';
const HARDWARE = '0F0F0F0F-0000-4000-8000-00000000C02A';
const [DEAD, LIVE] = ['sim0001', 'sim0002'] as const;

describeRealPlane('a fleet on Kubernetes 1.37, and its administrator', () => {
  let world: RealDevelopment;
  let admin: ControlPlane;
  let tenant: ControlPlane;
  let directory: string;
  const clients: ControlPlane[] = [];
  const agents: RunningAgent[] = [];

  const mac = async (...args: string[]) => macrack('mac', ...args, '--kubeconfig', world.kubeconfigs[ADMIN] ?? '').ended;
  const macNode = (serial: string): Promise<MacNode> => admin.get(Kinds.MacNode, { name: serial });
  const lease = (name: string): Promise<MacNodeLease | null> => tenant.tryGet(Kinds.MacNodeLease, { namespace: 'tenant-a', name });
  const untilLease = (name: string, what: string, holds: (lease: MacNodeLease) => boolean, seconds?: number) => until(`lease ${name} ${what}`, async () => {
    const found = await lease(name);
    return found !== null && holds(found) ? found : undefined;
  }, seconds);
  const isPhase = (phase: string) => (found: MacNodeLease) => found.status?.phase === phase;
  const createLease = (name: string, spec: object) => tenant.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-a', name }, spec });
  const instance = (name: string, leaseName: string): NewObject => ({ metadata: { namespace: 'tenant-a', name }, spec: { leaseName, image: 'ghcr.io/acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } } });
  const untilInstance = (name: string, phase: string): Promise<MacOSInstance> => until(`${name} is ${phase}`, async () => {
    const found = await tenant.get(Kinds.MacOSInstance, { namespace: 'tenant-a', name });
    return found.status?.phase === phase ? found : undefined;
  });
  const simulated = (serial: string) => {
    const found = world.macs.get(serial);
    if (found === undefined) throw new Error(`no Mac ${serial}`);
    return found;
  };

  /** Starts an agent on a Mac whose first one was stopped, with the certificates of that Mac. */
  async function wake(serial: string): Promise<RunningAgent> {
    const plane = await world.connectAs(`system:node:mac-${serial}`);
    clients.push(plane);
    const api = { host: LOOPBACK, port: 0, clientCa: world.plane.ca, ...await world.plane.serve({ dns: [`mac-${serial}`], ips: [LOOPBACK] }) };
    const agent = startAgent({ plane, serial, hypervisor: simHypervisor(simulated(serial).mac), api, journalFile: join(world.plane.directory, `mac-${serial}.journal`), log: logger });
    agents.push(agent);
    return agent;
  }

  /** Makes the last report of an agent look a minute old, in the store. */
  const silence = (serial: string) => world.plane.store.edit(storageKey('macrack.io', 'macnodes', serial), (stored) => {
    const status = stored.status as { lastSeen: string };
    return { ...stored, status: { ...status, lastSeen: new Date(Date.parse(status.lastSeen) - 60_000).toISOString().replace(/\.\d+Z/, 'Z') } };
  });

  async function certified(asked: CertificateAsked & { readonly plane: ControlPlane; readonly name: string }): Promise<{ condition: string; certificate?: string }> {
    await askCertificate(asked);
    return until(`request ${asked.name} is decided and, if approved, signed`, async () => {
      const { status } = await admin.get(Kinds.CertificateSigningRequest, { name: asked.name });
      const decided = status?.conditions?.find(({ type }) => type === 'Approved' || type === 'Denied');
      if (decided?.type === 'Denied') return { condition: `Denied ${decided.reason ?? ''}` };
      return status?.certificate === undefined ? undefined : { condition: 'Approved', certificate: Buffer.from(status.certificate, 'base64').toString() };
    });
  }

  async function as(kubeconfig: string, name: string): Promise<ControlPlane> {
    const file = join(directory, name);
    writeFileSync(file, kubeconfig);
    const plane = await connect({ configPath: file });
    clients.push(plane);
    return plane;
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-fleet-'));
    world = await startRealDevelopment({ logger, macs: [{ serial: DEAD, class: 'base' }, { serial: LIVE, class: 'pro' }] });
    [admin, tenant] = [await world.connectAs(ADMIN), await world.connectAs('tenant-a')];
  });
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.stop()));
    [...clients, admin, tenant].forEach((client) => client?.close());
    await world?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  describe('a Mac that dies under its lease', () => {
    it('is not retired while it reports: it would wipe itself', async () => {
      await createLease('ci', { class: 'base' });
      await untilLease('ci', 'is bound', isPhase('Bound'));
      await tenant.create(Kinds.MacOSInstance, instance('vm-1', 'ci'));
      await untilInstance('vm-1', 'Running');
      const { code, stderr } = await mac('retire', DEAD);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`Mac ${DEAD} is leased and its agent reports`)]);
      expect((await macNode(DEAD)).spec.retired).toBe(false);
    });

    it('is in the report of orphans when its agent is silent', async () => {
      expect(await mac('orphans')).toMatchObject({ code: 0 });
      await simulated(DEAD).agent.stop();
      await silence(DEAD);
      const { code, stdout } = await mac('orphans', '-o', 'json');
      expect([code, JSON.parse(stdout)]).toEqual([2, [expect.objectContaining({ kind: 'MacWithoutAgent', serial: DEAD, since: (await macNode(DEAD)).status?.lastSeen })]]);
      expect((await mac('list')).stdout).toMatch(new RegExp(`${DEAD} +base +Silent +tenant-a/ci +1 +`));
    });

    it('is retired by its administrator; the lease is billed until its floor all the same', async () => {
      const { code, stdout } = await mac('retire', DEAD);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/is retired.*Lease tenant-a\/ci has it, and is billed, until its floor at 20.*Z at the earliest/)]);
      await untilLease('ci', 'says so', ({ status }) => status?.reason === 'MacRetired');
      await tenant.patch(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'ci' }, { spec: { release: true } });
      await untilLease('ci', 'is held', isPhase('Held'));
    });

    it('keeps its node and its pod before that against an administrator: nothing feigns their end', async () => {
      const pod = ['-n', 'tenant-a', 'pod', 'ci-vm-0'];
      const attempts = await Promise.all([
        kubectl(world.plane, ADMIN, ['delete', 'node', `mac-${DEAD}`, '--wait=false']),
        kubectl(world.plane, ADMIN, ['taint', 'node', `mac-${DEAD}`, 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute']),
        kubectl(world.plane, ADMIN, ['delete', ...pod, '--grace-period=0', '--force', '--wait=false']),
        kubectl(world.plane, ADMIN, ['patch', ...pod, '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Failed"}}']),
      ]);
      for (const { code, err } of attempts) expect([code, err]).toEqual([1, expect.stringContaining('denied request: macrack:')]);
      expect((await admin.get(Kinds.Pod, { namespace: 'tenant-a', name: 'ci-vm-0' })).status?.phase).toBe('Running');
    });

    it('leaves the cluster past the floor: its node goes, and Kubernetes begins to collect its pod', async () => {
      await world.passFloor('tenant-a', 'ci');
      await until('its node is gone', async () => (await admin.tryGet(Kinds.Node, { name: `mac-${DEAD}` })) === null || undefined);
      expect((await lease('ci'))?.status?.phase).toBe('Releasing');
    });

    it('registers nothing and starts nothing when it wakes', async () => {
      await wake(DEAD);
      await until('it says that it is retired', async () => (await macNode(DEAD)).status?.conditions?.find(({ type }) => type === 'Ready')?.reason === 'Retired' || undefined);
      expect(await admin.tryGet(Kinds.Node, { name: `mac-${DEAD}` })).toBeNull();
    });
  });

  describe('a Mac that joins', () => {
    let kubeconfig = '';
    let bootstrap: ControlPlane;
    let node: ControlPlane;
    const subject = [{ O: ['system:nodes'] }, { CN: ['system:node:mac-c02new'] }];
    const asking = { subject, hardwareUUID: HARDWARE, signerName: CLIENT };

    it('is enrolled by a command that gives out a bootstrap kubeconfig, the same when it is asked twice', async () => {
      const first = await mac('enrol', 'C02NEW', '--class', 'studio', '--hardware-uuid', HARDWARE.toLowerCase());
      expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/Mac c02new is enrolled as class studio[^]*Next, on the Mac/)]);
      kubeconfig = first.stdout;
      const file = join(directory, 'again');
      expect((await mac('enrol', 'c02new', '--out', file)).code).toBe(0);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([kubeconfig, 0o600]);
      const { users } = parse(kubeconfig) as { users: { user: { token: string } }[] };
      const { metadata, spec } = await macNode('c02new');
      expect([metadata.annotations?.['macrack.io/enrolment'], spec]).toEqual([users[0]?.user.token.split('.')[0], { class: 'studio', serial: 'c02new', hardwareUUID: HARDWARE, cordoned: false, retired: false }]);
      expect((await mac('list')).stdout).toMatch(/c02new +studio +Enrolled +- +0 +never/);
    });

    it('gets its certificate for that token, once, on that hardware', async () => {
      bootstrap = await as(kubeconfig, 'bootstrap');
      const keys = await newKeys();
      expect((await certified({ plane: bootstrap, name: 'elsewhere', ...asking, hardwareUUID: 'another' })).condition).toBe('Denied HardwareMismatch');
      const { certificate, condition } = await certified({ plane: bootstrap, name: 'first', ...asking, keys });
      expect(condition).toBe('Approved');
      expect((await certified({ plane: bootstrap, name: 'thief', ...asking })).condition).toBe('Denied EnrolmentUsed');
      node = await connect({ host: world.plane.url, clusterCaCertificate: world.plane.ca, clientCertificate: certificate ?? '', clientKey: await keys.pem(), env: {} });
      clients.push(node);
      expect((await node.get(Kinds.MacNode, { name: 'c02new' })).spec.serial).toBe('c02new');
      await expect(bootstrap.get(Kinds.MacNode, { name: 'c02new' })).rejects.toMatchObject({ detail: { code: 403 } });
    });

    it('renews it as itself, and serves under its own name and reported address only', async () => {
      await node.patch(Kinds.MacNode, { name: 'c02new' }, { status: { agentEndpoint: 'https://192.0.2.7:10250' } }, { subresource: 'status' });
      expect((await certified({ plane: node, name: 'renewal', ...asking })).condition).toBe('Approved');
      const serving = { ...asking, signerName: SERVING };
      const own = { type: 'dns', value: 'mac-c02new' } as const;
      expect((await certified({ plane: node, name: 'serving', ...serving, names: [own, { type: 'ip', value: '192.0.2.7' }] })).condition).toBe('Approved');
      expect((await certified({ plane: node, name: 'serving-more', ...serving, names: [own, { type: 'dns', value: 'mac-sim0002' }] })).condition).toBe('Denied UnexpectedNames');
      // Kubernetes itself refuses it a request of that name.
      const neighbour = askCertificate({ plane: node, name: 'neighbour', ...asking, subject: [{ O: ['system:nodes'] }, { CN: ['system:node:mac-sim0002'] }] });
      await expect(neighbour).rejects.toThrow('can only create a node CSR with CN=system:node:mac-c02new');
    });

    it('gets none while it is retired, and one more when it is enrolled again', async () => {
      expect((await mac('retire', 'c02new')).stdout).toContain('It was not leased');
      expect((await certified({ plane: node, name: 'retired', ...asking })).condition).toBe('Denied Retired');
      await until('the token is worth nothing', async () => bootstrap.get(Kinds.CertificateSigningRequest, { name: 'first' }).then(() => undefined, (error: unknown) => isFault(error, 'Unauthorized') || undefined));
      const again = await as((await mac('enrol', 'c02new')).stdout, 'again-bootstrap');
      expect((await certified({ plane: again, name: 'returned', ...asking })).condition).toBe('Approved');
    });

    it('is enrolled with another logic board on purpose only, and the former board gets nothing more', async () => {
      const other = '0F0F0F0F-0000-4000-8000-00000000BEEF';
      expect(await mac('enrol', 'c02new', '--hardware-uuid', other)).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace-hardware') as string });
      const swapped = await as((await mac('enrol', 'c02new', '--hardware-uuid', other, '--replace-hardware')).stdout, 'swapped-bootstrap');
      expect((await certified({ plane: node, name: 'former', ...asking })).condition).toBe('Denied HardwareMismatch');
      expect((await certified({ plane: swapped, name: 'swapped', ...asking, hardwareUUID: other })).condition).toBe('Approved');
    });

    it('is refused what is no serial, no class or no UUID, in one sentence', async () => {
      for (const args of [['C02-NEW', '--class', 'base'], ['c02x', '--class', 'huge'], ['c02x', '--class', 'base', '--hardware-uuid', '1'], ['c02x']]) {
        const { code, stderr } = await mac('enrol', ...args);
        expect([code, stderr.trim().split('\n')[0]]).toEqual([1, expect.stringMatching(/^(error|macrack): /)]);
      }
      expect(await admin.tryGet(Kinds.MacNode, { name: 'c02x' })).toBeNull();
    });
  });

  describe('a Mac in service', () => {
    it('is not leased while its agent cannot be asked, and the lease says so without a name', async () => {
      await simulated(LIVE).agent.stop();
      await createLease('pro', { class: 'pro' });
      const { status } = await untilLease('pro', 'says why', (found) => found.status?.reason === 'AgentUnavailable');
      expect([status?.phase, status?.message]).toEqual(['Pending', expect.not.stringContaining('sim') as string]);
      expect(await admin.tryGet(Kinds.MacNodeBinding, { name: LIVE })).toBeNull();
      await (await wake(LIVE)).ready;
      await untilLease('pro', 'is bound', isPhase('Bound'));
    });

    it('goes on with its lease when it is cordoned, restarts included, and takes no other', async () => {
      expect(await mac('cordon', LIVE)).toMatchObject({ code: 0 });
      expect((await mac('list')).stdout).toMatch(new RegExp(`${LIVE} +pro +Ready, Cordoned +tenant-a/pro`));
      await tenant.create(Kinds.MacOSInstance, instance('pro-vm', 'pro'));
      await untilInstance('pro-vm', 'Running');
      for (const [running, phase] of [[false, 'Stopped'], [true, 'Running']] as const) {
        await tenant.patch(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'pro-vm' }, { spec: { running } });
        await untilInstance('pro-vm', phase);
      }
      await tenant.patch(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'pro' }, { spec: { release: true } });
      await untilLease('pro', 'is held', isPhase('Held'));
      await world.passFloor('tenant-a', 'pro');
      await untilLease('pro', 'is released', isPhase('Released'));
      await createLease('next', { class: 'pro' });
      await untilLease('next', 'waits', ({ status }) => status?.reason === 'NoCapacity');
      expect(await mac('uncordon', LIVE)).toMatchObject({ code: 0 });
      await untilLease('next', 'is bound', isPhase('Bound'));
    });
  });

  describe('the Mac that died', () => {
    it('has lost its pod and its claim: its lease is released', async () => {
      await untilLease('ci', 'is released', isPhase('Released'), COLLECTED_S);
      expect(await admin.tryGet(Kinds.Pod, { namespace: 'tenant-a', name: 'ci-vm-0' })).toBeNull();
      expect([await admin.tryGet(Kinds.MacNodeBinding, { name: DEAD }), await tenant.tryGet(Kinds.MacOSInstance, { namespace: 'tenant-a', name: 'vm-1' })]).toEqual([null, null]);
    });

    it('takes no lease, though it is awake', async () => {
      await createLease('base', { class: 'base' });
      await untilLease('base', 'waits', ({ status }) => status?.reason === 'NoCapacity');
      expect(simulated(DEAD).mac.running()).toHaveLength(1);
    });

    it('comes back when it is enrolled again: it ends what it still ran, wipes it, and is leased', async () => {
      expect(await mac('enrol', DEAD)).toMatchObject({ code: 0 });
      const { status } = await untilLease('base', 'is bound', isPhase('Bound'));
      expect([status?.chassis, simulated(DEAD).mac.running(), simulated(DEAD).mac.bundles()]).toEqual([DEAD, [], []]);
    });
  });
});
