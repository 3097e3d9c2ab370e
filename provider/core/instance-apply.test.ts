import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import type { MacOSInstanceStatus } from '../../sdk/api/mac-os-instance';
import type { Applied } from './applied';
import type { Findings } from './finding';
import { createInstance } from './instance-create';
import { deleteInstance } from './instance-delete';
import { updateInstance } from './instance-update';
import { fault } from '../../sdk/client/testing/memory/fault';
import { instanceObject, instanceTarget, leaseObject, Scene, settle, storedInstance } from './testing/scene';
import type { InstanceTarget } from './instance';

const MS = 600_000;
const ref = (name: string) => ({ namespace: 'team-a', name });

const reasons = (findings: Findings): string[] => findings.map((f) => `${f.severity} ${f.reason}`);
const outcome = ({ object, findings }: Applied<MacOSInstance>) => [object?.status?.phase ?? (object === null ? 'nothing' : 'Pending'), ...reasons(findings)];
const writes = (scene: Scene) => scene.plane.requests.filter((r) => /^(create|patch|remove) /.test(r));
const create = (scene: Scene, name: string, over: Partial<InstanceTarget> = {}) => createInstance(scene.core, scene.call(), instanceTarget(name, over), MS);

function become(scene: Scene, name: string, status: MacOSInstanceStatus): void {
  scene.plane.change(Kinds.MacOSInstance, ref(name), (instance) => ({ ...instance, status: { ...instance.status, ...status } }));
}

function withLease(...instances: readonly string[]): Scene {
  const scene = new Scene();
  scene.plane.put(leaseObject('l1'));
  for (const name of instances) scene.plane.put(instanceObject(name));
  scene.plane.react = (verb, object) => { if (verb === 'create') become(scene, object.metadata.name, { phase: 'Running' }); };
  return scene;
}

describe('the creation of an instance', () => {
  it('waits until it runs, and not for an address', async () => {
    const scene = withLease();
    expect(outcome(await create(scene, 'a'))).toEqual(['Running']);
    expect(scene.plane.peek(Kinds.MacOSInstance, ref('a'))?.spec).toEqual({ leaseName: 'l1', image: 'acme/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' }, running: true });
  });

  it('waits for an address with await_ip, and fails without one', async () => {
    const scene = withLease();
    const made = create(scene, 'a', { awaitIp: true });
    await settle();
    scene.timers.fire();
    const { object, findings } = await made;
    expect(object?.status?.phase).toBe('Running');
    expect(findings).toMatchObject([{ severity: 'error', reason: 'Timeout', path: 'awaitIp' }]);
    const addressed = create(withAddress(), 'a', { awaitIp: true });
    expect(outcome(await addressed)).toEqual(['Running']);
  });

  function withAddress(): Scene {
    const scene = withLease();
    scene.plane.react = (_verb, object) => become(scene, object.metadata.name, { phase: 'Running', ip: '192.168.64.2' });
    return scene;
  }

  it('waits for a slot before it writes, so that waiting leaves no rejected attempts', async () => {
    const scene = withLease('a', 'b');
    const made = create(scene, 'c');
    await settle();
    expect(writes(scene)).toEqual([]);
    scene.plane.put(instanceObject('b', 'l1', {}, { deleted: true }));
    await settle();
    expect(writes(scene)).toEqual([]);
    scene.plane.erase(Kinds.MacOSInstance, ref('b'));
    expect(outcome(await made)).toEqual(['Running']);
  });

  it('fails with both holders when no slot comes free in time, and nothing was written', async () => {
    const scene = withLease('a', 'b');
    const made = create(scene, 'c');
    await settle();
    scene.timers.fire();
    const { object, findings } = await made;
    expect([object, ...reasons(findings)]).toEqual([null, 'error ThirdInstance']);
    for (const word of ['team-a/a', 'team-a/b', 'apply again']) expect(findings[0]?.detail).toContain(word);
    expect(writes(scene)).toEqual([]);
  });

  it('gives one free slot to one of two creates', async () => {
    const scene = withLease('a');
    scene.plane.react = () => undefined;
    const answers = [create(scene, 'b'), create(scene, 'c')];
    await settle();
    expect(writes(scene)).toHaveLength(1);
    scene.timers.fire();
    await Promise.all(answers);
  });

  it('waits for the lease that its run makes, where nothing orders the two', async () => {
    const scene = withLease();
    scene.plane.erase(Kinds.MacNodeLease, ref('l1'));
    scene.core.run.declareLease('team-a/l1', { fate: 'create', class: 'base', serial: null, becomesBound: true });
    const made = create(scene, 'a');
    await settle();
    scene.plane.put(leaseObject('l1', { phase: 'Pending' }));
    await settle();
    expect(writes(scene)).toEqual([]);
    scene.plane.put(leaseObject('l1'));
    expect(outcome(await made)).toEqual(['Running']);
  });

  it('is refused on a Held lease at once', async () => {
    const scene = withLease();
    scene.plane.put(leaseObject('l1', { phase: 'Held' }, { release: true }));
    expect(outcome(await create(scene, 'a'))).toEqual(['nothing', 'error LeaseNotBound']);
  });

  it('touches nothing of that name that exists', async () => {
    const scene = withLease('a');
    expect(outcome(await create(scene, 'a'))).toEqual(['nothing', 'error AlreadyExists']);
    expect(writes(scene)).toEqual([]);
  });

  it('removes an object that the rules refuse after all', async () => {
    const scene = withLease();
    scene.plane.react = (verb, object) => { if (verb === 'create') become(scene, object.metadata.name, { phase: 'Failed', reason: 'ThirdInstance', message: 'two came before it' }); };
    const { object, findings } = await create(scene, 'a');
    expect([object, ...reasons(findings)]).toEqual([null, 'error ThirdInstance']);
    expect(findings[0]?.detail).toContain('two came before it');
    expect(scene.plane.peek(Kinds.MacOSInstance, ref('a'))).toBeNull();
  });

  it('keeps one that failed otherwise, so that its reason can be read', async () => {
    const scene = withLease();
    scene.plane.react = (verb, object) => { if (verb === 'create') become(scene, object.metadata.name, { phase: 'Failed', reason: 'KernelLimit', message: 'the kernel counts two' }); };
    expect(outcome(await create(scene, 'a'))).toEqual(['Failed', 'error KernelLimit']);
    expect(writes(scene)).toEqual(['create macosinstances team-a/a']);
  });

  it('does not ask a lease of another tenant anything', async () => {
    const scene = withLease();
    expect(outcome(await create(scene, 'a', { namespace: 'team-b' }))).toEqual(['nothing', 'error CrossTenant']);
    expect(writes(scene)).toEqual([]);
  });
});

