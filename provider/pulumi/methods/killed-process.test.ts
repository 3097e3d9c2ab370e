import { Kinds } from '../../../sdk/api/kinds';
import { Annotation } from '../../../sdk/api/names';
import type { KubeObject } from '../../../sdk/api/object';
import { recordingControlPlane } from '../../../sdk/client/interrupted-plane';
import { instanceObject, leaseObject, Scene } from '../../core/testing/scene';
import { operate } from '../testing/operator';
import { instanceProps, instanceUrn, leaseProps, leaseUrn, markOf, ownedBy, startProvider, type ProviderProcess } from '../testing/provider-process';

const marked = <T extends KubeObject>(object: T, owner: string): T => ({ ...object, metadata: { ...object.metadata, annotations: { [Annotation.Owner]: owner } } });
const LEASE = leaseProps({ namespace: 'team-a', minimumDuration: '24h', onEarlyRelease: 'refuse', leaseId: 'team-a/l1' });
const INSTANCE = instanceProps('a', { namespace: 'team-a', running: true });
const STATE = { ...LEASE, uid: 'uid-l1', phase: 'Bound' };

/** A call of the engine, over what is there already. The engine makes it again after its process was killed. */
interface Case {
  readonly name: string;
  readonly writes: number;
  readonly there: (scene: Scene) => void;
  readonly call: (process: ProviderProcess) => Promise<unknown>;
}

const putLease = (owner: string, ...lease: Parameters<typeof leaseObject>) => ({ plane }: Scene) => void plane.put(marked(leaseObject(...lease), owner));

const CASES: readonly Case[] = [
  { name: 'the creation of a lease', writes: 1, there: () => undefined, call: ({ lease }) => lease.create(LEASE) },
  { name: 'the creation of a lease with hold', writes: 2, there: () => undefined, call: ({ lease }) => lease.create({ ...LEASE, onEarlyRelease: 'hold' }) },
  { name: 'the creation of a lease under the name of a Released one', writes: 2, there: putLease(markOf(leaseUrn('other')), 'l1', { phase: 'Released' }), call: ({ lease }) => lease.create(LEASE) },
  {
    name: 'the adoption of a Held lease with a longer floor', writes: 3, there: putLease(markOf(leaseUrn('other')), 'l1', { phase: 'Held' }, { release: true }),
    call: ({ lease }) => lease.create({ ...LEASE, adopt: true, minimumDuration: '48h' }),
  },
  {
    name: 'the update of a lease under a new name with a longer floor', writes: 2, there: putLease(markOf(leaseUrn()), 'l1'),
    call: ({ lease }) => lease.update('team-a/l1', STATE, { ...LEASE, minimumDuration: '48h', owner: ownedBy(leaseUrn('renamed')) }),
  },
  { name: 'the release of a lease with hold', writes: 1, there: putLease(markOf(leaseUrn()), 'l1'), call: ({ lease }) => lease.delete('team-a/l1', { ...STATE, onEarlyRelease: 'hold' }) },
  { name: 'the creation of an instance', writes: 1, there: putLease(markOf(leaseUrn()), 'l1'), call: ({ instance }) => instance.create(INSTANCE) },
  {
    name: 'the deletion of an instance', writes: 1, there: ({ plane }) => void plane.put(marked(instanceObject('a'), markOf(instanceUrn('a')))),
    call: ({ instance }) => instance.delete('team-a/a', { ...INSTANCE, uid: 'uid-a', phase: 'Running' }),
  },
  {
    name: 'the update of an instance under a new name that is to stop', writes: 2,
    there: ({ plane }) => void plane.put(marked(instanceObject('a'), markOf(instanceUrn('a')))),
    call: ({ instance }) => instance.update('team-a/a', { ...INSTANCE, uid: 'uid-a', phase: 'Running' }, { ...INSTANCE, running: false, owner: ownedBy(instanceUrn('renamed')) }),
  },
];

function world({ there }: Case): Scene {
  const scene = new Scene();
  there(scene);
  operate(scene.plane);
  return scene;
}

/** What everything ends as; uids and versions differ from run to run. */
async function outcome({ plane }: Scene): Promise<unknown> {
  const objects = [...(await plane.list(Kinds.MacNodeLease)).items, ...(await plane.list(Kinds.MacOSInstance)).items];
  return objects.map(({ kind, metadata: { name, annotations }, spec, status }) => ({ kind, name, annotations, spec, phase: status?.phase }));
}

describe.each(CASES)('$name', (each) => {
  const points = Array.from({ length: each.writes }, (_, i) => i + 1).flatMap((write) => (['before', 'after'] as const).map((moment) => ({ write, moment })));

  it(`makes ${each.writes} write(s), each of which may be its last`, async () => {
    const scene = world(each);
    const plane = recordingControlPlane(scene.plane);
    await each.call(startProvider(scene, plane));
    expect(plane.writes).toHaveLength(each.writes);
  });

  it.each(points)('killed $moment write $write ends as if it had not been, once it is made again', async ({ write, moment }) => {
    const undisturbed = world(each);
    await each.call(startProvider(undisturbed));
    const scene = world(each);
    const death = new Error('killed');
    const die = ({ number }: { readonly number: number }): void => {
      if (number === write) throw death;
    };
    await expect(each.call(startProvider(scene, recordingControlPlane(scene.plane, { [moment]: die })))).rejects.toBe(death);
    await each.call(startProvider(scene));
    expect(await outcome(scene)).toEqual(await outcome(undisturbed));
  });
});
