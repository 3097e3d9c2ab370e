import { readInstance } from './instance-read';
import { planInstanceCreate } from './instance-plan-create';
import { planInstanceDelete } from './instance-plan-delete';
import { planInstanceUpdate } from './instance-plan-update';
import { planLeaseCreate } from './lease-plan-create';
import type { Findings } from './finding';
import { classObject, HOUR, instanceDeclaration, instanceObject, leaseDeclaration, leaseObject, Scene, settle, storedInstance } from './testing/scene';
import { UNKNOWN } from '../../sdk/rules/unknown';
import { fault } from '../../sdk/client/testing/memory/fault';

const reasons = (findings: Findings): string[] => findings.filter((f) => f.severity === 'error').map((f) => f.reason);

function withLease(...instances: readonly string[]): Scene {
  const scene = new Scene();
  scene.plane.put(classObject('base', 4));
  scene.plane.put(leaseObject('l1'));
  for (const name of instances) scene.plane.put(instanceObject(name));
  return scene;
}

const create = (scene: Scene, name: string, over = {}, waiting = 0) => planInstanceCreate(scene.core, scene.call({ waiting }), instanceDeclaration(name, over));
const keep = async (scene: Scene, name: string) => (await planInstanceUpdate(scene.core, storedInstance(name), instanceDeclaration(name))).findings;
const refresh = (scene: Scene, ...names: string[]) => Promise.all(names.map((name) => readInstance(scene.core, { namespace: 'team-a', name, uid: `uid-${name}` })));

const small = { shape: { cpu: 1, memory: '1Gi', disk: '10Gi' } };

describe('a third instance at plan', () => {
  it('beside two that exist is refused with both, their ages and owners, and the command that frees a slot', async () => {
    const scene = withLease('a', 'b');
    scene.plane.advance(2 * HOUR);
    await refresh(scene, 'a', 'b');
    const answer = create(scene, 'c');
    await settle();
    expect(reasons(await keep(scene, 'a'))).toEqual([]);
    expect(reasons(await keep(scene, 'b'))).toEqual([]);
    const [refusal, ...others] = await answer;
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ severity: 'error', reason: 'ThirdInstance', path: 'lease', title: 'lease team-a/l1 takes two instances' });
    expect(refusal?.detail).toBe('Lease team-a/l1 (Mac c02xyz) takes 2 instances, and 3 are asked for. '
      + 'Its slots are held by team-a/a (Running, 2h 00m old, of ada) and team-a/b (Running, 2h 00m old, of ada); refused: team-a/c. '
      + "Apple's licence, section 2B(iii), permits 2 macOS virtual machines on a Mac; this does not end with time, and a stopped instance counts. "
      + 'Free a slot with `kubectl delete macosinstance a -n team-a` or by removing it from the configuration, or lease another Mac.');
  });

  it.each([[['a', 'b', 'c']], [['c', 'a', 'b']], [['b', 'c', 'a']]])('is refused in whichever order the calls come (%j)', async (order) => {
    const scene = withLease('a', 'b');
    await refresh(scene, 'a', 'b');
    const answers = [];
    for (const name of order) {
      answers.push(name === 'c' ? create(scene, 'c') : keep(scene, name));
      await settle();
    }
    expect((await Promise.all(answers)).flatMap(reasons)).toEqual(['ThirdInstance']);
  });

  it('on a lease that is new itself is refused from the program alone, once, naming all three', async () => {
    const scene = new Scene();
    scene.plane.put(classObject('base', 4));
    const lease = planLeaseCreate(scene.core, scene.call(), leaseDeclaration());
    await settle();
    const answers = ['a', 'b', 'c', 'd'].map((name) => create(scene, name, small));
    await scene.quiet();
    await lease;
    const refusals = (await Promise.all(answers)).flat().filter((f) => f.severity === 'error');
    expect(refusals.map((f) => f.reason)).toEqual(['ThirdInstance']);
    expect(refusals[0]?.detail).toContain('team-a/a, team-a/b, team-a/c');
  });

  it('is refused beside holders of another state, once no other call works', async () => {
    const scene = withLease('a', 'b');
    scene.core.run.markPreview();
    const answer = create(scene, 'c');
    await scene.quiet();
    expect(reasons(await answer)).toEqual(['ThirdInstance']);
  });

  it('is left to the apply where nothing tells that this is a preview', async () => {
    const scene = withLease('a', 'b');
    const answer = create(scene, 'c');
    await scene.quiet();
    expect(reasons(await answer)).toEqual([]);
  });

  it('is said by the instance that stays, where the create was let go before', async () => {
    const scene = withLease('a', 'b');
    const answer = create(scene, 'c');
    await scene.quiet();
    expect(reasons(await answer)).toEqual([]);
    expect(reasons(await keep(scene, 'a'))).toEqual([]);
    expect(reasons(await keep(scene, 'b'))).toEqual(['ThirdInstance']);
  });

  it('does not wait in an apply, which plans each create again', async () => {
    const scene = withLease('a', 'b');
    scene.core.run.markApplying();
    expect(reasons(await create(scene, 'c'))).toEqual([]);
  });

  it('is not claimed when as many creates wait as Terraform makes calls: their holders may have a fate that nobody could tell', async () => {
    const scene = withLease('a', 'b');
    scene.core.run.markPreview();
    const answer = create(scene, 'c', {}, 9);
    await scene.quiet();
    expect(await answer).toMatchObject([{ severity: 'warning', reason: 'NotChecked' }]);
  });
});

