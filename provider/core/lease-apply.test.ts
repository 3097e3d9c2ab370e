import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import type { Applied } from './applied';
import type { Findings } from './finding';
import { createLease } from './lease-create';
import { deleteLease } from './lease-delete';
import { updateLease } from './lease-update';
import { fault } from '../../sdk/client/testing/memory/fault';
import { HOUR, leaseObject, leaseTarget, Scene, settle, storedLease } from './testing/scene';
import type { LeaseTarget } from './lease';

const CREATE_MS = 600_000;
const L1 = { namespace: 'team-a', name: 'l1' };

const reasons = (findings: Findings): string[] => findings.map((f) => `${f.severity} ${f.reason}`);
const outcome = ({ object, findings }: Applied<MacNodeLease>) => [object?.status?.phase ?? (object === null ? 'nothing' : 'Pending'), ...reasons(findings)];

function become(scene: Scene, status: MacNodeLease['status'] & object): void {
  scene.plane.change(Kinds.MacNodeLease, L1, (lease) => ({ ...lease, status: { ...lease.status, ...status } }));
}

const BOUND = leaseObject('l1').status ?? {};

/** The operator: binds what it is given, and follows releases. */
function operate(scene: Scene, bind = true): void {
  scene.plane.react = (_verb, object) => {
    const lease = object as MacNodeLease;
    const phase = lease.status?.phase ?? 'Pending';
    if (phase === 'Pending') become(scene, lease.spec.release ? { phase: 'Released' } : bind ? BOUND : { phase: 'Pending' });
    if (phase === 'Bound' && lease.spec.release) become(scene, { phase: 'Held' });
    if (phase === 'Held' && !lease.spec.release) become(scene, { phase: 'Bound' });
  };
}

const create = (scene: Scene, over: Partial<LeaseTarget> = {}, signal?: AbortSignal) =>
  createLease(scene.core, scene.call(signal === undefined ? {} : { signal }), leaseTarget(over), CREATE_MS);
const writes = (scene: Scene) => scene.plane.requests.filter((r) => /^(create|patch|remove) /.test(r));

describe('the creation of a lease', () => {
  it('waits until it is Bound', async () => {
    const scene = new Scene();
    const made = create(scene);
    await settle();
    expect(scene.plane.peek(Kinds.MacNodeLease, L1)?.spec).toEqual({ class: 'base', minimumDuration: '24h', release: false });
    become(scene, { phase: 'Binding' });
    become(scene, BOUND);
    expect(outcome(await made)).toEqual(['Bound']);
  });

  it('withdraws a Pending lease at the timeout and fails with NoCapacity when it is Released: nothing is left', async () => {
    const scene = new Scene();
    operate(scene, false);
    const made = create(scene);
    await settle();
    scene.timers.fire(CREATE_MS);
    expect(outcome(await made)).toEqual(['nothing', 'error NoCapacity']);
    expect(scene.plane.peek(Kinds.MacNodeLease, L1)?.status).toEqual({ phase: 'Released' });
  });

  it('keeps a lease that binds while the timeout passes: a success with a warning, and no release', async () => {
    const scene = new Scene();
    const made = create(scene);
    await settle();
    become(scene, { phase: 'Binding' });
    scene.timers.fire(CREATE_MS);
    await settle();
    become(scene, BOUND);
    expect(outcome(await made)).toEqual(['Bound', 'warning Timeout']);
    expect(scene.plane.peek(Kinds.MacNodeLease, L1)?.spec.release).toBe(false);
  });

  it('withdraws when the tool is interrupted', async () => {
    const scene = new Scene();
    operate(scene, false);
    const stop = new AbortController();
    const made = create(scene, {}, stop.signal);
    await settle();
    stop.abort();
    expect(outcome(await made)).toEqual(['nothing', 'error Interrupted']);
  });

  it('keeps the lease in the state when the control plane goes silent before it is known to be Bound', async () => {
    const scene = new Scene();
    const made = create(scene);
    await settle();
    scene.plane.refuse = () => fault('Unreachable');
    scene.timers.fire(CREATE_MS);
    expect(outcome(await made)).toEqual(['Pending', 'error Timeout']);
  });

  it('takes a Released object of the name out of the way, by its uid', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', { phase: 'Released' }));
    operate(scene);
    expect(outcome(await create(scene))).toEqual(['Bound']);
    expect(writes(scene)).toEqual(['remove macnodeleases team-a/l1', 'create macnodeleases team-a/l1']);
  });

  it('waits for one that is Releasing', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', { phase: 'Releasing' }));
    const made = create(scene);
    await settle();
    operate(scene);
    become(scene, { phase: 'Released' });
    expect(outcome(await made)).toEqual(['Bound']);
  });

  it('touches nothing that exists already, without adopt', async () => {
    for (const [phase, reason] of [['Bound', 'AlreadyExists'], ['Pending', 'AlreadyExists'], ['Held', 'NameHeld']] as const) {
      const scene = new Scene();
      scene.plane.put(leaseObject('l1', { phase }));
      expect(outcome(await create(scene))).toEqual(['nothing', `error ${reason}`]);
      expect(writes(scene)).toEqual([]);
    }
  });

  it('adopts a Held lease by taking the release back, with its floor unchanged', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', { phase: 'Held' }, { release: true }));
    const made = create(scene, { adopt: true });
    await settle();
    expect(scene.plane.peek(Kinds.MacNodeLease, L1)?.spec.release).toBe(false);
    become(scene, { phase: 'Bound' });
    const { object } = await made;
    expect([object?.status?.phase, object?.status?.earliestReleaseAt]).toEqual(['Bound', BOUND.earliestReleaseAt]);
  });

  it('adopts a Bound one of another class under no circumstances', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', {}, { class: 'pro' }));
    expect(outcome(await create(scene, { adopt: true }))).toEqual(['nothing', 'error LeaseImmutable']);
  });

  it('says what the control plane refuses', async () => {
    const scene = new Scene();
    scene.plane.refuse = (verb) => (verb === 'create' ? fault('Forbidden', 'exceeded quota: leases') : undefined);
    const { object, findings } = await create(scene);
    expect(object).toBeNull();
    expect(findings).toMatchObject([{ reason: 'Refused', detail: 'exceeded quota: leases. Nothing was written.' }]);
  });
});

