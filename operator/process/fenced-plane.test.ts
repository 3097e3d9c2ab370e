import { Finalizer, Kinds } from '../../sdk/api';
import { PlaneError } from '../../sdk/client/errors';
import { parseInstant } from '../../sdk/rules/instant';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import { fencedPlane, type Fence } from './fenced-plane';

const claim = { metadata: { name: 'c02x', finalizers: [Finalizer.Claim] }, spec: {} };
let plane: MemoryPlane;
let why: { write?: string; claim?: string };

beforeEach(() => {
  plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
  why = {};
});

const fence: Fence = { write: () => why.write, claim: () => why.claim, time: (read) => read() };
const fenced = () => fencedPlane(plane, fence);

it('lets everything through while nothing is against it', async () => {
  await fenced().create(Kinds.MacNodeBinding, claim);
  await fenced().patch(Kinds.MacNodeBinding, { name: 'c02x' }, { metadata: { finalizers: null } });
  await fenced().remove(Kinds.MacNodeBinding, { name: 'c02x' });
  expect(plane.requests).toHaveLength(3);
});

it('makes no write after leadership has gone, and goes on reading', async () => {
  why = { write: 'this replica does not lead' };
  const ref = { namespace: 'tenant-a', name: 'ci' };
  await expect(fenced().create(Kinds.Clock, { metadata: { name: 'clock' } })).rejects.toThrow('[POST] clocks: this replica does not lead');
  await expect(fenced().patch(Kinds.MacNodeLease, ref, {}, { subresource: 'status' })).rejects.toThrow(PlaneError);
  await expect(fenced().remove(Kinds.Pod, ref)).rejects.toThrow(PlaneError);
  expect(plane.requests).toEqual([]);
  expect(await fenced().tryGet(Kinds.MacNodeLease, ref)).toBeNull();
});

it('begins and ends no claim while the operator is halted, and does everything else', async () => {
  await plane.create(Kinds.MacNodeBinding, claim);
  why = { claim: 'the clock is not to be believed' };
  await expect(fenced().create(Kinds.MacNodeBinding, { ...claim, metadata: { name: 'c02y' } })).rejects.toThrow(/the clock is not to be believed/);
  await expect(fenced().remove(Kinds.MacNodeBinding, { name: 'c02x' })).rejects.toThrow(/the clock is not to be believed/);
  await expect(fenced().patch(Kinds.MacNodeBinding, { name: 'c02x' }, { metadata: { finalizers: null } })).rejects.toThrow(/the clock is not to be believed/);
  await fenced().create(Kinds.Clock, { metadata: { name: 'clock' } });
});

it('gives no time that is in doubt', async () => {
  const doubting = fencedPlane(plane, { ...fence, time: () => Promise.reject(new Error('a day ahead')) });
  await expect(doubting.serverTime()).rejects.toMatchObject({ name: 'PlaneError', fault: 'Unavailable', said: 'a day ahead' });
});
