import { Kinds, type MacOSInstance } from '../../../sdk/api/kinds';
import { Annotation } from '../../../sdk/api/names';
import { fault } from '../../../sdk/client/testing/memory/fault';
import { instanceObject, leaseObject, Scene, settle } from '../../core/testing/scene';
import { operate } from '../testing/operator';
import { instanceProps, instanceUrn, markOf, ownedBy, startProvider } from '../testing/provider-process';

const A = { namespace: 'team-a', name: 'a' };
const INPUTS = instanceProps('a', { namespace: 'team-a', running: true });
const STATE = { ...INPUTS, uid: 'uid-a', phase: 'Running' };
const MINE = markOf(instanceUrn('a'));

const writes = ({ plane }: Scene): string[] => plane.requests.filter((request) => /^(create|patch|remove) /.test(request));
const onServer = ({ plane }: Scene) => plane.peek(Kinds.MacOSInstance, A);

function scene(owner?: string, status: Parameters<typeof instanceObject>[2] = {}, over: Parameters<typeof instanceObject>[3] = {}): Scene {
  const made = new Scene();
  made.plane.put(leaseObject('l1'));
  operate(made.plane);
  if (owner === undefined) return made;
  const instance = instanceObject('a', 'l1', status, over);
  made.plane.put({ ...instance, metadata: { ...instance.metadata, annotations: { [Annotation.Owner]: owner } } });
  return made;
}

describe('create', () => {
  it('makes the instance with the mark of its resource, and answers when it runs', async () => {
    const empty = scene();
    const { id, outs } = await startProvider(empty).instance.create({ ...INPUTS, __provider: 'text' });
    expect([id, outs.phase, onServer(empty)?.metadata.annotations]).toEqual(['team-a/a', 'Running', { [Annotation.Owner]: MINE }]);
    expect(outs).not.toHaveProperty('__provider');
  });

  it('takes what this very resource has made, and starts or stops it as it is asked for now', async () => {
    const there = scene(MINE);
    expect((await startProvider(there).instance.create(INPUTS)).outs.uid).toBe('uid-a');
    expect(writes(there)).toEqual([]);
    expect((await startProvider(there).instance.create({ ...INPUTS, running: false })).outs.phase).toBe('Stopped');
  });

  it('leaves the instance of another resource alone, and its own one that is another by now', async () => {
    const other = scene(markOf(instanceUrn('other')));
    await expect(startProvider(other).instance.create(INPUTS)).rejects.toThrow(/^AlreadyExists: /);
    const changed = scene(MINE);
    await expect(startProvider(changed).instance.create({ ...INPUTS, image: 'acme/macos:16' })).rejects.toThrow(/^AlreadyExists: /);
    expect([writes(other), writes(changed)]).toEqual([[], []]);
  });

  it('keeps a failed one in the state with its reason, and fails', async () => {
    const failing = scene();
    failing.plane.react = () => void failing.plane.change(Kinds.MacOSInstance, A, (i): MacOSInstance => ({ ...i, status: { phase: 'Failed', reason: 'ImagePullFailed', message: 'no such image' } }));
    await expect(startProvider(failing).instance.create(INPUTS)).rejects.toMatchObject({ id: 'team-a/a', properties: { phase: 'Failed', reason: 'ImagePullFailed' }, message: expect.stringMatching(/^InstanceFailed: /) as unknown });
  });

  it('waits for its lease, and fails where that will not be Bound', async () => {
    const held = scene();
    held.plane.put(leaseObject('l1', { phase: 'Held' }, { release: true }));
    await expect(startProvider(held).instance.create(INPUTS)).rejects.toThrow(/^LeaseNotBound: /);
    expect(writes(held)).toEqual([]);
  });
});

describe('read', () => {
  it('answers what the control plane has, in the form of the state where that means the same', async () => {
    const { id, props } = await startProvider(scene(MINE)).instance.read('team-a/a', { ...STATE, running: false, shape: { cpu: 2, memory: '8192Mi', disk: '50Gi' } });
    expect([id, props]).toEqual(['team-a/a', expect.objectContaining({ running: true, phase: 'Running', lease: 'team-a/l1', shape: { cpu: 4, memory: '8192Mi', disk: '100Gi' }, owner: ownedBy(instanceUrn('a')) })]);
  });

  it('says that only one is gone that does not exist', async () => {
    expect(await startProvider(scene()).instance.read('team-a/a', STATE)).toEqual({ id: '', props: {} });
    await expect(startProvider(scene()).instance.read('team-a/a', {})).rejects.toThrow(/there is no instance team-a\/a/);
  });

  it.each(['Forbidden', 'Unauthorized', 'Unreachable', 'Timeout'] as const)('throws when the control plane answers %s', async (name) => {
    const deaf = scene(MINE);
    deaf.plane.refuse = () => fault(name);
    await expect(startProvider(deaf).instance.read('team-a/a', STATE)).rejects.toMatchObject({ stack: '' });
  });

  it('tells of another instance of the name at its resource', async () => {
    const { instance, told } = startProvider(scene(MINE, {}, { uid: 'other' }));
    expect((await instance.read('team-a/a', STATE)).props.uid).toBe('other');
    expect(told.short).toEqual(['warning ReplacedOutside at a']);
  });
});

describe('update', () => {
  it('stops and starts, and rewrites the mark of a resource that has a new name', async () => {
    const there = scene(MINE);
    const renamed = ownedBy(instanceUrn('renamed'));
    const { outs } = await startProvider(there).instance.update('team-a/a', STATE, { ...INPUTS, running: false, owner: renamed });
    expect([outs.phase, outs.running, onServer(there)?.metadata.annotations?.[Annotation.Owner]]).toEqual(['Stopped', false, markOf(instanceUrn('renamed'))]);
  });

  it('touches no other instance of the name', async () => {
    const other = scene(MINE, {}, { uid: 'other' });
    await expect(startProvider(other).instance.update('team-a/a', STATE, { ...INPUTS, running: false })).rejects.toThrow(/^Conflict: /);
    expect(writes(other)).toEqual([]);
  });
});

describe('delete', () => {
  it('ends when machine and disk are gone, and not before', async () => {
    const there = scene(MINE);
    there.plane.change(Kinds.MacOSInstance, A, (i): MacOSInstance => ({ ...i, metadata: { ...i.metadata, finalizers: ['macrack.io/vm'] } }));
    let isDone = false;
    const done = startProvider(there).instance.delete('team-a/a', STATE).then(() => { isDone = true; });
    await settle();
    expect([isDone, writes(there)]).toEqual([false, ['remove macosinstances team-a/a']]);
    there.plane.erase(Kinds.MacOSInstance, A);
    await done;
  });

  it('of one that is gone is done, and of another one of the name touches nothing', async () => {
    await startProvider(scene()).instance.delete('team-a/a', STATE);
    const other = scene(MINE, {}, { uid: 'other' });
    const { instance, told } = startProvider(other);
    await instance.delete('team-a/a', STATE);
    expect([told.short, writes(other)]).toEqual([['warning ReplacedOutside at a'], []]);
  });
});
