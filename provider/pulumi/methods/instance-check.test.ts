import { Kinds } from '../../../sdk/api/kinds';
import { Annotation } from '../../../sdk/api/names';
import { fault } from '../../../sdk/client/testing/memory/fault';
import { classObject, instanceObject, leaseObject, Scene } from '../../core/testing/scene';
import { withheldInput } from '../inputs/owner';
import { instanceProps, instanceUrn, leaseProps, markOf, startProvider, type ProviderProcess } from '../testing/provider-process';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

function withLease(...instances: readonly string[]): Scene {
  const scene = new Scene();
  scene.plane.put(leaseObject('l1'));
  for (const name of instances) scene.plane.put(instanceObject(name));
  return scene;
}

const short = ({ failures }: Awaited<ReturnType<ProviderProcess['instance']['check']>>): string[] => failures.map(({ property, reason }) => `${property} ${reason.split(':')[0] ?? ''}`);
const refusals = async (scene: Scene, over: object = {}, olds: object = {}): Promise<string[]> => short(await startProvider(scene).instance.check({ ...olds }, instanceProps('x', over)));
const SMALL = { cpu: 1, memory: '1Gi', disk: '10Gi' };

describe('the check of a new instance', () => {
  it('lets the second one be, and refuses the third, with the names of all', async () => {
    expect(await refusals(withLease('a'))).toEqual([]);
    const { failures } = await startProvider(withLease('a', 'b')).instance.check({}, instanceProps('x'));
    expect(failures).toMatchObject([{ property: 'lease', reason: expect.stringMatching(/^ThirdInstance: (?=.*\ba\b)(?=.*\bb\b)(?=.*\bx\b)/) as unknown }]);
  });

  it('counts what the run declares with what there is, in whichever order it is asked', async () => {
    const { instance } = startProvider(withLease('a'));
    expect(short(await instance.check({}, instanceProps('x', { shape: SMALL })))).toEqual([]);
    expect(short(await instance.check({}, instanceProps('y', { shape: SMALL })))).toEqual(['lease ThirdInstance']);
  });

  it('counts three on a lease that is new itself', async () => {
    const { lease, instance } = startProvider();
    expect((await lease.check({}, leaseProps())).failures).toEqual([]);
    expect([short(await instance.check({}, instanceProps('a'))), short(await instance.check({}, instanceProps('b'))), short(await instance.check({}, instanceProps('c')))]).toEqual([[], [], ['lease ThirdInstance']]);
  });

  it('counts a stopped instance, and not a failed one', async () => {
    const scene = withLease('a', 'b');
    scene.plane.put(instanceObject('a', 'l1', { phase: 'Stopped' }));
    expect(await refusals(scene)).toEqual(['lease ThirdInstance']);
    scene.plane.put(instanceObject('a', 'l1', { phase: 'Failed' }));
    expect(await refusals(scene)).toEqual([]);
  });

  it.each([
    ['another tenant', { namespace: 'team-b' }, 'lease CrossTenant'],
    ['a lease that there is not', { lease: 'team-a/none' }, 'lease LeaseNotFound'],
  ])('refuses %s', async (_what, over, expected) => {
    expect(await refusals(withLease(), over)).toEqual([expected]);
  });

  it('refuses one on a Held lease', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', { phase: 'Held' }));
    expect(await refusals(scene)).toEqual(['lease LeaseNotBound']);
  });

  it('refuses shapes that together exceed the Mac', async () => {
    const scene = withLease('a');
    scene.plane.put(classObject('base', 1));
    expect(await refusals(scene, { shape: { cpu: 4, memory: '9Gi', disk: '100Gi' } })).toEqual(['shape ShapeTooLarge']);
    expect(await refusals(scene)).toEqual([]);
  });

  it('refuses the name of another one, and takes what this very resource has made', async () => {
    const scene = withLease('x');
    expect(await refusals(scene)).toEqual(['name AlreadyExists']);
    scene.plane.change(Kinds.MacOSInstance, { namespace: 'team-a', name: 'x' }, (i) => ({ ...i, metadata: { ...i.metadata, annotations: { [Annotation.Owner]: markOf(instanceUrn('x')) } } }));
    expect(await refusals(scene)).toEqual([]);
  });

  it('names every fault of the inputs at once and asks nobody', async () => {
    const scene = withLease();
    expect(await refusals(scene, { maxVms: 3, image: '', shape: { cpu: 0, memory: 'much', disk: '1Gi' } })).toEqual(['maxVms InvalidValue', 'image InvalidValue', 'shape InvalidValue', 'shape InvalidValue']);
    expect(scene.plane.requests).toEqual([]);
  });

  it.each(['lease', 'name', 'shape'])('claims nothing while its %s is unknown, and leaves it unknown', async (field) => {
    const { inputs, failures } = await startProvider(withLease()).instance.check({}, instanceProps('x', { [field]: GUID }));
    expect([failures, inputs[field]]).toEqual([[], GUID]);
  });

  it('lets it be while the control plane is silent: the update asks again', async () => {
    const scene = withLease('a', 'b');
    scene.plane.refuse = () => fault('Unreachable');
    expect(await refusals(scene)).toEqual([]);
  });
});

