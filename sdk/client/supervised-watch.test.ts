import type { ServerResponse } from 'node:http';
import { Kinds } from '../api';
import { connect, type ControlPlane, type Watching, type WatchTiming } from './index';
import { failure, StubApi, type Reply, type SeenRequest } from './testing/stub-api';
import { WatchLog } from './testing/watch-log';

const quick: WatchTiming = { backOffMs: 1, longestBackOffMs: 20 };

let stub: StubApi;
let plane: ControlPlane;
let log: WatchLog;
let names: string[];
let version: number;
let streams: ServerResponse[];
/** Answers of the next watch requests; then streams that stay open. */
let watchReplies: Reply[];

const object = (name: string, resourceVersion = version): object => ({ metadata: { name, resourceVersion: String(resourceVersion) } });
const line = (type: string, body: object): string => `${JSON.stringify({ type, object: body })}\n`;
const ended = (...lines: string[]): Reply => (response) => response.end(lines.join(''));

const stayOpen: Reply = (response) => {
  response.writeHead(200);
  response.flushHeaders();
  streams.push(response);
};

function answer(request: SeenRequest): Reply {
  if (request.query.watch === 'true') return watchReplies.shift() ?? stayOpen;
  return { json: { items: names.map((name) => object(name)), metadata: { resourceVersion: String(version) } } };
}

const watches = (): SeenRequest[] => stub.requests.filter(({ query }) => query.watch === 'true');
const lists = (): SeenRequest[] => stub.requests.filter(({ query }) => query.watch === undefined);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(async () => {
  [names, version, streams, watchReplies] = [['a'], 5, [], []];
  stub = await new StubApi(answer).start();
  log = new WatchLog();
});
afterEach(async () => {
  plane.close();
  await stub.kill();
});

async function watch(timing: WatchTiming = {}, handlers: Partial<WatchLog> = {}): Promise<Watching> {
  plane = await connect({ host: stub.url, token: 'a-token', env: {}, timeoutMs: 2000, watch: { ...quick, ...timing } });
  return plane.watch(Kinds.MacNode, { labelSelector: 'x=y' }, { onSync: log.onSync, onChange: log.onChange, onFault: log.onFault, ...handlers });
}

it('lists, then tells every change from there on', async () => {
  const watching = await watch();
  expect(watching.isSynced()).toBe(false);
  await log.until('SYNC a');
  await until(() => streams.length === 1);
  streams[0]?.write(line('ADDED', object('b', 6)) + line('MODIFIED', object('b', 7)) + line('DELETED', object('a', 8)));
  await log.until('DELETED a');
  expect(log.lines).toEqual(['SYNC a', 'ADDED b', 'MODIFIED b', 'DELETED a']);
  expect(watches()[0]?.query).toEqual({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '5', labelSelector: 'x=y', timeoutSeconds: '290' });
  expect(watching.isSynced()).toBe(true);
});

it('reads events that arrive in pieces, amid a character', async () => {
  await watch();
  await until(() => streams.length === 1);
  const bytes = Buffer.from(line('ADDED', object('mäc')));
  const cut = bytes.indexOf(0xc3) + 1;
  streams[0]?.write(bytes.subarray(0, cut));
  await new Promise((resolve) => setImmediate(resolve));
  streams[0]?.write(bytes.subarray(cut));
  await log.until('ADDED mäc');
});

it('goes on where a stream ended in peace, without a list', async () => {
  watchReplies = [ended(line('ADDED', object('b', 9)), line('BOOKMARK', object('', 12)))];
  await watch();
  await until(() => watches().length === 2);
  expect(watches()[1]?.query.resourceVersion).toBe('12');
  expect(log.lines).toEqual(['SYNC a', 'ADDED b']);
  expect(lists()).toHaveLength(1);
});

it('opens a quiet watch again where it was, without a list and without a fault', async () => {
  await watch({ quietMs: 20 });
  await until(() => watches().length >= 3);
  expect(watches().slice(0, 3).map(({ query }) => query.resourceVersion)).toEqual(['5', '5', '5']);
  expect([log.lines, lists().length]).toEqual([['SYNC a'], 1]);
});

it('survives that the server is killed, and lists again when it is back', async () => {
  const watching = await watch();
  await until(() => streams.length === 1);
  await stub.kill();
  await log.until('FAULT Unreachable', await log.until('FAULT Unreachable'));
  expect(watching.isSynced()).toBe(false);
  [names, version] = [['a', 'b'], 20];
  await stub.start();
  await log.until('SYNC a b');
  await until(() => streams.length === 2);
  streams[1]?.write(line('ADDED', object('c', 21)));
  await log.until('ADDED c');
  expect(watching.isSynced()).toBe(true);
});

