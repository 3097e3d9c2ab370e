import { Annotation, Kinds, type CertificateSigningRequest } from '../../../sdk/api';
import { AuditType } from '../../audit/audit-log';
import { certificateRequest, newKeys, type Requested } from '../../testing/certificate-request';
import { Mortal, type KillPoint } from '../../testing/interrupted';
import { Rig, until } from '../../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const USAGES: Record<string, string[]> = { [CLIENT]: ['digital signature', 'client auth'], [SERVING]: ['digital signature', 'server auth'] };
const MAC = 'system:node:mac-c02a';
const TOKEN = 'system:bootstrap:abc123';
const own = { type: 'dns', value: 'mac-c02a' } as const;

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.open('c02a');
  await rig.plane.patch(Kinds.MacNode, { name: 'c02a' }, { metadata: { annotations: { [Annotation.Enrolment]: 'abc123' } } });
  await rig.operate();
});
afterEach(() => rig.close());

interface Ask extends Requested {
  readonly signerName?: string;
  readonly username?: string;
  readonly groups?: string[];
  readonly usages?: string[];
  readonly hardwareUUID?: string;
}

async function ask(name: string, { signerName = CLIENT, username = MAC, groups = [], usages = USAGES[signerName] ?? [], hardwareUUID = 'hw-c02a', ...requested }: Ask = {}): Promise<void> {
  const spec = { request: await certificateRequest(requested), signerName, username, groups, usages };
  await rig.plane.create(Kinds.CertificateSigningRequest, { metadata: { name, annotations: { [Annotation.HardwareUUID]: hardwareUUID } }, spec });
}

const read = (name: string): CertificateSigningRequest | null => rig.plane.peek(Kinds.CertificateSigningRequest, { name });

async function verdict(name: string): Promise<string> {
  await until(`request ${name} is decided`, () => read(name)?.status?.conditions !== undefined);
  const [condition] = read(name)?.status?.conditions ?? [];
  return `${condition?.type} ${condition?.reason}`;
}

/** What the operator has left alone by the time that it has decided a later request. */
async function isUntouched(name: string): Promise<boolean> {
  await ask(`after-${name}`);
  await verdict(`after-${name}`);
  return read(name)?.status === undefined;
}

describe('the first certificate of a Mac', () => {
  it('is approved for the token of its enrolment', async () => {
    await ask('first', { username: TOKEN });
    expect(await verdict('first')).toBe('Approved MacEnrolled');
    const rows = await rig.audit.rows({ type: AuditType.CertificateApproved });
    expect(rows.map((r) => [r.serial, r.actor, r.payload['enrolment'], r.payload['request']])).toEqual([['c02a', TOKEN, 'abc123', 'first']]);
  });

  it('is issued once an enrolment: a second key is refused, the same key is the same agent', async () => {
    const keys = await newKeys();
    await ask('first', { username: TOKEN, keys });
    expect(await verdict('first')).toBe('Approved MacEnrolled');
    await ask('again', { username: TOKEN, keys });
    expect(await verdict('again')).toBe('Approved MacEnrolled');
    await ask('thief', { username: TOKEN });
    expect(await verdict('thief')).toBe('Denied EnrolmentUsed');
    expect(read('thief')?.status?.conditions?.[0]?.message).toBe('macrack: the enrolment of Mac c02a has had its certificate: enrol it again with macrack mac enrol c02a');
  });

  it('goes to one of two that ask at once', async () => {
    await Promise.all(['one', 'two'].map((name) => ask(name, { username: TOKEN })));
    expect([await verdict('one'), await verdict('two')].sort()).toEqual(['Approved MacEnrolled', 'Denied EnrolmentUsed']);
  });

  it('is issued again after the Mac was enrolled again', async () => {
    await ask('first', { username: TOKEN });
    await verdict('first');
    await rig.plane.patch(Kinds.MacNode, { name: 'c02a' }, { metadata: { annotations: { [Annotation.Enrolment]: 'def456' } } });
    await ask('stale', { username: TOKEN });
    expect(await verdict('stale')).toBe('Denied OtherEnrolment');
    await ask('fresh', { username: 'system:bootstrap:def456' });
    expect(await verdict('fresh')).toBe('Approved MacEnrolled');
  });

  it('is refused to the token of another enrolment, to other hardware, and to a Mac that is not enrolled or retired', async () => {
    await ask('other-token', { username: 'system:bootstrap:zzz999' });
    expect(await verdict('other-token')).toBe('Denied OtherEnrolment');
    await ask('other-hardware', { username: TOKEN, hardwareUUID: 'hw-of-another' });
    expect(await verdict('other-hardware')).toBe('Denied HardwareMismatch');
    await ask('stranger', { username: TOKEN, subject: [{ O: ['system:nodes'] }, { CN: ['system:node:mac-c02z'] }] });
    expect(await verdict('stranger')).toBe('Denied NotEnrolled');
    await rig.plane.patch(Kinds.MacNode, { name: 'c02a' }, { spec: { retired: true } });
    await ask('retired', { username: TOKEN });
    expect(await verdict('retired')).toBe('Denied Retired');
  });
});