describe('the deletion of an instance', () => {
  const remove = (scene: Scene) => deleteInstance(scene.core, scene.call(), storedInstance('a'), MS);

  it('waits until its machine and its disk are gone', async () => {
    const scene = withLease('a');
    const plane = scene.plane;
    plane.remove = (kind, target) => {
      plane.put(instanceObject(target.name, 'l1', {}, { deleted: true }));
      return Promise.resolve();
    };
    const done = remove(scene);
    let isDone = false;
    void done.then(() => { isDone = true; });
    await settle();
    expect(isDone).toBe(false);
    plane.erase(Kinds.MacOSInstance, ref('a'));
    expect(await done).toEqual([]);
  });

  it('of one that is gone is done, a 403 is an error, and another one of the name is left alone', async () => {
    expect(await remove(withLease())).toEqual([]);
    const denied = withLease('a');
    denied.plane.refuse = (verb) => (verb === 'remove' ? fault('Forbidden') : undefined);
    expect(reasons(await remove(denied))).toEqual(['error Forbidden']);
    const other = withLease();
    other.plane.put(instanceObject('a', 'l1', {}, { uid: 'other' }));
    expect(reasons(await remove(other))).toEqual(['warning ReplacedOutside']);
    expect(writes(other)).toEqual([]);
  });
});

describe('the change of an instance', () => {
  it('stops it, and waits until it has stopped', async () => {
    const scene = withLease('a');
    scene.plane.react = () => become(scene, 'a', { phase: 'Stopped' });
    expect(outcome(await updateInstance(scene.core, scene.call(), instanceTarget('a', { running: false }), 'uid-a', MS))).toEqual(['Stopped']);
  });

  it('never removes one that fails to start: it has a disk', async () => {
    const scene = withLease();
    scene.plane.put({ ...instanceObject('a', 'l1', { phase: 'Stopped' }), spec: { ...instanceObject('a').spec, running: false } });
    scene.plane.react = () => become(scene, 'a', { phase: 'Failed', reason: 'ThirdInstance' });
    expect(outcome(await updateInstance(scene.core, scene.call(), instanceTarget('a'), 'uid-a', MS))).toEqual(['Failed', 'error ThirdInstance']);
    expect(scene.plane.peek(Kinds.MacOSInstance, ref('a'))).not.toBeNull();
  });
});
