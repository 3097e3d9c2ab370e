import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { Kinds } from '../api';
import { connect, ConnectionError, type ConnectOptions, type ControlPlane } from './index';
import { StubApi } from './testing/stub-api';
import { temporaryFile } from './testing/temporary-file';

const empty = { json: { items: [], metadata: { resourceVersion: '1' } } };

let stub: StubApi;
const planes: ControlPlane[] = [];

beforeAll(async () => {
  stub = await new StubApi(() => empty).start();
});
afterEach(() => {
  for (const plane of planes.splice(0)) plane.close();
  stub.requests.length = 0;
});
afterAll(() => stub.kill());

async function open(options: ConnectOptions): Promise<ControlPlane> {
  const plane = await connect({ env: {}, ...options });
  planes.push(plane);
  return plane;
}

async function identityOf(options: ConnectOptions): Promise<string | undefined> {
  await (await open(options)).list(Kinds.MacClass);
  return stub.requests.at(-1)?.headers.authorization;
}

async function refusal(options: ConnectOptions): Promise<ConnectionError> {
  const error: unknown = await open(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectionError);
  return error as ConnectionError;
}

interface Names {
  current?: string;
  users?: unknown[];
}

function kubeconfig({ current, users }: Names = {}): string {
  const context = (name: string, user: string, more: object = {}) => ({ name, context: { cluster: 'dev', user, ...more } });
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    ...(current !== undefined && { 'current-context': current }),
    clusters: [{ name: 'dev', cluster: { server: stub.url } }],
    users: users ?? [{ name: 'a', user: { token: 'token-of-a' } }, { name: 'b', user: { token: 'token-of-b' } }],
    contexts: [context('tenant-a', 'a', { namespace: 'tenant-a' }), context('tenant-b', 'b'), { name: 'lost', context: { cluster: 'gone', user: 'a' } }, context('stranger', 'nobody')],
  });
}

describe('a kubeconfig', () => {
  it('gives server, identity and namespace of its current context', async () => {
    const plane = await open({ configPath: temporaryFile('config', kubeconfig({ current: 'tenant-a' })) });
    await plane.list(Kinds.MacClass);
    expect([plane.endpoint, plane.namespace, stub.requests[0]?.headers.authorization]).toEqual([stub.url, 'tenant-a', 'Bearer token-of-a']);
  });

  it('gives those of the context that is asked for, in the namespace default where it names none', async () => {
    const plane = await open({ configPath: temporaryFile('config', kubeconfig({ current: 'tenant-a' })), configContext: 'tenant-b' });
    await plane.list(Kinds.MacClass);
    expect([plane.namespace, stub.requests[0]?.headers.authorization]).toEqual(['default', 'Bearer token-of-b']);
  });

  it('is found under the home directory by ~, by KUBECONFIG, and at ~/.kube/config', async () => {
    const path = temporaryFile('config', kubeconfig({ current: 'tenant-b' }));
    const home = dirname(path);
    await expect(identityOf({ configPath: '~/config', env: { HOME: home } })).resolves.toBe('Bearer token-of-b');
    await expect(identityOf({ env: { KUBECONFIG: path } })).resolves.toBe('Bearer token-of-b');
    mkdirSync(join(home, '.kube'));
    writeFileSync(join(home, '.kube', 'config'), kubeconfig({ current: 'tenant-a' }));
    await expect(identityOf({ env: { HOME: home } })).resolves.toBe('Bearer token-of-a');
  });

  it('may be YAML and may name a token file beside it, whose newline is no part of the token', async () => {
    const token = temporaryFile('token', 'token-of-file\n');
    const path = join(dirname(token), 'config');
    writeFileSync(path, `kind: Config\ncurrent-context: c\nclusters: [{name: k, cluster: {server: "${stub.url}/"}}]\ncontexts: [{name: c, context: {cluster: k, user: u}}]\nusers: [{name: u, user: {tokenFile: token}}]\n`);
    await expect(identityOf({ configPath: path })).resolves.toBe('Bearer token-of-file');
  });

  it('may hold a user name and a password', async () => {
    const users = [{ name: 'a', user: { username: 'ann', password: 'pass' } }, { name: 'b', user: {} }];
    await expect(identityOf({ configPath: temporaryFile('config', kubeconfig({ current: 'tenant-a', users })) })).resolves.toBe(`Basic ${Buffer.from('ann:pass').toString('base64')}`);
  });

  it('gives way to an explicit host and token', async () => {
    const path = temporaryFile('config', kubeconfig({ current: 'tenant-a' }).replace(stub.url, 'https://192.0.2.1:6443'));
    const plane = await open({ configPath: path, host: stub.url, token: 'mine' });
    await plane.list(Kinds.MacClass);
    expect([plane.namespace, stub.requests[0]?.headers.authorization]).toEqual(['tenant-a', 'Bearer mine']);
  });

  it('is not read when the host is explicit', async () => {
    await expect(identityOf({ host: stub.url, token: 'mine', env: { KUBECONFIG: '/nowhere' } })).resolves.toBe('Bearer mine');
  });
});