describe('an operator that is killed', () => {
  const LABELS = [`append ${AuditType.CertificateApproved}#1`, 'patch CertificateSigningRequest/status#1'];

  it.each(LABELS.flatMap((label) => (['before', 'after'] as const).map((moment): KillPoint => ({ label, moment }))))('$moment "$label" leaves the approval to the next one, which records it once', async (point) => {
    await rig.close();
    rig = await Rig.open('c02a');
    await rig.plane.patch(Kinds.MacNode, { name: 'c02a' }, { metadata: { annotations: { [Annotation.Enrolment]: 'abc123' } } });
    const mortal = new Mortal(point);
    const killed = await rig.operate(mortal);
    await ask('first', { username: TOKEN });
    await until('it is dead', () => mortal.dead);
    void killed.stop();
    await rig.operate();
    expect(await verdict('first')).toBe('Approved MacEnrolled');
    expect(await rig.audit.rows({ type: AuditType.CertificateApproved })).toHaveLength(1);
  });
});

describe('the certificates of a Mac that has one', () => {
  it('are renewed for the node itself, as often as it asks, and for no other node', async () => {
    for (const name of ['one', 'two']) {
      await ask(name);
      expect(await verdict(name)).toBe('Approved MacEnrolled');
    }
    await ask('neighbour', { username: 'system:node:mac-c02b' });
    expect(await verdict('neighbour')).toBe('Denied UnexpectedRequester');
    await ask('admin', { username: 'admin' });
    expect(await verdict('admin')).toBe('Denied UnexpectedRequester');
  });

  it('stop with its retirement, and with another logic board', async () => {
    await ask('board', { hardwareUUID: 'hw-new' });
    expect(await verdict('board')).toBe('Denied HardwareMismatch');
    await rig.plane.patch(Kinds.MacNode, { name: 'c02a' }, { spec: { retired: true } });
    await ask('retired');
    expect(await verdict('retired')).toBe('Denied Retired');
  });

  it('serve under the name of the node and the host of its reported endpoint, and wait for that report', async () => {
    const address = { type: 'ip', value: '10.0.0.7' } as const;
    await ask('early', { signerName: SERVING, names: [own, address] });
    expect(await isUntouched('early')).toBe(true);
    await rig.macs[0]?.report({ agentEndpoint: 'https://10.0.0.7:10250' });
    expect(await verdict('early')).toBe('Approved MacEnrolled');
    await ask('wide', { signerName: SERVING, names: [own, address, { type: 'dns', value: 'api.example.com' }] });
    expect(await verdict('wide')).toBe('Denied UnexpectedNames');
    await ask('other-ip', { signerName: SERVING, names: [own, { type: 'ip', value: '10.0.0.8' }] });
    expect(await verdict('other-ip')).toBe('Denied UnexpectedNames');
    await ask('nameless', { signerName: SERVING, names: [address] });
    expect(await verdict('nameless')).toBe('Denied UnexpectedNames');
    await ask('by-token', { signerName: SERVING, names: [own], username: TOKEN });
    expect(await verdict('by-token')).toBe('Denied UnexpectedRequester');
  });

  it('know an IPv6 address in any spelling', async () => {
    await rig.macs[0]?.report({ agentEndpoint: 'https://[fd00:0:0:0::7]:10250' });
    await ask('six', { signerName: SERVING, names: [own, { type: 'ip', value: 'fd00::7' }] });
    expect(await verdict('six')).toBe('Approved MacEnrolled');
  });
});

