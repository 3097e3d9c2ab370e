import { property, assert, jsonValue } from 'fast-check';
import { mergePatch as mergePatchOfTheDevelopmentPlane } from '../../../../devplane/json';
import { Kinds } from '../../../api/kinds';
import { parseInstant } from '../../../rules/instant';
import { describePlane } from '../plane-contract';
import { WatchLog } from '../watch-log';
import { fault } from './fault';
import { MemoryPlane } from './memory-plane';
import { mergePatch } from './merge-patch';

const START = parseInstant('2026-11-29T10:00:00Z');
const ref = { namespace: 'team-a', name: 'l1' };
const lease = { metadata: ref, spec: { class: 'base', minimumDuration: '24h', release: false } };
const stored = { ...lease, apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { ...ref, uid: 'u', resourceVersion: '', creationTimestamp: '' } };

describePlane('the plane in memory', () => {
  const plane = new MemoryPlane();
  return Promise.resolve({ plane, close: () => Promise.resolve(plane.close()) });
});

describe('the plane in memory', () => {
  let plane: MemoryPlane;
  beforeEach(() => { plane = new MemoryPlane(START); });

  it('merges as the development plane does', () => {
    assert(property(jsonValue(), jsonValue(), (target, patch) => expect(mergePatch(target, patch)).toEqual(mergePatchOfTheDevelopmentPlane(target, patch))));
  });

  it('stamps by its own clock, whose last reading is that of the newest answer', async () => {
    expect(plane.lastServerTime()).toBeUndefined();
    plane.advance(1_900);
    expect((await plane.create(Kinds.MacNodeLease, lease)).metadata.creationTimestamp).toBe('2026-11-29T10:00:01Z');
    plane.advance(5_000);
    expect([plane.lastServerTime(), await plane.serverTime()]).toEqual([START + 1_000, START + 6_000]);
  });

  it('rings the timers that come due, the earliest first, and none that was cancelled', () => {
    const rung: string[] = [];
    plane.after(60_000, () => rung.push('minute'));
    plane.after(30_000, () => rung.push('half'));
    plane.after(20_000, () => rung.push('cancelled'))();
    plane.advance(29_999);
    expect(rung).toEqual([]);
    plane.advance(60_000);
    expect(rung).toEqual(['half', 'minute']);
  });

  it('shares nothing with its callers', async () => {
    const made = await plane.create(Kinds.MacNodeLease, lease);
    made.spec.release = true;
    for (const read of [await plane.get(Kinds.MacNodeLease, ref), ...plane.all(Kinds.MacNodeLease), ...(await plane.list(Kinds.MacNodeLease)).items]) read.spec.class = 'pro';
    expect(plane.peek(Kinds.MacNodeLease, ref)?.spec).toEqual(lease.spec);
  });

  it('counts every request that reaches it, also one that a test refuses, and lets a test react to each write that is stored', async () => {
    plane.react = (verb, { metadata }) => void (verb === 'create' && plane.change(Kinds.MacNodeLease, ref, (l) => ({ ...l, status: { phase: 'Bound' as const, node: metadata.resourceVersion } })));
    await plane.create(Kinds.MacNodeLease, lease, { dryRun: true });
    expect((await plane.create(Kinds.MacNodeLease, lease)).status).toBeUndefined();
    plane.refuse = (verb, plural, { name }) => (verb === 'patch-status' && plural === 'macnodeleases' && name === 'l1' ? fault('Forbidden', 'not you') : undefined);
    await expect(plane.patch(Kinds.MacNodeLease, ref, { status: {} }, { subresource: 'status' })).rejects.toMatchObject({ fault: 'Forbidden', said: 'not you', detail: { code: 403 } });
    expect((await plane.get(Kinds.MacNodeLease, ref)).status).toEqual({ phase: 'Bound', node: '1' });
    await plane.list(Kinds.MacNode);
    expect(plane.requests).toEqual(['dry-run macnodeleases team-a/l1', 'create macnodeleases team-a/l1', 'patch-status macnodeleases team-a/l1', 'get macnodeleases team-a/l1', 'list macnodes /']);
    expect(plane.writes).toEqual(['create macnodeleases team-a/l1', 'patch-status macnodeleases team-a/l1']);
  });

  it('tells what happens in one moment later, and in its order', async () => {
    const log = new WatchLog();
    plane.watch(Kinds.MacNodeLease, {}, log);
    await log.until('SYNC');
    plane.put(stored);
    plane.change(Kinds.MacNodeLease, ref, (l) => ({ ...l, spec: { ...l.spec, release: true } }));
    plane.erase(Kinds.MacNodeLease, ref);
    plane.put(stored);
    expect(log.lines).toEqual(['SYNC']);
    await log.until('ADDED l1', 4);
    expect(log.lines).toEqual(['SYNC', 'ADDED l1', 'MODIFIED l1', 'DELETED l1', 'ADDED l1']);
  });

  it('reaches nobody while it is down, interrupts watches, and lists again for them when it is back', async () => {
    const log = new WatchLog();
    const watching = plane.watch(Kinds.MacNodeLease, {}, log);
    await log.until('SYNC');
    plane.down = 'Unreachable';
    await expect(plane.create(Kinds.MacNodeLease, lease)).rejects.toMatchObject({ fault: 'Unreachable' });
    plane.put(stored);
    expect([plane.requests, watching.isSynced()]).toEqual([[], false]);
    plane.down = undefined;
    await log.until('SYNC l1');
    plane.erase(Kinds.MacNodeLease, ref);
    await log.until('DELETED l1');
    expect(log.lines).toEqual(['SYNC', 'FAULT Unreachable', 'SYNC l1', 'DELETED l1']);
    expect(watching.isSynced()).toBe(true);
  });

  it('tells a watch that is refused why, and reads no selector that a server would refuse', async () => {
    plane.refuse = (verb) => (verb === 'watch' ? fault('Forbidden') : undefined);
    const log = new WatchLog();
    const watching = plane.watch(Kinds.MacNodeLease, {}, log);
    await log.until('FAULT Forbidden');
    expect(watching.isSynced()).toBe(false);
    await expect(plane.list(Kinds.MacNodeLease, { fieldSelector: 'spec.class=base' })).rejects.toThrow('the plane in memory cannot select by "spec.class=base"');
    await expect(plane.list(Kinds.MacNodeLease, { labelSelector: 'a in (b)' })).rejects.toThrow('cannot select by');
  });
});
