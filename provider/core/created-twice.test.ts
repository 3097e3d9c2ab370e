import { planInstanceCreate } from './instance-plan-create';
import { planInstanceUpdate } from './instance-plan-update';
import { planLeaseCreate } from './lease-plan-create';
import { planLeaseUpdate } from './lease-plan-update';
import { readInstance } from './instance-read';
import { readLease } from './lease-read';
import type { Finding, Findings } from './finding';
import type { LeaseDeclaration } from './lease';
import type { InstanceDeclaration } from './instance';
import { UNKNOWN } from '../../sdk/rules/unknown';
import { classObject, HOUR, instanceDeclaration, instanceObject, leaseDeclaration, leaseObject, Scene, storedInstance, storedLease } from './testing/scene';

const errors = (findings: Findings): Finding[] => findings.filter((f) => f.severity === 'error');

function sceneOf(...leases: readonly string[]): Scene {
  const scene = new Scene();
  scene.plane.put(classObject('base', 4));
  for (const name of leases) scene.plane.put(leaseObject(name));
  return scene;
}

async function all(scene: Scene, ...answers: readonly Promise<Findings>[]): Promise<Findings> {
  await scene.quiet();
  return (await Promise.all(answers)).flat();
}

const lease = (scene: Scene, over: Partial<LeaseDeclaration> = {}) => planLeaseCreate(scene.core, scene.call(), leaseDeclaration(over));
const instance = (scene: Scene, name: string, over: Partial<InstanceDeclaration> = {}) =>
  planInstanceCreate(scene.core, scene.call(), instanceDeclaration(name, { shape: { cpu: 1, memory: '1Gi', disk: '1Gi' }, ...over }));

describe('two resources of one configuration with one name', () => {
  it('are refused as leases at plan, with the name and what to do', async () => {
    const scene = sceneOf();
    const [refusal, ...others] = errors(await all(scene, lease(scene), lease(scene)));
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ reason: 'AlreadyExists', path: 'name', title: 'two resources of this configuration have the name team-a/l1' });
    expect(refusal?.detail).toBe('Two resources of this configuration declare lease team-a/l1. A namespace has one lease of a name, which could be only one of them, for as long as both are written. '
      + 'Give one of them another name, or remove it. With count or for_each, make count.index or each.key a part of the name.');
    expect(refusal?.adoptable).toBeUndefined();
  });

  it('count as one new lease', async () => {
    const scene = sceneOf();
    const said = await all(scene, lease(scene), lease(scene), lease(scene, { name: 'l2' }));
    expect(said.find(({ reason }) => reason === 'NewLeases')?.title).toBe('2 new leases, at least 24h each, cannot be undone');
  });

  it('are refused as leases also where both adopt one that is there', async () => {
    const scene = sceneOf('l1');
    expect(errors(await all(scene, lease(scene, { adopt: true }), lease(scene, { adopt: true }))).map((f) => f.reason)).toEqual(['AlreadyExists']);
  });

  it('are refused as instances, on whichever leases', async () => {
    const scene = sceneOf('l1', 'l2');
    const [refusal, ...others] = errors(await all(scene, instance(scene, 'a'), instance(scene, 'a', { lease: 'team-a/l2' })));
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ reason: 'AlreadyExists', path: 'name', title: 'two resources of this configuration have the name team-a/a' });
    expect(errors(await all(scene, instance(scene, 'b', { lease: UNKNOWN }), instance(scene, 'b', { lease: UNKNOWN })))).toHaveLength(1);
  });

  it('are no clash as a lease and an instance, or in two namespaces', async () => {
    const scene = sceneOf('l1');
    expect(errors(await all(scene, lease(scene, { name: 'a' }), instance(scene, 'a'), lease(scene, { name: 'a', namespace: 'team-b' })))).toEqual([]);
  });

  it('are refused in an apply as well, where a name became known only then', async () => {
    const scene = sceneOf('l1');
    scene.core.run.markApplying();
    expect(errors(await all(scene, lease(scene, { name: 'l2' }), instance(scene, 'a')))).toEqual([]);
    expect(errors(await all(scene, lease(scene, { name: 'l2' }), instance(scene, 'a'))).map((f) => f.reason)).toEqual(['AlreadyExists', 'AlreadyExists']);
  });
});

describe('one resource that is planned twice in a run', () => {
  it('is no clash as a lease that is replaced: first an update, then a create', async () => {
    const scene = sceneOf('l1');
    scene.plane.advance(25 * HOUR);
    await readLease(scene.core, { namespace: 'team-a', name: 'l1', uid: 'uid-l1' });
    const { replaces } = await planLeaseUpdate(scene.core, storedLease(), leaseDeclaration({ serial: 'c02abc' }));
    expect(replaces).toEqual(['serial']);
    expect(errors(await all(scene, lease(scene, { serial: 'c02abc' })))).toEqual([]);
  });

  it('is no clash as an instance that is replaced', async () => {
    const scene = sceneOf('l1');
    scene.plane.put(instanceObject('a'));
    await readInstance(scene.core, { namespace: 'team-a', name: 'a', uid: 'uid-a' });
    await planInstanceUpdate(scene.core, storedInstance('a'), instanceDeclaration('a', { image: 'acme/macos:16' }));
    expect(errors(await all(scene, instance(scene, 'a', { image: 'acme/macos:16' })))).toEqual([]);
  });

  it('is no clash with the create of another run, as a preview and its apply are', async () => {
    const [preview, apply] = [sceneOf(), sceneOf()];
    apply.core.run.markApplying();
    expect(errors([...await all(preview, lease(preview)), ...await all(apply, lease(apply))])).toEqual([]);
  });
});
