import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kinds } from '../api';
import { connect, ConnectionError, type ConnectOptions } from './index';
import { StubApi } from './testing/stub-api';
import { temporaryFile } from './testing/temporary-file';

let stub: StubApi;
beforeAll(async () => {
  stub = await new StubApi(() => ({ json: { items: [], metadata: { resourceVersion: '1' } } })).start();
});
afterAll(() => stub.kill());

async function identityOf(options: ConnectOptions): Promise<string | undefined> {
  const plane = await connect({ env: {}, ...options });
  try {
    await plane.list(Kinds.MacClass);
    return stub.requests.at(-1)?.headers.authorization;
  } finally {
    plane.close();
  }
}

const clusters = (server: string) => ({ kind: 'Config', clusters: [{ name: 'dev', cluster: { server } }] });
const users = (token: string, more: object = {}) => ({ kind: 'Config', users: [{ name: 'ann', user: { token } }], contexts: [{ name: 'c', context: { cluster: 'dev', user: 'ann' } }], ...more });
const file = (document: object) => temporaryFile('config', JSON.stringify(document));

describe('several kubeconfigs', () => {
  it('are one: a cluster of the first, a user and a context of the second', async () => {
    const paths = [file(clusters(stub.url)), file(users('of-ann', { 'current-context': 'c' }))];
    await expect(identityOf({ configPaths: paths })).resolves.toBe('Bearer of-ann');
    await expect(identityOf({ env: { KUBECONFIG: paths.join(':') } })).resolves.toBe('Bearer of-ann');
  });

  it('give of each name, and of the current context, what the first file has', async () => {
    const first = { ...clusters(stub.url), ...users('first'), 'current-context': 'c' };
    const second = { ...clusters('https://192.0.2.1'), ...users('second'), 'current-context': 'other' };
    await expect(identityOf({ configPaths: [file(first), file(second)] })).resolves.toBe('Bearer first');
    await expect(identityOf({ configPaths: [file(second), file(first)], configContext: 'c', host: stub.url })).resolves.toBe('Bearer second');
  });

  it('name files beside themselves', async () => {
    const path = file({ ...users('', { 'current-context': 'c' }), users: [{ name: 'ann', user: { tokenFile: 'deep/token' } }] });
    mkdirSync(join(dirname(path), 'deep'));
    writeFileSync(join(dirname(path), 'deep', 'token'), 'of-file\n');
    await expect(identityOf({ configPaths: [file(clusters(stub.url)), path] })).resolves.toBe('Bearer of-file');
    const certified = file({ ...users('', { 'current-context': 'c' }), users: [{ name: 'ann', user: { 'client-certificate': 'gone.pem', 'client-key': 'gone.key' } }] });
    await expect(identityOf({ configPaths: [file(clusters(stub.url)), certified] })).rejects.toThrow(`open '${dirname(certified)}/gone.pem'`);
  });

  it('may be missing in KUBECONFIG, as for kubectl, and not in config_paths', async () => {
    const whole = file({ ...clusters(stub.url), ...users('whole', { 'current-context': 'c' }) });
    await expect(identityOf({ env: { KUBECONFIG: `/nowhere/config:${whole}` } })).resolves.toBe('Bearer whole');
    const error: unknown = await identityOf({ configPaths: ['/nowhere/config', whole] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'kubeconfig /nowhere/config does not exist', argument: 'config_paths' });
  });
});

describe('a program that prints credentials', () => {
  const program = 'console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: process.argv[1] + process.env.SUFFIX } }))';
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', program, 'of-program'], env: { SUFFIX: '-1' } };

  it('is asked with its arguments and variables, instead of what the kubeconfig has', async () => {
    await expect(identityOf({ host: stub.url, exec })).resolves.toBe('Bearer of-program-1');
    await expect(identityOf({ configPath: file({ ...clusters(stub.url), ...users('of-ann', { 'current-context': 'c' }) }), exec })).resolves.toBe('Bearer of-program-1');
  });

  it('that is not there is named', async () => {
    await expect(identityOf({ host: stub.url, exec: { ...exec, command: '/nowhere/program' } })).rejects.toThrow('the credentials cannot be read: spawn /nowhere/program ENOENT');
  });
});