describe('a kubeconfig that leads nowhere is refused with its path', () => {
  const missing = '/nowhere/kube/config';

  it('when it is missing', async () => {
    const error = await refusal({ configPath: missing });
    expect(error).toMatchObject({ message: `kubeconfig ${missing} does not exist`, argument: 'config_path' });
    expect((await refusal({ env: { KUBECONFIG: missing } })).message).toBe(`kubeconfig ${missing} does not exist`);
  });

  it('when it is a directory, or may not be read', async () => {
    const path = temporaryFile('config', kubeconfig());
    expect((await refusal({ configPath: dirname(path) })).message).toBe(`kubeconfig ${dirname(path)} is a directory; name the file in it`);
    chmodSync(path, 0);
    // The superuser may read it all the same, and then misses the current context.
    expect((await refusal({ configPath: path })).message).toMatch(process.getuid?.() === 0 ? 'sets no current-context' : `kubeconfig ${path} may not be read by this user`);
  });

  it('when it is not YAML, by line and without quoting what may be a secret', async () => {
    const path = temporaryFile('config', 'kind: Config\nusers:\n- user: {token: s3cret-token\n');
    const error = await refusal({ configPath: path });
    expect(error.message).toMatch(new RegExp(`^kubeconfig ${path} is not YAML: see line \\d$`));
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret-token');
  });

  it('when it is YAML of something else', async () => {
    for (const text of ['', 'just words', '- a list', 'kind: Pod']) {
      const path = temporaryFile('config', text);
      expect((await refusal({ configPath: path })).message).toBe(`${path} is not a kubeconfig: it needs lists named clusters, contexts and users`);
    }
  });

  it('when the context does not exist, with the contexts that do', async () => {
    const path = temporaryFile('config', kubeconfig({ current: 'former' }));
    expect(await refusal({ configPath: path, configContext: 'tenant-c' })).toMatchObject({
      message: `kubeconfig ${path} has no context tenant-c, which config_context names; its contexts are tenant-a, tenant-b, lost, stranger`,
      argument: 'config_context',
    });
    expect((await refusal({ configPath: path })).message).toMatch('has no context former, which its current-context names; its contexts are');
  });

  it('when no context is chosen', async () => {
    const path = temporaryFile('config', kubeconfig());
    expect((await refusal({ configPath: path })).message).toBe(`kubeconfig ${path} sets no current-context; its contexts are tenant-a, tenant-b, lost, stranger: choose one with config_context`);
    const bare = temporaryFile('config', 'apiVersion: v1\nkind: Config\nclusters: null\ncontexts: null\nusers: null\n');
    expect((await refusal({ configPath: bare })).message).toMatch('sets no current-context; it has no contexts');
  });

  it('when its context names a cluster or a user that it does not have', async () => {
    const path = temporaryFile('config', kubeconfig());
    expect((await refusal({ configPath: path, configContext: 'lost' })).message).toBe(`kubeconfig ${path}: context lost names cluster gone, which the file does not have`);
    expect((await refusal({ configPath: path, configContext: 'stranger' })).message).toBe(`kubeconfig ${path}: context stranger names user nobody, which the file does not have`);
  });

  it('when an entry lacks what it needs', async () => {
    const path = temporaryFile('config', 'kind: Config\nclusters: [{name: k, cluster: {}}]\n');
    expect((await refusal({ configPath: path })).message).toBe(`kubeconfig ${path}: clusters[0].cluster.server is missing`);
  });

  it('when a certificate that it names cannot be read', async () => {
    const users = [{ name: 'a', user: { 'client-certificate': 'gone.pem', 'client-key': 'gone.key' } }];
    const path = temporaryFile('config', kubeconfig({ current: 'tenant-a', users }));
    expect((await refusal({ configPath: path })).message).toMatch(`the credentials cannot be read: ENOENT: no such file or directory, open '${dirname(path)}/gone.pem'`);
  });

  it('when KUBECONFIG names several files and none of them is there', async () => {
    expect((await refusal({ env: { KUBECONFIG: '/nowhere/a:/nowhere/b' } })).message).toBe('kubeconfig /nowhere/a does not exist');
  });

  it('when nothing names any server', async () => {
    expect((await refusal({ env: { HOME: '/nowhere' } })).message).toBe('no API server is configured: /nowhere/.kube/config does not exist, KUBECONFIG is not set, and neither config_path nor host is given');
    expect((await refusal({ env: {} })).message).toBe('no API server is configured: KUBECONFIG is not set, and neither config_path nor host is given');
  });
});

