import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Kinds } from '../api';
import { connect, isFault, PlaneError, type ConnectOptions, type ControlPlane, type PlaneFault } from './index';
import { failure, StubApi, type Reply } from './testing/stub-api';
import { temporaryFile } from './testing/temporary-file';

const ref = { namespace: 'tenant-a', name: 'ci' };
const PATH = '/apis/macrack.io/v1/namespaces/tenant-a/macnodeleases/ci';

let stub: StubApi;
const planes: ControlPlane[] = [];

beforeEach(async () => {
  stub = await new StubApi().start();
});
afterEach(async () => {
  for (const plane of planes.splice(0)) plane.close();
  await stub.kill();
});

async function open(options: ConnectOptions = {}): Promise<ControlPlane> {
  const plane = await connect({ host: stub.url, token: 'a-token', env: {}, ...options });
  planes.push(plane);
  return plane;
}

async function faultOf(call: Promise<unknown>): Promise<PlaneError> {
  const error: unknown = await call.then(() => undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PlaneError);
  return error as PlaneError;
}

const named = { name: 'ci', group: 'macrack.io', kind: 'macnodeleases' };

describe('an answer that is no success', () => {
  const rows: readonly [string, Reply, PlaneFault, string][] = [
    ['401', failure(401, 'Unauthorized', 'Unauthorized'), 'Unauthorized', 'Unauthorized'],
    ['403', failure(403, 'Forbidden', 'macnodeleases "ci" is forbidden: no', named), 'Forbidden', 'macnodeleases "ci" is forbidden: no'],
    ['404 of an object', failure(404, 'NotFound', 'macnodeleases "ci" not found', named), 'NotFound', 'macnodeleases "ci" not found'],
    ['404 of a path', failure(404, 'NotFound', 'the server could not find the requested resource'), 'Unexpected', 'the server does not serve this kind; are the CRDs of MacRack installed?'],
    ['404 without Status', { status: 404, text: '404 page not found' }, 'Unexpected', 'the server does not serve this kind; are the CRDs of MacRack installed?'],
    ['409 Conflict', failure(409, 'Conflict', 'the object has been modified', named), 'Conflict', 'the object has been modified'],
    ['409 AlreadyExists', failure(409, 'AlreadyExists', 'already exists', named), 'AlreadyExists', 'already exists'],
    ['410', failure(410, 'Expired', 'too old resource version'), 'Gone', 'too old resource version'],
    ['422', failure(422, 'Invalid', 'spec.class: Unsupported value', named), 'Invalid', 'spec.class: Unsupported value'],
    ['429', failure(429, 'TooManyRequests', 'slow down'), 'Unavailable', 'slow down'],
    ['500', failure(500, 'InternalError', 'failed calling webhook "leases.macrack.io"'), 'Unavailable', 'failed calling webhook "leases.macrack.io"'],
    ['501', failure(501, 'NotImplemented', 'not here'), 'Unexpected', 'not here'],
    ['502 of a gateway', { status: 502, text: '<html>Bad gateway</html>' }, 'Unavailable', 'HTTP 502 without a Status object'],
    ['503', failure(503, 'ServiceUnavailable', 'starting'), 'Unavailable', 'starting'],
    ['504', failure(504, 'Timeout', 'request timed out'), 'Timeout', 'request timed out'],
    ['400', failure(400, 'BadRequest', 'bad'), 'Unexpected', 'bad'],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example' }, text: '' }, 'Unexpected', 'HTTP 302 without a Status object'],
    ['a success that is not JSON', { text: '<html>Welcome</html>' }, 'Unexpected', 'the answer is not JSON: is this the address of a Kubernetes API server?'],
  ];

  it.each(rows)('%s', async (_name, reply, fault, said) => {
    stub.answer = () => reply;
    const error = await faultOf((await open()).get(Kinds.MacNodeLease, ref));
    expect([error.fault, error.message]).toEqual([fault, `[GET] ${PATH}: ${said}`]);
    expect(isFault(error, fault)).toBe(true);
  });

  it('keeps code, reason and the fields at fault', async () => {
    const causes = [{ field: 'spec.class', message: 'Unsupported value: "ultra"', reason: 'FieldValueNotSupported' }];
    stub.answer = () => failure(422, 'Invalid', 'no', { ...named, causes });
    const error = await faultOf((await open()).create(Kinds.MacNodeLease, { metadata: ref }));
    expect(error.detail).toEqual({ fault: 'Invalid', code: 422, reason: 'Invalid', causes, method: 'POST', path: PATH.replace('/ci', '') });
  });

  it('is a missing object only where the server names that object', async () => {
    const plane = await open();
    stub.answer = () => failure(404, 'NotFound', 'not found', named);
    await expect(plane.tryGet(Kinds.MacNodeLease, ref)).resolves.toBeNull();
    for (const reply of [failure(403, 'Forbidden'), failure(401, 'Unauthorized'), failure(404, 'NotFound'), failure(410, 'Gone'), failure(500, 'InternalError')]) {
      stub.answer = () => reply;
      await expect(plane.tryGet(Kinds.MacNodeLease, ref)).rejects.toBeInstanceOf(PlaneError);
    }
  });
});

