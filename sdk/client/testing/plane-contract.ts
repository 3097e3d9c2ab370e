import type { Pod } from '../../api/core-objects';
import { Kinds, type MacNodeLease } from '../../api/kinds';
import type { ControlPlane, ObjectRef } from '../control-plane';
import { WatchLog } from './watch-log';

const SPEC = { class: 'base', minimumDuration: '24h', release: false };
const CONTAINERS = [{ name: 'vm', image: 'registry.example/macos:26' }];

/** A plane with nothing on it that acts by itself, and what makes objects in a namespace of its own. */
class Ground {
  constructor(readonly plane: ControlPlane, readonly namespace: string) {}

  ref(name: string): ObjectRef {
    return { namespace: this.namespace, name };
  }

  lease(name: string, metadata: { labels?: Record<string, string>; finalizers?: string[] } = {}): Promise<MacNodeLease> {
    return this.plane.create(Kinds.MacNodeLease, { metadata: { ...this.ref(name), ...metadata }, spec: SPEC });
  }

  label(name: string, label: string | null): Promise<MacNodeLease> {
    return this.plane.patch(Kinds.MacNodeLease, this.ref(name), { metadata: { labels: { label } } });
  }

  pod(name: string, spec: { nodeName?: string } = {}): Promise<Pod> {
    return this.plane.create(Kinds.Pod, { metadata: this.ref(name), spec: { containers: CONTAINERS, terminationGracePeriodSeconds: 60, ...spec } });
  }

  /** @param sync what the first list must be */
  async follow(sync: string, labelSelector?: string): Promise<{ log: WatchLog; stop: () => void }> {
    const log = new WatchLog();
    const watching = this.plane.watch(Kinds.MacNodeLease, { namespace: this.namespace, ...(labelSelector !== undefined && { labelSelector }) }, log);
    await log.until(sync);
    return { log, stop: () => watching.stop() };
  }
}

type Here = () => Ground;
const conflict = { fault: 'Conflict', detail: { code: 409 } };

