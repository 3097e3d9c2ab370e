import { Kinds, type MacNodeLease } from '../../../sdk/api/kinds';
import { Annotation } from '../../../sdk/api/names';
import { fault } from '../../../sdk/client/testing/memory/fault';
import { HOUR, leaseObject, Scene, settle } from '../../core/testing/scene';
import { operate } from '../testing/operator';
import { leaseProps, leaseUrn, markOf, ownedBy, startProvider } from '../testing/provider-process';

const L1 = { namespace: 'team-a', name: 'l1' };
const INPUTS = leaseProps({ namespace: 'team-a', minimumDuration: '24h', onEarlyRelease: 'refuse', leaseId: 'team-a/l1' });
const MINE = markOf(leaseUrn());

const writes = ({ plane }: Scene): string[] => plane.requests.filter((request) => /^(create|patch|remove) /.test(request));
const uidOn = ({ plane }: Scene): string | undefined => plane.peek(Kinds.MacNodeLease, L1)?.metadata.uid;
const markOn = ({ plane }: Scene): string | undefined => plane.peek(Kinds.MacNodeLease, L1)?.metadata.annotations?.[Annotation.Owner];

function withLease(owner: string | undefined, ...[status, over]: [Parameters<typeof leaseObject>[1]?, Parameters<typeof leaseObject>[2]?]): Scene {
  const scene = new Scene();
  const lease = leaseObject('l1', status, over);
  scene.plane.put(owner === undefined ? lease : { ...lease, metadata: { ...lease.metadata, annotations: { [Annotation.Owner]: owner } } });
  operate(scene.plane);
  return scene;
}

const STATE = { ...INPUTS, uid: 'uid-l1', phase: 'Bound', chassis: 'c02xyz', earliestReleaseAt: leaseObject('l1').status?.earliestReleaseAt };

describe('create', () => {
  it('makes the lease with the mark of its resource, and answers when it is Bound', async () => {
    const scene = new Scene();
    operate(scene.plane);
    const { id, outs } = await startProvider(scene).lease.create({ ...INPUTS, __provider: 'text' });
    expect([id, outs.phase, outs.uid, outs.chassis, markOn(scene)]).toEqual(['team-a/l1', 'Bound', uidOn(scene), 'c02xyz', MINE]);
    expect(outs).not.toHaveProperty('__provider');
    expect(Object.values(outs)).not.toContain(null);
  });

  it('takes what this very resource has made, without another write', async () => {
    const scene = withLease(MINE);
    const { outs } = await startProvider(scene).lease.create(INPUTS);
    expect([outs.uid, writes(scene)]).toEqual(['uid-l1', []]);
  });

  it.each([['another resource', markOf(leaseUrn('other'))], ['another organization', MINE.replace('acme', 'umbrella')], ['nobody of Pulumi', undefined]])('leaves the lease of %s alone', async (_whose, owner) => {
    const scene = withLease(owner);
    await expect(startProvider(scene).lease.create(INPUTS)).rejects.toThrow(/^AlreadyExists: .*Set adopt: true to take it into this stack/);
    expect([markOn(scene), writes(scene)]).toEqual([owner, []]);
  });

  it('leaves its own one alone that is another lease by now', async () => {
    const scene = withLease(MINE, {}, { class: 'pro' });
    await expect(startProvider(scene).lease.create(INPUTS)).rejects.toThrow(/^LeaseImmutable: /);
    expect(writes(scene)).toEqual([]);
  });

  it('refuses the name of a Held lease, and takes it with adopt: Bound again, with its floor and a new mark', async () => {
    await expect(startProvider(withLease(MINE, { phase: 'Held' }, { release: true })).lease.create(INPUTS)).rejects.toThrow(/^NameHeld: .*adopt: true/);
    const scene = withLease(markOf(leaseUrn('other')), { phase: 'Held' }, { release: true });
    const { outs } = await startProvider(scene).lease.create({ ...INPUTS, adopt: true });
    expect([outs.phase, outs.uid, outs.earliestReleaseAt, markOn(scene)]).toEqual(['Bound', 'uid-l1', STATE.earliestReleaseAt, MINE]);
  });

  it('puts what was observed into the state where the inputs ask for it', async () => {
    const scene = new Scene();
    operate(scene.plane);
    expect((await startProvider(scene).lease.create({ ...INPUTS, statusInDiff: true })).outs.observed).toMatchObject({ phase: 'Bound', earliestReleaseAt: STATE.earliestReleaseAt });
    expect((await startProvider(withLease(MINE)).lease.create(INPUTS)).outs).not.toHaveProperty('observed');
  });

  it('keeps in the state what exists when the time is over, and fails with the reason', async () => {
    const scene = new Scene();
    const made = startProvider(scene).lease.create(INPUTS);
    await settle();
    scene.plane.refuse = () => fault('Unreachable');
    scene.timers.fire();
    await expect(made).rejects.toMatchObject({ id: 'team-a/l1', properties: { uid: uidOn(scene), phase: 'Pending', leaseId: 'team-a/l1' }, message: expect.stringMatching(/^Timeout: /) as unknown, stack: '' });
  });
});