describe('the check of an instance whose lease is not known yet', () => {
  it('says so at the instance, once, and still judges what is known', async () => {
    const { instance, told } = startProvider();
    expect(short(await instance.check({}, instanceProps('x', { lease: GUID })))).toEqual([]);
    expect(told.short).toEqual(['warning NotChecked at x']);
    expect(short(await instance.check({}, instanceProps('y', { lease: GUID, image: 'not an image' })))).toEqual(['image InvalidValue']);
  });
});

describe('the check of a resource that is withheld', () => {
  it('refuses it, with the reason, whatever else it is', async () => {
    const { lease } = startProvider();
    const { failures } = await lease.check({}, { ...leaseProps(), owner: withheldInput('ThirdInstance: no.') });
    expect(failures).toEqual([{ property: '', reason: 'ThirdInstance: no.' }]);
  });
});

describe('the check of an instance in the state', () => {
  const inState = instanceProps('a', { namespace: 'team-a', running: true });

  it('lets everything about it change, and counts it as one that stays', async () => {
    const { instance } = startProvider(withLease('a'));
    expect(short(await instance.check({ ...inState }, instanceProps('a', { running: false, image: 'acme/macos:16' })))).toEqual([]);
    const kept = startProvider(withLease('a')).instance;
    expect([short(await kept.check({ ...inState }, instanceProps('a'))), short(await kept.check({}, instanceProps('x'))), short(await kept.check({}, instanceProps('y')))]).toEqual([[], [], ['lease ThirdInstance']]);
  });

  it.each([['Unauthorized', [' Unauthorized']], ['Forbidden', []], ['Unreachable', []]] as const)('meets the answer %s with the refusals %j', async (name, refused) => {
    const scene = withLease('a');
    scene.plane.refuse = () => fault(name);
    expect(short(await startProvider(scene).instance.check({ ...inState }, instanceProps('a')))).toEqual(refused);
  });

  it('refuses it where its lease is gone, and it with it: the state alone does not make it run', async () => {
    const olds = { ...instanceProps('x'), namespace: 'team-a', running: true };
    expect(await refusals(new Scene(), {}, olds)).toEqual(['lease LeaseNotFound']);
    expect((await startProvider(new Scene()).instance.check(olds, instanceProps('x'))).failures[0]?.reason).toContain('run `pulumi refresh`');
    expect(await refusals(withLease(), {}, olds)).toEqual([]);
    expect(await refusals(withLease('x'), {}, olds)).toEqual([]);
  });

  it('counts the second half of its replacement once', async () => {
    const { instance } = startProvider(withLease('a', 'b'));
    const next = instanceProps('a', { image: 'acme/macos:16' });
    expect(short(await instance.check({ ...inState }, next))).toEqual([]);
    const scene = withLease('a', 'b');
    scene.plane.change(Kinds.MacOSInstance, { namespace: 'team-a', name: 'a' }, (i) => ({ ...i, metadata: { ...i.metadata, annotations: { [Annotation.Owner]: markOf(instanceUrn('a')) } } }));
    const again = startProvider(scene).instance;
    expect([short(await again.check({ ...inState }, next)), short(await again.check({}, next))]).toEqual([[], []]);
  });
});
