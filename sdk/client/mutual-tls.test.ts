import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kinds } from '../api';
import { connect, type ConnectOptions, type ControlPlane } from './index';
import { newAuthority, type Authority, type PemPair } from './testing/certificates';
import { StubApi } from './testing/stub-api';
import { temporaryFile } from './testing/temporary-file';

let authority: Authority;
let operator: PemPair;
let stub: StubApi;
const planes: ControlPlane[] = [];

beforeAll(async () => {
  authority = await newAuthority('macrack-test');
  operator = await authority.issue('CN=macrack-operator,O=macrack:operators');
  const server = await authority.issue('CN=kube-apiserver', '127.0.0.1');
  stub = await new StubApi(() => ({ json: { items: [], metadata: { resourceVersion: '1' } } }), { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true }).start();
});
afterEach(() => {
  for (const plane of planes.splice(0)) plane.close();
});
afterAll(() => stub.kill());

async function open(options: ConnectOptions): Promise<ControlPlane> {
  const plane = await connect({ host: stub.url, env: {}, ...options });
  planes.push(plane);
  return plane;
}

it('a client certificate is the identity', async () => {
  const plane = await open({ clusterCaCertificate: authority.cert, clientCertificate: operator.cert, clientKey: operator.key });
  await plane.list(Kinds.MacNode);
  expect(stub.requests.at(-1)?.client).toBe('macrack-operator');
});

it('certificates may stand in a kubeconfig, as data or as paths beside it', async () => {
  const path = temporaryFile('config', '');
  const data = (text: string): string => Buffer.from(text).toString('base64');
  const config = (cluster: object, user: object): string =>
    JSON.stringify({ kind: 'Config', 'current-context': 'c', clusters: [{ name: 'k', cluster: { server: stub.url, ...cluster } }], contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }], users: [{ name: 'u', user }] });
  for (const [name, text] of [['ca.pem', authority.cert], ['c.pem', operator.cert], ['c.key', operator.key]] as const) writeFileSync(join(dirname(path), name), text);
  const byPath = config({ 'certificate-authority': 'ca.pem' }, { 'client-certificate': 'c.pem', 'client-key': 'c.key' });
  const byData = config({ 'certificate-authority-data': data(authority.cert) }, { 'client-certificate-data': data(operator.cert), 'client-key-data': data(operator.key) });
  for (const text of [byPath, byData]) {
    writeFileSync(path, text);
    stub.requests.length = 0;
    const plane = await connect({ configPath: path, env: {} });
    planes.push(plane);
    await plane.list(Kinds.MacNode);
    expect(stub.requests[0]?.client).toBe('macrack-operator');
  }
});

it('a renewed client certificate is used from the next request on', async () => {
  const path = temporaryFile('config', JSON.stringify({ kind: 'Config', 'current-context': 'c', clusters: [{ name: 'k', cluster: { server: stub.url, 'certificate-authority': 'ca.pem' } }], contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }], users: [{ name: 'u', user: { 'client-certificate': 'c.pem', 'client-key': 'c.key' } }] }));
  const write = (pair: PemPair): void => {
    writeFileSync(join(dirname(path), 'c.pem'), pair.cert);
    writeFileSync(join(dirname(path), 'c.key'), pair.key);
  };
  writeFileSync(join(dirname(path), 'ca.pem'), authority.cert);
  write(operator);
  const plane = await connect({ configPath: path, env: {} });
  planes.push(plane);
  await plane.list(Kinds.MacNode);
  write(await authority.issue('CN=renewed'));
  await plane.list(Kinds.MacNode);
  expect(stub.requests.at(-1)?.client).toBe('renewed');
});

it('requests share connections, so that not each of them costs a handshake', async () => {
  const ports = new Set<unknown>();
  const plane = await open({ clusterCaCertificate: authority.cert, clientCertificate: operator.cert, clientKey: operator.key });
  stub.onConnection = (port) => ports.add(port);
  for (let i = 0; i < 10; i += 1) await plane.list(Kinds.MacNode);
  expect(ports.size).toBeLessThanOrEqual(2);
});

it('a server of another authority is not trusted, and the message says where to look', async () => {
  const stranger = await newAuthority('stranger');
  const plane = await open({ clusterCaCertificate: stranger.cert, clientCertificate: operator.cert, clientKey: operator.key });
  await expect(plane.list(Kinds.MacNode)).rejects.toMatchObject({ fault: 'Unreachable', said: expect.stringMatching(/^the certificate of https:\S+ is not trusted \(\w+\): check cluster_ca_certificate/) as string });
});

it('a missing client certificate is a fault of the connection, not a missing object', async () => {
  const plane = await open({ clusterCaCertificate: authority.cert, token: 'a-token' });
  await expect(plane.tryGet(Kinds.MacNode, { name: 'c02x' })).rejects.toMatchObject({ fault: 'Unreachable' });
});

it('a plain HTTP server behind an https address is named as such', async () => {
  const plain = await new StubApi().start();
  const plane = await open({ host: plain.url.replace('http:', 'https:') });
  await expect(plane.serverTime()).rejects.toMatchObject({ fault: 'Unreachable', said: expect.stringContaining('is it an HTTPS server') as string });
  await plain.kill();
});