describe('read', () => {
  it('answers what the control plane has, in the form of the state where that means the same', async () => {
    const scene = withLease(MINE, { phase: 'Held' }, { serial: 'c02xyz', minimumDuration: '48h' });
    const { id, props } = await startProvider(scene).lease.read('team-a/l1', { ...STATE, serial: 'C02XYZ' });
    expect([id, props]).toEqual(['team-a/l1', expect.objectContaining({ phase: 'Held', minimumDuration: '48h', serial: 'C02XYZ', owner: ownedBy(leaseUrn()), leaseId: 'team-a/l1' })]);
  });

  it('answers for a lease that somebody else keeps, by its id alone', async () => {
    const { props } = await startProvider(withLease(undefined)).lease.read('team-a/l1', {});
    expect(props).toMatchObject({ leaseId: 'team-a/l1', namespace: 'team-a', name: 'l1', class: 'base', phase: 'Bound', uid: 'uid-l1' });
  });

  it.each([['that does not exist any more', new Scene()], ['that is Released', withLease(MINE, { phase: 'Released' })]])('says that a lease is gone %s', async (_why, scene) => {
    expect(await startProvider(scene).lease.read('team-a/l1', STATE)).toEqual({ id: '', props: {} });
  });

  it.each([['Forbidden', 'Forbidden'], ['Unauthorized', 'Unauthorized'], ['Unreachable', 'NotChecked'], ['Timeout', 'NotChecked'], ['Unavailable', 'NotChecked'], ['NotFound', 'Refused']] as const)('throws when the control plane answers %s: that is not "gone"', async (name, reason) => {
    const scene = withLease(MINE);
    scene.plane.refuse = () => fault(name);
    const read = startProvider(scene).lease.read('team-a/l1', STATE);
    await expect(read).rejects.toMatchObject({ name: 'Error', stack: '', message: expect.stringMatching(new RegExp(`^${reason}: `)) as unknown });
  });

  it('throws for an id that names nothing, and for one that never was', async () => {
    await expect(startProvider().lease.read('l1', {})).rejects.toThrow('InvalidValue: "l1" is no id. An id is "namespace/name".');
    await expect(startProvider().lease.read('team-a/none', {})).rejects.toThrow(/^LeaseNotFound: /);
  });

  it('tells of another lease of the name at its resource: it is drift, not "gone"', async () => {
    const { lease, told } = startProvider(withLease(MINE, {}, { uid: 'other' }));
    expect((await lease.read('team-a/l1', STATE)).props.uid).toBe('other');
    expect(told.short).toEqual(['warning ReplacedOutside at l1']);
  });
});