describe('no answer', () => {
  it('nothing listens', async () => {
    const plane = await open();
    const { url } = stub;
    await stub.kill();
    const error = await faultOf(plane.serverTime());
    expect([error.fault, error.said]).toEqual(['Unreachable', `nothing listens at ${url} (ECONNREFUSED)`]);
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
    await stub.start();
  });

  it('the host has no address', async () => {
    const error = await faultOf((await open({ host: 'https://plane.invalid:6443' })).serverTime());
    expect(error.fault).toBe('Unreachable');
    expect(error.said).toMatch(/^the host name of https:\/\/plane\.invalid:6443 does not resolve \((ENOTFOUND|EAI_AGAIN)\)$/);
  });

  it('the time is up, before the answer or within it', async () => {
    const plane = await open({ timeoutMs: 60 });
    stub.answer = () => 'hang';
    const read = await faultOf(plane.serverTime());
    expect([read.fault, read.said]).toEqual(['Timeout', `no answer from ${stub.url} within 0.06 s`]);
    const write = await faultOf(plane.remove(Kinds.MacNodeLease, ref));
    expect(write.said).toBe(`no answer from ${stub.url} within 0.06 s; whether the write happened is unknown`);
    stub.answer = () => (response) => void response.write('{"half":');
    expect((await faultOf(plane.serverTime())).fault).toBe('Timeout');
  });

  it('the connection breaks under every attempt', async () => {
    stub.answer = () => 'reset';
    const error = await faultOf((await open()).get(Kinds.MacNodeLease, ref));
    expect([error.fault, error.said]).toEqual(['Unreachable', expect.stringContaining(`the connection to ${stub.url} broke (`)]);
    expect(stub.requests).toHaveLength(3);
  });

  it('what answers does not speak HTTP', async () => {
    const mute = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const error = await faultOf((await open({ host: `http://127.0.0.1:${(mute.address() as AddressInfo).port}` })).serverTime());
    expect([error.fault, error.said]).toEqual(['Unreachable', expect.stringMatching(/^what answers at \S+ does not speak HTTP$/)]);
    await new Promise((resolve) => mute.close(resolve));
  });
});

describe('a read is asked again', () => {
  const answers = (...replies: Reply[]): void => {
    stub.answer = () => replies.shift() ?? { json: { ok: true } };
  };
  const wait = (seconds: string): Reply => ({ ...(failure(503, 'ServiceUnavailable') as object), headers: { 'retry-after': seconds } });

  it('after a broken connection', async () => {
    answers('reset', 'reset');
    await expect((await open()).get(Kinds.MacNodeLease, ref)).resolves.toEqual({ ok: true });
  });

  it('when the server says when', async () => {
    answers(wait('0'), { ...(failure(429, 'TooManyRequests') as object), headers: { 'retry-after': '0' } });
    await expect((await open()).get(Kinds.MacNodeLease, ref)).resolves.toEqual({ ok: true });
  });

  it('at most twice, and not when the wait would pass the deadline', async () => {
    const plane = await open();
    answers(wait('0'), wait('0'), wait('0'));
    await expect(plane.get(Kinds.MacNodeLease, ref)).rejects.toMatchObject({ fault: 'Unavailable' });
    answers(wait('3600'));
    await expect(plane.get(Kinds.MacNodeLease, ref)).rejects.toMatchObject({ detail: { retryAfterSeconds: 3600 } });
    expect(stub.requests).toHaveLength(4);
  });
});

describe('a token stands in no error', () => {
  const token = 's3cret-token-0123456789';

  it('not even when the server repeats it', async () => {
    const plane = await open({ token });
    stub.answer = ({ headers }) => failure(400, 'BadRequest', `odd header ${String(headers.authorization)}`, { causes: [{ message: `saw ${token}` }] });
    const error = await faultOf(plane.get(Kinds.MacNodeLease, ref));
    expect(error.message).toContain('odd header Bearer [redacted]');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
  });

  it('of any kind, nor in the client itself', async () => {
    const plane = await open({ token, timeoutMs: 60 });
    for (const reply of ['hang', 'reset', failure(401, 'Unauthorized'), { text: 'no JSON' }] as const) {
      stub.answer = () => reply;
      const error = await faultOf(plane.list(Kinds.MacNodeLease));
      expect(inspect(error, { depth: 9, showHidden: true }) + String(error.stack) + JSON.stringify(error)).not.toContain(token);
    }
    expect(inspect(plane, { depth: 9, showHidden: true }) + JSON.stringify(plane)).not.toContain(token);
  });

  it('when it is malformed in the kubeconfig', async () => {
    const config = { kind: 'Config', 'current-context': 'c', clusters: [{ name: 'k', cluster: { server: stub.url } }], contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }], users: [{ name: 'u', user: { token: `${token}\nx: y` } }] };
    const plane = await connect({ configPath: temporaryFile('config', JSON.stringify(config)), env: {} });
    planes.push(plane);
    const error = await faultOf(plane.serverTime());
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
    expect(stub.requests).toHaveLength(0);
  });

  it('when a helper program prints it and fails', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', `console.error('${token}'); process.exit(1)`] };
    const config = { kind: 'Config', 'current-context': 'c', clusters: [{ name: 'k', cluster: { server: stub.url } }], contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }], users: [{ name: 'u', user: { exec } }] };
    const error: unknown = await connect({ configPath: temporaryFile('config', JSON.stringify(config)), env: {} }).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe('the credentials cannot be read: the helper program that exec or the kubeconfig names failed, or printed no ExecCredential. Run it by hand to see why');
    expect(inspect(error, { depth: 9 })).not.toContain(token);
  });
});