describe('lists again after', () => {
  const rows: readonly [string, Reply, string][] = [
    ['410 by status', failure(410, 'Expired'), 'FAULT Gone'],
    ['410 in the stream', ended(line('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' })), 'FAULT Gone'],
    ['a broken stream', (response) => void response.socket?.resetAndDestroy(), 'FAULT Unreachable'],
    ['a stream broken amid an event', (response) => void response.write('{"type":"ADD', () => response.socket?.resetAndDestroy()), 'FAULT Unreachable'],
    ['401', failure(401, 'Unauthorized'), 'FAULT Unauthorized'],
    ['403', failure(403, 'Forbidden'), 'FAULT Forbidden'],
    ['500', failure(500, 'InternalError'), 'FAULT Unavailable'],
    ['an error in the stream', ended(line('ERROR', { kind: 'Status', code: 500, reason: 'InternalError', message: 'no' })), 'FAULT Unavailable'],
    ['an event that is not JSON', ended('<html>\n'), 'FAULT Unexpected'],
    ['an event without an object', ended('{"type":"ADDED"}\n'), 'FAULT Unexpected'],
  ];

  it.each(rows)('%s', async (_name, reply, fault) => {
    watchReplies = [reply];
    const watching = await watch();
    const at = await log.until(fault);
    [names, version] = [['a', 'b'], 30];
    await until(() => streams.length === 1);
    expect(log.lines.slice(0, at)).toEqual(['SYNC a', fault]);
    expect(log.lines.slice(at)[0]).toMatch(/^SYNC/);
    expect(watching.isSynced()).toBe(true);
  });

  it('a list that failed', async () => {
    let failures = 2;
    stub.answer = (request) => (request.query.watch === undefined && (failures -= 1) >= 0 ? failure(403, 'Forbidden') : answer(request));
    await watch();
    await log.until('SYNC a');
    expect(log.lines).toEqual(['FAULT Forbidden', 'FAULT Forbidden', 'SYNC a']);
  });

  it('a handler that threw, which is told and does not end the process', async () => {
    let isFirst = true;
    const onChange = (type: string, item: { metadata: { name: string } }): void => {
      if (isFirst) {
        isFirst = false;
        throw new TypeError('of the handler');
      }
      log.onChange(type, item as never);
    };
    watchReplies = [ended(line('ADDED', object('b')))];
    await watch({}, { onChange });
    await log.until('SYNC a', await log.until('FAULT TypeError: of the handler'));
    await until(() => streams.length === 1);
    streams[0]?.write(line('ADDED', object('b')));
    await log.until('ADDED b');
  });
});

it('a fault handler that throws becomes a warning of the process', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  watchReplies = [failure(500, 'InternalError')];
  await watch({}, { onFault: () => { throw new Error('again'); } });
  await until(() => streams.length === 1);
  expect(warn).toHaveBeenCalledWith('a handler of the watch on /apis/macrack.io/v1/macnodes threw: Error: again');
  warn.mockRestore();
});

describe('after stop', () => {
  it('nothing is heard, and nothing is asked', async () => {
    const watching = await watch();
    await until(() => streams.length === 1);
    const isClosed = new Promise((resolve) => streams[0]?.on('close', resolve));
    watching.stop();
    await isClosed;
    expect([watching.isSynced(), log.lines, stub.requests.length]).toEqual([false, ['SYNC a'], 2]);
  });

  it('out of a handler, the rest of the stream is not heard', async () => {
    watchReplies = [ended(line('ADDED', object('b')), line('ADDED', object('c')))];
    const watching: Watching = await watch({}, {
      onChange: (type, item) => {
        log.onChange(type, item);
        watching.stop();
      },
    });
    await log.until('ADDED b');
    await until(() => !watching.isSynced());
    expect(log.lines).toEqual(['SYNC a', 'ADDED b']);
  });

  it('of the whole client, every watch ends', async () => {
    const watching = await watch();
    await until(() => streams.length === 1);
    const isClosed = new Promise((resolve) => streams[0]?.on('close', resolve));
    plane.close();
    await isClosed;
    expect([watching.isSynced(), log.lines]).toEqual([false, ['SYNC a']]);
  });
});
