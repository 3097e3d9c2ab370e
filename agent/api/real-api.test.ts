import { Client } from 'undici';
import type { MacNode } from '../../sdk/api';
import { AgentClient, AgentRefused, AgentUnavailable, httpsAgentReader, type AgentCredentials } from '../../sdk/client';
import { createTestAuthority, type PemPair, type TestAuthority } from '../testing/authority';
import { NODE, Rig, SERIAL } from '../testing/rig';
import type { RunningAgent } from '../start-agent';

const LOOPBACK = { host: '127.0.0.1', port: 0 };

let authority: TestAuthority;
let serving: PemPair;
let operator: AgentCredentials;
let fleet: AgentCredentials;
const credentialsOf = (pair: PemPair): AgentCredentials => ({ ca: authority.ca, ...pair });

beforeAll(async () => {
  authority = await createTestAuthority();
  serving = await authority.issue(`system:node:${NODE}`, { dns: [NODE], ips: ['127.0.0.1'], usage: 'server' });
  operator = credentialsOf(await authority.issue('macrack-operator', { groups: ['macrack:operators'] }));
  fleet = credentialsOf(await authority.issue('grace', { groups: ['macrack:fleet-operators'] }));
});

describe("an agent's HTTPS API", () => {
  let rig: Rig;
  let agent: RunningAgent;
  let mac: MacNode;
  let claim: string;
  const client = (credentials: AgentCredentials, serial = SERIAL): AgentClient => new AgentClient(mac.status?.agentEndpoint ?? '', serial, { credentials: () => credentials });
  const ask = async (over: Partial<AgentCredentials & { token: string }> = {}): Promise<number | string> => {
    const { ca = authority.ca, certificate: cert, key, token } = over;
    const http = new Client(mac.status?.agentEndpoint ?? '', { connect: { ca, ...(cert === undefined ? {} : { cert, key }), servername: NODE } });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return http.request({ method: 'GET', path: '/v1/state', headers }).then(({ statusCode }) => statusCode, (error: NodeJS.ErrnoException) => error.code ?? error.message).finally(() => void http.destroy());
  };

  beforeEach(async () => {
    rig = new Rig();
    await rig.enrol();
    agent = rig.start({ api: { ...LOOPBACK, ...serving, clientCa: authority.ca } });
    await agent.ready;
    await rig.keep();
    claim = (await rig.claim('tenant-a')).metadata.uid;
    mac = { apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: SERIAL, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { class: 'base', serial: SERIAL, hardwareUUID: rig.mac.hardwareUUID, cordoned: false, retired: false }, status: await rig.macStatus() };
  });
  afterEach(() => rig.end());

  const running = async (slot: number) => {
    const pod = await rig.run({ metadata: { uid: claim } } as Parameters<Rig['run']>[0], slot);
    await rig.isPhase(pod, 'Running');
    return pod;
  };

  it('has its address in the status of the MacNode', () => {
    expect(mac.status?.agentEndpoint).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  });

  it('tells the operator all of its Mac in one answer', async () => {
    await running(0);
    await expect(httpsAgentReader(operator).read(mac)).resolves.toEqual({
      serial: SERIAL, hardwareUUID: rig.mac.hardwareUUID, bootID: rig.mac.bootID, bindingUID: claim, capacity: { max: 2, running: 1, kernelQuota: 2 },
      vms: [{ name: 'macrack-uid-vm0', instanceUID: 'uid-vm0', machineID: expect.any(String) as string, mac: expect.any(String) as string, state: 'Running' }],
      disks: [{ instanceUID: 'uid-vm0' }],
    });
  });

  it('shows machines that nobody can explain, and counts them', async () => {
    rig.mac.createBundle('by-hand');
    await rig.mac.boot('by-hand');
    expect(await client(fleet).capacity()).toEqual({ max: 2, running: 1, kernelQuota: 2 });
    expect(await client(fleet).instances()).toMatchObject([{ name: 'by-hand', state: 'Running' }]);
  });

  it('tells an instance by its UID, and 404 of any other', async () => {
    const pod = await running(0);
    expect(await client(fleet).instance('uid-vm0')).toMatchObject({ state: 'Running', podUID: pod.metadata.uid, bindingUID: claim, tenant: 'tenant-a' });
    await expect(client(fleet).instance('other')).rejects.toMatchObject({ code: 404 });
  });

  it('stops a machine for a fleet operator, twice without complaint; its pod ends Failed and the journal says why', async () => {
    const pod = await running(0);
    await client(fleet).stop('uid-vm0');
    expect(rig.mac.running()).toEqual([]);
    await client(fleet).stop('uid-vm0');
    await rig.isPhase(pod, 'Failed');
    expect(await rig.podStatus(pod)).toMatchObject({ reason: 'StoppedByOperator' });
    const { entries } = await client(fleet).journal(1);
    expect(entries).toMatchObject([{ event: 'Stopped', instanceUID: 'uid-vm0', reason: 'StoppedByOperator' }]);
  });

  it('stops nothing of another claim than the one that was named', async () => {
    await running(0);
    await expect(client(fleet).stop('uid-vm0', 'another-claim')).rejects.toMatchObject({ code: 409 });
    expect(rig.mac.running()).toHaveLength(1);
    await client(fleet).stop('uid-vm0', claim);
    expect(rig.mac.running()).toEqual([]);
  });

  it('stops a machine that the journal does not know, and journals that', async () => {
    rig.mac.createBundle('macrack-lost');
    await rig.mac.boot('macrack-lost');
    await client(fleet).stop('lost');
    expect(rig.mac.running()).toEqual([]);
    expect((await client(fleet).journal(0)).entries).toMatchObject([{ event: 'Stopped', instanceUID: 'lost', podUID: '', vmCount: 0 }]);
  });

  it('keeps the heads of the audit record that the operator hands out, each once, and takes none from others', async () => {
    for (const head of [{ seq: 1 }, { seq: 2 }, { seq: 2 }]) await client(operator).putAuditHead(head);
    await expect(client(fleet).putAuditHead({ seq: 3 })).rejects.toMatchObject({ code: 403 });
    expect(await client(fleet).auditHeads()).toEqual({ heads: [{ seq: 1 }, { seq: 2 }] });
  });

  it('answers 403 to a tenant, to a node and to a name that only looks like the operator', async () => {
    for (const [name, groups] of [['tenant-a', []], [`system:node:${NODE}`, ['system:nodes']], ['macrack-operators', ['macrack:operators']], ['x', ['system:masters']]] as const) {
      expect(await ask(await authority.issue(name, { groups }))).toBe(403);
    }
  });

  it.each([
    ['no certificate', () => Promise.resolve({})],
    ['no certificate but a token', () => Promise.resolve({ token: 'abc' })],
    ['an expired certificate of the operator', () => authority.issue('macrack-operator', { fromMs: -2000, untilMs: -1000 })],
    ["another authority's certificate of the operator", async () => (await createTestAuthority()).issue('macrack-operator')],
    ['a serving certificate', () => authority.issue('macrack-operator', { usage: 'server' })],
  ])('refuses %s in the handshake', async (_what, make) => {
    expect(await ask(await make())).toMatch(/ALERT|ECONNRESET|UND_ERR_SOCKET|EPIPE/);
  });

  it('serves a renewed certificate to the next connection, without a restart', async () => {
    const other = await createTestAuthority('the next authority');
    const renewed = await other.issue(`system:node:${NODE}`, { dns: [NODE], usage: 'server' });
    await agent.serve({ ...LOOPBACK, ...renewed, clientCa: authority.ca });
    await expect(httpsAgentReader(operator).read(mac)).rejects.toThrow(/authority that is not trusted/);
    await expect(httpsAgentReader({ ...operator, ca: other.ca }).read(mac)).resolves.toMatchObject({ serial: SERIAL });
  });

  it('gives no half state: with a silent hypervisor it cannot be asked', async () => {
    rig.mac.faults.unavailable = 'the hypervisor is away';
    await expect(httpsAgentReader(operator).read(mac)).rejects.toThrow(/answers 503: the hypervisor is away/);
  });

  it('is not asked where its certificate is of another Mac', async () => {
    const elsewhere: MacNode = { ...mac, spec: { ...mac.spec, serial: 'c02other' } };
    const fault: unknown = await httpsAgentReader(operator).read(elsewhere).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(AgentUnavailable);
    expect((fault as Error).message).toBe('the agent of Mac c02other cannot be asked: its certificate is not of mac-c02other (ERR_TLS_CERT_ALTNAME_INVALID)');
  });

  it('tells a client that is not allowed why', async () => {
    const tenant = credentialsOf(await authority.issue('tenant-a'));
    await expect(client(tenant).capacity()).rejects.toBeInstanceOf(AgentRefused);
    await expect(httpsAgentReader(tenant).read(mac)).rejects.toThrow(/^the agent of Mac c02abc cannot be asked: .* answers 403: an agent answers certificates with/);
  });

  it('cannot be asked once it has stopped', async () => {
    await rig.stopAgents();
    await expect(httpsAgentReader(operator).read(mac)).rejects.toThrow(/nothing listens at https:/);
  });
});

describe('asking an agent', () => {
  const mac = (agentEndpoint?: string) => ({ spec: { serial: SERIAL }, status: { ...(agentEndpoint && { agentEndpoint }) } }) as MacNode;

  it.each([
    ['has no address', undefined, /it has not reported an address/],
    ['reports plain HTTP', 'http://127.0.0.1:1', /is not https/],
    ['reports no URL', 'here', /is not https/],
    ['reports more than an address', 'https://u:p@127.0.0.1:1/x', /is not https/],
  ])('is refused where it %s', async (_what, endpoint, message) => {
    await expect(httpsAgentReader(operator).read(mac(endpoint))).rejects.toThrow(message);
  });
});
