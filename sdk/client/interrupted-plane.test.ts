import { Kinds } from '../api';
import { instant } from '../rules/instant';
import { recordingControlPlane, type ControlPlane, type WriteHooks } from './index';

const ref = { namespace: 'tenant-a', name: 'ci' };
const killed = new Error('kill -9');
let sent: string[];
let stopped: number;

function inner(): ControlPlane {
  const write = (name: string) => () => {
    sent.push(name);
    return Promise.resolve({} as never);
  };
  const watching = { isSynced: () => true, stop: () => void (stopped += 1) };
  return {
    endpoint: 'https://plane', namespace: 'tenant-a', get: write('get'), tryGet: write('tryGet'), list: write('list'), watch: () => watching, close: () => undefined,
    create: write('create'), patch: write('patch'), remove: write('remove'), serverTime: () => Promise.resolve(instant(0)), lastServerTime: () => instant(0),
  };
}

async function run(plane: ControlPlane): Promise<void> {
  await plane.create(Kinds.MacNodeLease, { metadata: { ...ref, labels: {} } }, { dryRun: true });
  await plane.create(Kinds.MacNodeLease, { metadata: { ...ref, labels: {} } });
  await plane.patch(Kinds.MacNodeLease, ref, {}, { subresource: 'status' });
  await plane.remove(Kinds.Pod, ref);
}

const dieAt = (hook: keyof WriteHooks, number: number): WriteHooks => ({
  [hook]: (write: { number: number }) => {
    if (write.number === number) throw killed;
  },
});

beforeEach(() => [sent, stopped] = [[], 0]);

it('counts every write, and no dry run or read', async () => {
  const plane = recordingControlPlane(inner());
  await run(plane);
  await plane.list(Kinds.Pod);
  expect(plane.writes).toEqual([
    { number: 1, verb: 'create', kind: 'MacNodeLease', ref },
    { number: 2, verb: 'patch', kind: 'MacNodeLease', ref, subresource: 'status' },
    { number: 3, verb: 'remove', kind: 'Pod', ref },
  ]);
});

it('dies before a write: it is not sent, and nothing after it', async () => {
  const plane = recordingControlPlane(inner(), dieAt('before', 2));
  await expect(run(plane)).rejects.toBe(killed);
  expect(sent).toEqual(['create', 'create']);
});

it('dies after a write: it is sent, and its caller does not hear of it', async () => {
  const plane = recordingControlPlane(inner(), dieAt('after', 2));
  await expect(run(plane)).rejects.toBe(killed);
  expect(sent).toEqual(['create', 'create', 'patch']);
});

it('refuses every further call with the same error, and silences watches', async () => {
  const plane = recordingControlPlane(inner(), dieAt('before', 1));
  plane.watch(Kinds.Pod, {}, { onSync: () => undefined, onChange: () => undefined });
  const underWay = plane.list(Kinds.Pod);
  await expect(plane.remove(Kinds.Pod, ref)).rejects.toBe(killed);
  await expect(underWay).rejects.toBe(killed);
  for (const call of [plane.get(Kinds.Pod, ref), plane.tryGet(Kinds.Pod, ref), plane.list(Kinds.Pod), plane.serverTime(), plane.remove(Kinds.Pod, ref)]) await expect(call).rejects.toBe(killed);
  expect(() => plane.watch(Kinds.Pod, {}, { onSync: () => undefined, onChange: () => undefined })).toThrow(killed);
  expect(stopped).toBe(1);
});

it('passes an error of the server on and lives', async () => {
  const plane = recordingControlPlane({ ...inner(), remove: () => Promise.reject(new Error('refused')) });
  await expect(plane.remove(Kinds.Pod, ref)).rejects.toThrow('refused');
  await expect(plane.list(Kinds.Pod)).resolves.toBeDefined();
});