describe('two instances', () => {
  it('of which one goes and one comes are allowed, in either order', async () => {
    for (const createFirst of [true, false]) {
      const scene = withLease('a', 'b');
      await refresh(scene, 'a', 'b');
      const early = createFirst ? create(scene, 'c') : undefined;
      await settle();
      await keep(scene, 'a');
      await planInstanceDelete(scene.core, storedInstance('b'));
      expect(reasons(await (early ?? create(scene, 'c')))).toEqual([]);
    }
  });

  it('that are both swapped for new ones are allowed, whichever calls come first', async () => {
    const scene = withLease('a', 'b');
    await refresh(scene, 'a', 'b');
    const answers = [create(scene, 'c'), create(scene, 'd')];
    await settle();
    for (const name of ['b', 'a']) await planInstanceDelete(scene.core, storedInstance(name));
    expect((await Promise.all(answers)).flatMap(reasons)).toEqual([]);
  });

  it('of which one is replaced are allowed: its name counts once', async () => {
    const scene = withLease('a', 'b');
    await refresh(scene, 'a', 'b');
    const { replaces } = await planInstanceUpdate(scene.core, storedInstance('a'), instanceDeclaration('a', { image: 'acme/macos:16' }));
    expect(replaces).toEqual(['image']);
    await keep(scene, 'b');
    expect(reasons(await create(scene, 'a', { image: 'acme/macos:16' }))).toEqual([]);
  });

  it('beside a failed one are allowed', async () => {
    const scene = withLease('a');
    scene.plane.put(instanceObject('b', 'l1', { phase: 'Failed', reason: 'KernelLimit' }));
    await refresh(scene, 'a', 'b');
    await keep(scene, 'a');
    await planInstanceUpdate(scene.core, storedInstance('b', { phase: 'Failed' }), instanceDeclaration('b'));
    expect(reasons(await create(scene, 'c'))).toEqual([]);
  });
});

describe('the sizes of the instances of a lease', () => {
  it('must fit its Mac together', async () => {
    const scene = withLease('a');
    await refresh(scene, 'a');
    await keep(scene, 'a');
    const findings = await create(scene, 'b', { shape: { cpu: 5, memory: '8Gi', disk: '100Gi' } });
    expect(findings).toMatchObject([{ reason: 'ShapeTooLarge', path: 'shape.cpu' }]);
  });
});

describe('an instance whose lease cannot be used', () => {
  it('is refused for another tenant without a look at that tenant', async () => {
    const scene = withLease();
    expect(reasons(await create(scene, 'x', { namespace: 'team-b' }))).toEqual(['CrossTenant']);
    expect(scene.plane.requests.filter((r) => r.includes('team-a'))).toEqual([]);
  });

  it('is refused when no call declares the lease that it names', async () => {
    const scene = new Scene();
    const answer = create(scene, 'x', { lease: 'team-a/nope' });
    await scene.quiet();
    expect(reasons(await answer)).toEqual(['LeaseNotFound']);
  });

  it('is allowed when a later call declares that lease', async () => {
    const scene = new Scene();
    scene.plane.put(classObject('base', 4));
    const answer = create(scene, 'x', { lease: 'team-a/l2' });
    await settle();
    const lease = planLeaseCreate(scene.core, scene.call(), leaseDeclaration({ name: 'l2' }));
    await scene.quiet();
    await lease;
    expect(reasons(await answer)).toEqual([]);
  });

  it('is refused on a Held lease', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', { phase: 'Held' }));
    const answer = create(scene, 'x');
    await scene.quiet();
    expect(reasons(await answer)).toEqual(['LeaseNotBound']);
  });
});

describe('an instance that exists and is not in the state', () => {
  it('is not made again: the id to import is given', async () => {
    const scene = withLease('a');
    expect(await create(scene, 'a')).toMatchObject([{ reason: 'AlreadyExists', path: 'name', adoptable: { kind: 'instance', id: 'team-a/a' } }]);
  });
});

describe('a dry run of an instance', () => {
  it('is advice about the third one, and a refusal about anything else', async () => {
    const scene = withLease();
    scene.plane.refuse = (verb) => (verb === 'dry-run' ? fault('Forbidden', 'denied', [{ reason: 'ThirdInstance', message: 'three' }, { reason: 'LeaseNotBound', message: 'not bound' }]) : undefined);
    expect(await create(scene, 'a')).toMatchObject([{ severity: 'error', reason: 'LeaseNotBound', path: 'lease', detail: 'not bound. Nothing was written.' }]);
  });

  it('without the right to create is not checked, and says so once', async () => {
    const scene = withLease();
    scene.plane.refuse = (verb) => (verb === 'dry-run' ? fault('Forbidden', 'User "v" cannot create resource "macosinstances"') : undefined);
    expect(await create(scene, 'a')).toMatchObject([{ severity: 'warning', reason: 'NotChecked' }]);
    expect(await create(scene, 'b')).toEqual([]);
  });
});

describe('an instance that is not known in full', () => {
  it('is not checked, and what is said is which part is missing', async () => {
    const scene = withLease();
    expect(await create(scene, 'a', { namespace: UNKNOWN })).toMatchObject([{ reason: 'NotChecked', path: 'namespace', title: 'instance a of a namespace that is not known yet' }]);
    expect(await create(scene, 'a', { name: UNKNOWN })).toMatchObject([{ reason: 'NotChecked', path: 'name', title: 'instance of a name that is not known yet' }]);
    expect(await create(scene, 'a', { namespace: UNKNOWN, lease: UNKNOWN })).toMatchObject([{ reason: 'NotChecked', path: 'lease', title: 'instance a of a namespace that is not known yet' }]);
  });
});