describe('update', () => {
  it('writes a higher minimum, and the mark of a resource that has a new name', async () => {
    const scene = withLease(MINE);
    const renamed = ownedBy(leaseUrn('renamed'));
    const { outs } = await startProvider(scene).lease.update('team-a/l1', STATE, { ...INPUTS, minimumDuration: '48h', owner: renamed });
    expect([outs.minimumDuration, outs.owner, markOn(scene), scene.plane.peek(Kinds.MacNodeLease, L1)?.spec.minimumDuration]).toEqual(['48h', renamed, markOf(leaseUrn('renamed')), '48h']);
  });

  it('repeats a wish for the early release on the lease, and takes it away again; the rest is the tool\'s own', async () => {
    const scene = withLease(MINE);
    const wish = (): string | undefined => scene.plane.peek(Kinds.MacNodeLease, L1)?.metadata.annotations?.[Annotation.OnEarlyRelease];
    const { outs } = await startProvider(scene).lease.update('team-a/l1', STATE, { ...INPUTS, onEarlyRelease: 'hold', statusInDiff: true });
    expect([outs.onEarlyRelease, outs.observed, wish(), markOn(scene)]).toEqual(['hold', expect.objectContaining({ phase: 'Bound' }), 'hold', MINE]);
    await startProvider(scene).lease.update('team-a/l1', { ...STATE, ...outs }, { ...INPUTS, onEarlyRelease: 'hold' });
    await startProvider(scene).lease.update('team-a/l1', { ...STATE, ...outs }, INPUTS);
    expect([wish() ?? 'none', writes(scene)]).toEqual(['none', ['patch macnodeleases team-a/l1', 'patch macnodeleases team-a/l1']]);
  });

  it('repeats the wish also when somebody else is quicker', async () => {
    const scene = withLease(MINE);
    let conflicts = 2;
    scene.plane.refuse = (verb) => (verb === 'patch' && conflicts-- > 0 ? fault('Conflict') : undefined);
    await startProvider(scene).lease.update('team-a/l1', STATE, { ...INPUTS, onEarlyRelease: 'hold' });
    expect(scene.plane.peek(Kinds.MacNodeLease, L1)?.metadata.annotations).toEqual({ [Annotation.Owner]: MINE, [Annotation.OnEarlyRelease]: 'hold' });
  });

  it('goes on where the wish may not be written: what counts is the state', async () => {
    const scene = withLease(MINE);
    scene.plane.refuse = (verb) => (verb === 'patch' ? fault('Forbidden') : undefined);
    expect((await startProvider(scene).lease.update('team-a/l1', STATE, { ...INPUTS, onEarlyRelease: 'hold' })).outs.onEarlyRelease).toBe('hold');
  });

  it('keeps a Held lease only where adopt asks for it', async () => {
    const left = withLease(MINE, { phase: 'Held' }, { release: true });
    await startProvider(left).lease.update('team-a/l1', STATE, { ...INPUTS, onEarlyRelease: 'hold' });
    expect(left.plane.peek(Kinds.MacNodeLease, L1)?.spec.release).toBe(true);
    const kept = withLease(MINE, { phase: 'Held' }, { release: true });
    expect((await startProvider(kept).lease.update('team-a/l1', STATE, { ...INPUTS, adopt: true })).outs.phase).toBe('Bound');
  });

  it('is one update for a lease that became Held while adopt stays: check, update and a refresh leave nothing to do', async () => {
    const held = { phase: 'Held', heldSince: '2026-11-29T20:00:00Z' } as const;
    const scene = withLease(MINE, held, { release: true });
    const [inputs, state] = [{ ...INPUTS, adopt: true }, { ...STATE, adopt: true }];
    const checked = await startProvider(scene).lease.check(inputs, inputs);
    expect(startProvider(scene).lease.diff('team-a/l1', state, checked.inputs)).toMatchObject({ changes: true, replaces: [] });
    const { outs } = await startProvider(scene).lease.update('team-a/l1', state, checked.inputs);
    expect([outs.phase, scene.plane.peek(Kinds.MacNodeLease, L1)?.spec.release]).toEqual(['Bound', false]);
    const next = startProvider(scene).lease;
    const again = await next.check(checked.inputs, inputs);
    const read = await next.read('team-a/l1', outs);
    expect([next.diff('', outs, again.inputs).changes, next.diff('', read.props, checked.inputs).changes]).toEqual([false, false]);
  });

  it('touches no other lease of the name', async () => {
    const scene = withLease(MINE, {}, { uid: 'other' });
    await expect(startProvider(scene).lease.update('team-a/l1', STATE, { ...INPUTS, minimumDuration: '48h' })).rejects.toThrow(/^Conflict: /);
    expect(writes(scene)).toEqual([]);
  });
});

describe('delete', () => {
  const past = (scene: Scene): Scene => {
    scene.plane.advance(24 * HOUR);
    return scene;
  };

  it('is refused before the floor, also where no hook was asked, and writes nothing', async () => {
    const scene = withLease(MINE);
    await expect(startProvider(scene).lease.delete('team-a/l1', STATE)).rejects.toThrow(/^EarlyRelease: .*onEarlyRelease: "hold"/);
    expect(writes(scene)).toEqual([]);
  });

  it('with hold ends when the lease is Held, and says until when it is billed', async () => {
    const { lease, told } = startProvider(withLease(MINE));
    await lease.delete('team-a/l1', { ...STATE, onEarlyRelease: 'hold' });
    expect(told.all).toMatchObject([{ severity: 'warning', text: expect.stringMatching(/^BilledUntil: .*2026-11-30T10:00:00Z/) as unknown, urn: leaseUrn() }]);
  });

  it('past the floor waits through Releasing for Released', async () => {
    const scene = past(withLease(MINE));
    const become = (phase: 'Releasing' | 'Released'): MacNodeLease => scene.plane.change(Kinds.MacNodeLease, L1, (lease) => ({ ...lease, status: { ...lease.status, phase } }));
    scene.plane.react = () => become('Releasing');
    let isDone = false;
    const done = startProvider(scene).lease.delete('team-a/l1', STATE).then(() => { isDone = true; });
    await settle();
    expect([isDone, scene.plane.peek(Kinds.MacNodeLease, L1)?.status?.phase]).toEqual([false, 'Releasing']);
    become('Released');
    await done;
  });

  it('of one that is gone is done, and of another one of the name touches nothing', async () => {
    await startProvider(new Scene()).lease.delete('team-a/l1', STATE);
    const scene = past(withLease(MINE, {}, { uid: 'other' }));
    const { lease, told } = startProvider(scene);
    await lease.delete('team-a/l1', STATE);
    expect([told.short, writes(scene)]).toEqual([['warning ReplacedOutside at l1'], []]);
  });

  it.each(['Forbidden', 'Unauthorized', 'Unreachable'] as const)('fails while the control plane answers %s', async (name) => {
    const scene = past(withLease(MINE));
    scene.plane.refuse = () => fault(name);
    await expect(startProvider(scene).lease.delete('team-a/l1', STATE)).rejects.toThrow();
  });
});