describe('the release of a lease', () => {
  const release = (scene: Scene, over: Parameters<typeof storedLease>[0] = {}) => deleteLease(scene.core, scene.call(), storedLease(over), CREATE_MS);

  it('is judged again at the moment it is done: refused before the floor, and nothing is written', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1'));
    expect(reasons(await release(scene))).toEqual(['error EarlyRelease']);
    expect(writes(scene)).toEqual([]);
  });

  it('with hold ends when the lease is Held, with a warning that gives the instant', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1'));
    operate(scene);
    const said = await release(scene, { onEarlyRelease: 'hold' });
    expect(reasons(said)).toEqual(['warning BilledUntil']);
    expect(said[0]?.title).toContain('2026-11-30T10:00:00Z');
    expect(writes(scene)).toEqual(['patch macnodeleases team-a/l1']);
  });

  it('past the floor waits through Releasing for Released, and never deletes the object', async () => {
    const scene = new Scene();
    scene.plane.advance(24 * HOUR);
    scene.plane.put(leaseObject('l1'));
    const done = release(scene);
    let isDone = false;
    void done.then(() => { isDone = true; });
    await settle();
    become(scene, { phase: 'Releasing' });
    await settle();
    expect(isDone).toBe(false);
    become(scene, { phase: 'Released' });
    expect(await done).toEqual([]);
    expect(writes(scene)).toEqual(['patch macnodeleases team-a/l1']);
  });

  it('of one that is gone is done; a 403 is not "gone"; a 401 is an error', async () => {
    const gone = new Scene();
    expect(await release(gone)).toEqual([]);
    for (const name of ['Forbidden', 'Unauthorized'] as const) {
      const scene = new Scene();
      scene.plane.put(leaseObject('l1'));
      scene.plane.refuse = () => fault(name);
      expect(reasons(await release(scene))).toEqual([`error ${name}`]);
    }
  });

  it('tries again when somebody else was quicker, for a bounded number of times', async () => {
    const scene = new Scene();
    scene.plane.advance(24 * HOUR);
    scene.plane.put(leaseObject('l1'));
    let conflicts = 2;
    scene.plane.refuse = (verb) => (verb === 'patch' && conflicts-- > 0 ? fault('Conflict') : undefined);
    scene.plane.react = () => become(scene, { phase: 'Released' });
    expect(await release(scene)).toEqual([]);
    conflicts = Infinity;
    scene.plane.put(leaseObject('l1'));
    expect(reasons(await release(scene))).toEqual(['error Conflict']);
  });

  it('leaves another lease of the name alone', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', {}, { uid: 'other' }));
    expect(reasons(await release(scene))).toEqual(['warning ReplacedOutside']);
    expect(writes(scene)).toEqual([]);
  });

  it('leaves a lease alone that another resource has taken over, past its floor too', async () => {
    const scene = new Scene();
    const lease = leaseObject('l1');
    scene.plane.advance(24 * HOUR);
    scene.plane.put({ ...lease, metadata: { ...lease.metadata, annotations: { [Annotation.Owner]: 'pulumi:acme/urn:b' } } });
    expect(reasons(await release(scene, { owner: 'pulumi:acme/urn:a' }))).toEqual(['warning OwnedElsewhere']);
    expect(writes(scene)).toEqual([]);
  });

  it('that takes too long goes on without the tool, and the lease stays in the state', async () => {
    const scene = new Scene();
    scene.plane.advance(24 * HOUR);
    scene.plane.put(leaseObject('l1'));
    const done = release(scene);
    await settle();
    scene.timers.fire();
    expect(reasons(await done)).toEqual(['error Timeout']);
  });
});

describe('the change of a lease', () => {
  it('raises the minimum and waits until the operator has seen it', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1'));
    scene.plane.react = () => become(scene, { observedGeneration: 2, earliestReleaseAt: '2026-12-01T10:00:00Z' });
    const { object } = await updateLease(scene.core, scene.call(), leaseTarget({ minimumDuration: '48h' }), 'uid-l1', false, CREATE_MS);
    expect([object?.spec.minimumDuration, object?.status?.earliestReleaseAt]).toEqual(['48h', '2026-12-01T10:00:00Z']);
  });

  it('never writes a lower minimum', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', {}, { minimumDuration: '48h' }));
    await updateLease(scene.core, scene.call(), leaseTarget({ minimumDuration: '24h' }), 'uid-l1', false, CREATE_MS);
    expect(writes(scene)).toEqual([]);
  });

  it('does not touch another lease of the name', async () => {
    const scene = new Scene();
    scene.plane.put(leaseObject('l1', {}, { uid: 'other' }));
    expect(outcome(await updateLease(scene.core, scene.call(), leaseTarget({ minimumDuration: '48h' }), 'uid-l1', false, CREATE_MS))).toEqual(['nothing', 'error Conflict']);
    expect(writes(scene)).toEqual([]);
  });
});