describe('a request that asks for more', () => {
  const node = { CN: ['system:node:mac-c02a'] };
  it.each<[string, Ask, string]>([
    ['another group', { subject: [{ O: ['system:masters'] }, node] }, 'UnexpectedSubject'],
    ['a second group', { subject: [{ O: ['system:nodes'] }, { O: ['system:masters'] }, node] }, 'UnexpectedSubject'],
    ['another part of the subject', { subject: [{ O: ['system:nodes'] }, { OU: ['fleet'] }, node] }, 'UnexpectedSubject'],
    ['a node that is no Mac, with our token', { subject: [{ O: ['system:nodes'] }, { CN: ['system:node:worker-1'] }], username: TOKEN, groups: ['system:bootstrappers:macrack'] }, 'UnexpectedSubject'],
    ['a node that is no Mac, as a Mac', { subject: [{ O: ['system:nodes'] }, { CN: ['system:node:worker-1'] }] }, 'UnexpectedSubject'],
    ['to serve as well', { usages: ['digital signature', 'client auth', 'server auth'] }, 'UnexpectedUsages'],
    ['no usages', { usages: [] }, 'UnexpectedUsages'],
    ['a client certificate with names', { names: [own] }, 'UnexpectedNames'],
    ['a mail address', { names: [{ type: 'email', value: 'root@example.com' }] }, 'UnexpectedNames'],
  ])('is denied: %s', async (_what, asked, reason) => {
    await ask('more', asked);
    expect(await verdict('more')).toBe(`Denied ${reason}`);
    expect((await rig.audit.rows({ type: AuditType.CertificateDenied })).map((r) => r.payload['reason'])).toEqual([reason]);
  });

  it.each<[string, (own: string, foreign: string) => string]>([
    ['another begins where only a strict reader looks', (ours, foreign) => `x${ours}\n${foreign}`],
    ['another follows', (ours, foreign) => `${ours}\n${foreign}`],
    ['text stands before it', (ours) => `note\n${ours}`],
    ['it has headers', (ours) => ours.replace('REQUEST-----\n', 'REQUEST-----\nProc-Type: 4\n\n')],
  ])('is denied when what we read need not be what is signed: %s', async (_what, compose) => {
    const pem = async (requested: Requested): Promise<string> => Buffer.from(await certificateRequest(requested), 'base64').toString();
    const text = compose(await pem({}), await pem({ subject: [{ O: ['system:nodes'] }, { CN: ['system:node:worker-1'] }] }));
    const spec = { request: Buffer.from(text).toString('base64'), signerName: CLIENT, username: MAC, groups: [], usages: USAGES[CLIENT] };
    await rig.plane.create(Kinds.CertificateSigningRequest, { metadata: { name: 'two', annotations: { [Annotation.HardwareUUID]: 'hw-c02a' } }, spec });
    expect(await verdict('two')).toBe('Denied Unreadable');
  });

  it('is denied when it is no request at all', async () => {
    await rig.plane.create(Kinds.CertificateSigningRequest, { metadata: { name: 'noise' }, spec: { request: 'bm9pc2U=', signerName: CLIENT, username: MAC, usages: USAGES[CLIENT] } });
    expect(await verdict('noise')).toBe('Denied Unreadable');
  });
});

describe('requests that are not of the fleet', () => {
  it.each<[string, Ask]>([
    ['another signer', { signerName: 'kubernetes.io/kube-apiserver-client', username: 'alice', usages: ['client auth'], subject: [{ CN: ['system:node:mac-c02a'] }] }],
    ['another node of the cluster', { username: 'system:bootstrap:kubead', groups: ['system:bootstrappers:kubeadm:default-node-token'], subject: [{ O: ['system:nodes'] }, { CN: ['system:node:worker-1'] }] }],
  ])('are left alone: %s', async (_what, asked) => {
    await ask('foreign', asked);
    expect(await isUntouched('foreign')).toBe(true);
  });
});