describe('an explicit option is refused by name', () => {
  const host = 'https://127.0.0.1:6443';
  const certificate = '-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n';
  const key = '-----BEGIN PRIVATE KEY-----\nMAo=\n-----END PRIVATE KEY-----\n';
  const rows: readonly [string, ConnectOptions, string, string][] = [
    ['an empty value', { host, token: ' ' }, 'token', 'token is empty: give it a value or leave it out'],
    ['a host that is no URL', { host: '10.0.0.1:6443' }, 'host', 'host is not a URL such as https://10.0.0.1:6443'],
    ['a host with a password', { host: 'https://ann:s3cret@10.0.0.1' }, 'host', 'host holds a user name or password'],
    ['credentials over plain HTTP', { host: 'http://10.0.0.1:8080', token: 't' }, 'host', 'http://10.0.0.1:8080 is plain HTTP'],
    ['a token that is none', { host, token: 's3cret\nHost: evil' }, 'token', 'token holds characters that no bearer token has'],
    ['a path in place of a certificate', { host, clusterCaCertificate: '/etc/ca.pem' }, 'cluster_ca_certificate', 'cluster_ca_certificate holds no certificate in PEM text; if it holds a path, give the content of that file'],
    ['a certificate without key', { host, clientCertificate: certificate }, 'client_key', 'client_certificate needs client_key'],
    ['a key without certificate', { host, clientKey: key }, 'client_certificate', 'client_key needs client_certificate'],
    ['two identities', { host, token: 't', clientCertificate: certificate, clientKey: key }, 'token', 'token and client_certificate are two identities: give one of them'],
    ['a token beside a program that prints one', { host, token: 's3cret', exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws' } }, 'exec', 'exec and token or client_certificate are two identities: give one of them'],
    ['a program of an unknown version', { host, exec: { apiVersion: 'v1', command: 'aws' } }, 'exec', 'exec: api_version is "v1"; it is one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1'],
    ['a program without a name', { host, exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '' } }, 'exec', 'exec: command is empty'],
    ['no kubeconfig in a list', { configPaths: [] }, 'config_paths', 'config_paths is empty'],
    ['an empty path in a list', { configPaths: [''] }, 'config_paths', 'config_paths is empty'],
    ['one kubeconfig and a list', { configPath: '/a', configPaths: ['/b'] }, 'config_paths', 'config_path and config_paths are given: give one of them'],
  ];

  it.each(rows)('%s', async (_name, options, argument, message) => {
    const error = await refusal(options);
    expect(error.argument).toBe(argument);
    expect(error.message).toMatch(message);
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  });

  it('a key that does not belong to the certificate, or is damaged', async () => {
    expect((await refusal({ host, clientCertificate: certificate, clientKey: key })).message).toMatch(/^the certificates or the key cannot be used \(/);
  });

  it('a proxy in the kubeconfig', async () => {
    const path = temporaryFile('config', kubeconfig({ current: 'tenant-a' }).replace('"server"', '"proxy-url":"http://127.0.0.1:1","server"'));
    expect((await refusal({ configPath: path })).message).toMatch('proxy-url');
  });
});
