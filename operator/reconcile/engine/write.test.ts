import { Kinds, type MacNodeLease } from '../../../sdk/api';
import { parseInstant } from '../../../sdk/rules/instant';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { removeExactly, swap, swapStatus } from './write';

const ref = { namespace: 'tenant-a', name: 'ios' };
let plane: MemoryPlane;
let read: MacNodeLease;
beforeEach(async () => {
  plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
  read = await plane.create(Kinds.MacNodeLease, { metadata: ref, spec: { class: 'base', minimumDuration: '24h', release: false } });
});

const somebodyWrites = () => plane.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });

describe('a write over an object that was read', () => {
  it('of metadata and spec is a Conflict when somebody wrote meanwhile', async () => {
    await somebodyWrites();
    await expect(swap(plane, Kinds.MacNodeLease, read, { metadata: { finalizers: [] } })).rejects.toMatchObject({ fault: 'Conflict' });
  });

  it('of the status is a Conflict when somebody wrote meanwhile', async () => {
    await somebodyWrites();
    await expect(swapStatus(plane, Kinds.MacNodeLease, read, { phase: 'Binding' })).rejects.toMatchObject({ fault: 'Conflict' });
  });

  it('goes through when nobody did', async () => {
    expect((await swapStatus(plane, Kinds.MacNodeLease, read, { phase: 'Binding' })).status?.phase).toBe('Binding');
  });

  it('deletes no other object of the name', async () => {
    await plane.remove(Kinds.MacNodeLease, ref);
    await plane.create(Kinds.MacNodeLease, { metadata: ref, spec: read.spec });
    await expect(removeExactly(plane, Kinds.MacNodeLease, read)).rejects.toMatchObject({ fault: 'Conflict' });
  });
});