function creation(here: Here): void {
  it('makes an object with what the server alone says, once', async () => {
    const made = await here().plane.create(Kinds.MacNodeLease, { metadata: here().ref('a'), spec: SPEC, status: { phase: 'Bound' } });
    expect(made).toMatchObject({ apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', spec: SPEC, metadata: { generation: 1, uid: expect.stringMatching(/./) as string, creationTimestamp: expect.stringMatching(/^[\dT:-]{19}Z$/) as string } });
    expect(made.status).toBeUndefined();
    expect(await here().plane.get(Kinds.MacNodeLease, here().ref('a'))).toEqual(made);
    await expect(here().lease('a')).rejects.toMatchObject({ fault: 'AlreadyExists', detail: { code: 409 } });
  });

  it('says NotFound of what is not there, and that a namespace is missing', async () => {
    await expect(here().plane.get(Kinds.MacNodeLease, here().ref('none'))).rejects.toMatchObject({ fault: 'NotFound', detail: { code: 404 } });
    expect(await here().plane.tryGet(Kinds.MacNodeLease, here().ref('none'))).toBeNull();
    await expect(here().plane.remove(Kinds.MacNodeLease, here().ref('none'))).rejects.toMatchObject({ fault: 'NotFound' });
    await expect(here().plane.get(Kinds.MacNodeLease, { name: 'a' })).rejects.toMatchObject({ fault: 'Invalid' });
  });

  it('stores nothing of a dry run', async () => {
    const { plane, namespace } = here();
    const made = await here().lease('a');
    await plane.create(Kinds.MacNodeLease, { metadata: here().ref('b'), spec: SPEC }, { dryRun: true });
    expect((await plane.patch(Kinds.MacNodeLease, here().ref('a'), { spec: { release: true } }, { dryRun: true })).spec.release).toBe(true);
    await plane.remove(Kinds.MacNodeLease, here().ref('a'), { dryRun: true });
    expect((await plane.list(Kinds.MacNodeLease, { namespace })).items).toEqual([made]);
  });
}

function patches(here: Here): void {
  it('merges, takes away by null, and leaves the status to its subresource, which leaves it the rest', async () => {
    const { plane } = here();
    await here().lease('a', { labels: { keep: 'me', drop: 'me' } });
    const changed = await plane.patch(Kinds.MacNodeLease, here().ref('a'), { metadata: { labels: { drop: null, add: 'it' } }, spec: { release: true }, status: { phase: 'Bound' } });
    expect([changed.metadata.labels, changed.spec.release, changed.status]).toEqual([{ keep: 'me', add: 'it' }, true, undefined]);
    const told = await plane.patch(Kinds.MacNodeLease, here().ref('a'), { metadata: { labels: { add: null } }, spec: { release: false }, status: { phase: 'Held' } }, { subresource: 'status' });
    expect([told.metadata.labels, told.spec.release, told.status]).toEqual([{ keep: 'me', add: 'it' }, true, { phase: 'Held' }]);
  });

  it('counts what was wished for in the generation, and every change in the version', async () => {
    const made = await here().lease('a');
    const labelled = await here().label('a', 'x');
    const wished = await here().plane.patch(Kinds.MacNodeLease, here().ref('a'), { spec: { release: true } });
    const same = await here().plane.patch(Kinds.MacNodeLease, here().ref('a'), { spec: { release: true } });
    expect([made, labelled, wished, same].map(({ metadata }) => metadata.generation)).toEqual([1, 1, 2, 2]);
    expect(new Set([made, labelled, wished, same].map(({ metadata }) => metadata.resourceVersion)).size).toBe(3);
    expect([wished.metadata.uid, wished.metadata.creationTimestamp]).toEqual([made.metadata.uid, made.metadata.creationTimestamp]);
  });

  it('refuses a write over an object that has moved on, and of another one of the name', async () => {
    const { plane } = here();
    const { metadata: { uid, resourceVersion } } = await here().lease('a');
    const now = (await here().label('a', 'x')).metadata.resourceVersion;
    const at = here().ref('a');
    await expect(plane.patch(Kinds.MacNodeLease, at, { spec: { release: true } }, { preconditions: { resourceVersion } })).rejects.toMatchObject(conflict);
    await expect(plane.patch(Kinds.MacNodeLease, at, { metadata: { resourceVersion }, spec: { release: true } })).rejects.toMatchObject(conflict);
    await expect(plane.patch(Kinds.MacNodeLease, at, { status: { phase: 'Held' } }, { subresource: 'status', preconditions: { resourceVersion } })).rejects.toMatchObject(conflict);
    await expect(plane.patch(Kinds.MacNodeLease, at, { spec: { release: true } }, { preconditions: { uid: 'another' } })).rejects.toMatchObject({ fault: 'Conflict' });
    await expect(plane.remove(Kinds.MacNodeLease, at, { preconditions: { uid: 'another' } })).rejects.toMatchObject(conflict);
    await expect(plane.remove(Kinds.MacNodeLease, at, { preconditions: { uid, resourceVersion } })).rejects.toMatchObject(conflict);
    expect(await plane.get(Kinds.MacNodeLease, at)).toMatchObject({ metadata: { resourceVersion: now }, spec: { release: false } });
    await plane.remove(Kinds.MacNodeLease, at, { preconditions: { uid, resourceVersion: now } });
  });
}

function deletions(here: Here): void {
  it('keeps an object until its last finalizer is taken off, and takes no further one', async () => {
    const { plane } = here();
    const finalizers = (...list: string[]) => plane.patch(Kinds.MacNodeLease, here().ref('a'), { metadata: { finalizers: list } });
    await here().lease('a', { finalizers: ['test.io/one', 'test.io/two'] });
    await plane.remove(Kinds.MacNodeLease, here().ref('a'));
    const ending = await plane.get(Kinds.MacNodeLease, here().ref('a'));
    expect(ending.metadata).toMatchObject({ deletionTimestamp: expect.stringMatching(/Z$/) as string, deletionGracePeriodSeconds: 0, generation: 2, finalizers: ['test.io/one', 'test.io/two'] });
    await plane.remove(Kinds.MacNodeLease, here().ref('a'));
    expect(await plane.get(Kinds.MacNodeLease, here().ref('a'))).toEqual(ending);
    await expect(finalizers('test.io/one', 'test.io/three')).rejects.toMatchObject({ fault: 'Invalid' });
    await finalizers('test.io/two');
    await here().label('a', 'x');
    await finalizers();
    expect(await plane.tryGet(Kinds.MacNodeLease, here().ref('a'))).toBeNull();
  });

  it('gives a pod on a node its grace, through every other write, and none to one that is nowhere', async () => {
    const { plane } = here();
    await here().pod('placed', { nodeName: 'mac-c02x' });
    await plane.remove(Kinds.Pod, here().ref('placed'));
    const { metadata } = await plane.patch(Kinds.Pod, here().ref('placed'), { metadata: { labels: { label: 'x' } } });
    expect(metadata).toMatchObject({ deletionTimestamp: expect.stringMatching(/Z$/) as string, deletionGracePeriodSeconds: 60 });
    await plane.remove(Kinds.Pod, here().ref('placed'), { gracePeriodSeconds: 0 });
    await here().pod('nowhere');
    await plane.remove(Kinds.Pod, here().ref('nowhere'));
    expect((await plane.list(Kinds.Pod, { namespace: here().namespace })).items).toEqual([]);
  });
}

function lists(here: Here): void {
  it('selects by namespace, labels and fields, in the order of names', async () => {
    const { plane, namespace } = here();
    for (const [name, label] of [['c', 'x'], ['a', 'y'], ['b', 'x']] as const) await here().lease(name, { labels: { label, [`is-${name}`]: '' } });
    const names = async (selection: object) => (await plane.list(Kinds.MacNodeLease, { namespace, ...selection })).items.map(({ metadata }) => metadata.name);
    expect(await names({})).toEqual(['a', 'b', 'c']);
    expect(await names({ namespace: 'elsewhere' })).toEqual([]);
    expect(await names({ labelSelector: 'label' })).toEqual(['a', 'b', 'c']);
    expect(await names({ labelSelector: 'label=x' })).toEqual(['b', 'c']);
    expect(await names({ labelSelector: 'label!=x' })).toEqual(['a']);
    expect(await names({ labelSelector: 'label=x,!is-b' })).toEqual(['c']);
    expect(await names({ fieldSelector: 'metadata.name=a' })).toEqual(['a']);
    expect(await names({ fieldSelector: 'metadata.name!=a', labelSelector: 'is-c' })).toEqual(['c']);
  });

  it('tells the time of the server in whole seconds, and remembers it', async () => {
    const time = await here().plane.serverTime();
    expect(time % 1000).toBe(0);
    expect(here().plane.lastServerTime()).toBeGreaterThanOrEqual(time);
  });
}

function watches(here: Here): void {
  it('tells the whole set first, then every change in its order', async () => {
    const { plane } = here();
    await here().lease('b');
    await here().lease('a', { finalizers: ['test.io/one'] });
    const { log, stop } = await here().follow('SYNC a b');
    await here().lease('c');
    await here().label('c', 'x');
    await here().label('c', 'x');
    await plane.remove(Kinds.MacNodeLease, here().ref('a'));
    await plane.remove(Kinds.MacNodeLease, here().ref('c'));
    await plane.patch(Kinds.MacNodeLease, here().ref('a'), { metadata: { finalizers: null } });
    await log.until('DELETED a');
    expect(log.lines).toEqual(['SYNC a b', 'ADDED c', 'MODIFIED c', 'MODIFIED a', 'DELETED c', 'DELETED a']);
    stop();
  });

  it('sees an object come into its selection and leave it, and nothing once it is stopped', async () => {
    await here().lease('a');
    const selective = await here().follow('SYNC', 'label=x');
    const stopped = await here().follow('SYNC a');
    stopped.stop();
    await here().label('a', 'x');
    await here().label('a', 'y');
    await here().label('a', 'z');
    await here().label('a', 'x');
    await here().plane.remove(Kinds.MacNodeLease, here().ref('a'));
    await selective.log.until('DELETED a', 4);
    expect(selective.log.lines).toEqual(['SYNC', 'ADDED a', 'DELETED a', 'ADDED a', 'DELETED a']);
    expect(stopped.log.lines).toEqual(['SYNC a']);
    selective.stop();
  });
}

/** What callers of the port rely on, for every plane. @param open a plane where the caller may do everything, and how it ends */
export function describePlane(name: string, open: () => Promise<{ readonly plane: ControlPlane; readonly close: () => Promise<void> }>): void {
  describe(`the contract of the port on ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let ground: Ground;
    let count = 0;
    beforeAll(async () => { opened = await open(); });
    afterAll(() => opened.close());
    beforeEach(async () => {
      ground = new Ground(opened.plane, `contract-${(count += 1)}`);
      await opened.plane.create(Kinds.Namespace, { metadata: { name: ground.namespace } });
    });
    for (const part of [creation, patches, deletions, lists, watches]) part(() => ground);
  });
}
