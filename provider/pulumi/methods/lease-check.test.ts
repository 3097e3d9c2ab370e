import { Kinds } from '../../../sdk/api/kinds';
import { Annotation } from '../../../sdk/api/names';
import { fault } from '../../../sdk/client/testing/memory/fault';
import { classObject, HOUR, leaseObject, Scene } from '../../core/testing/scene';
import { leaseProps, leaseUrn, markOf, ownedBy, startProvider } from '../testing/provider-process';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

function onServer(...lease: Parameters<typeof leaseObject>): Scene {
  const scene = new Scene();
  scene.plane.put(leaseObject(...lease));
  return scene;
}

/** The same lease with the mark of a resource. */
function owned(urn: string, ...lease: Parameters<typeof leaseObject>): Scene {
  const scene = onServer(...lease);
  scene.plane.change(Kinds.MacNodeLease, { namespace: 'team-a', name: lease[0] }, (l) => ({ ...l, metadata: { ...l.metadata, annotations: { [Annotation.Owner]: markOf(urn) } } }));
  return scene;
}

/** `property reason` of each refusal of one check. */
async function refusals(scene: Scene, news: object = {}, olds: object = {}): Promise<string[]> {
  const { failures } = await startProvider(scene).lease.check({ ...olds }, leaseProps(news));
  return failures.map(({ property, reason }) => `${property} ${reason.split(':')[0] ?? ''}`);
}

const inState = (over: object = {}): Record<string, unknown> => leaseProps({ namespace: 'team-a', minimumDuration: '24h', onEarlyRelease: 'refuse', leaseId: 'team-a/l1', ...over });

describe('the check of a new lease', () => {
  it('answers the inputs with their defaults', async () => {
    const { inputs, failures } = await startProvider().lease.check({}, leaseProps());
    expect([inputs.leaseId, inputs.namespace, inputs.minimumDuration, failures]).toEqual(['team-a/l1', 'team-a', '24h', []]);
  });

  it('names every fault of the inputs at once, each at its property, and asks nobody', async () => {
    const scene = new Scene();
    expect(await refusals(scene, { class: 'ultra', minimumDuration: '5h', maxVms: 3, timeouts: { create: 'soon' } })).toEqual(['maxVms InvalidValue', 'class InvalidValue', 'minimumDuration FloorTooShort', 'timeouts InvalidValue']);
    expect(scene.plane.requests).toEqual([]);
  });

  it('refuses the name of a Held lease, and takes it with adopt', async () => {
    expect(await refusals(onServer('l1', { phase: 'Held' }, { release: true }))).toEqual(['name NameHeld']);
    expect(await refusals(onServer('l1', { phase: 'Held' }, { release: true }), { adopt: true })).toEqual([]);
    expect(await refusals(onServer('l1', { phase: 'Held' }, { release: true, class: 'pro' }), { adopt: true })).toEqual(['name NameHeld']);
  });

  it('refuses a name that another resource, or nobody of Pulumi, has made', async () => {
    expect(await refusals(onServer('l1'))).toEqual(['name AlreadyExists']);
    expect(await refusals(owned(leaseUrn('other'), 'l1'))).toEqual(['name AlreadyExists']);
  });

  it('takes what this very resource has made: an interrupted create goes on, if it is the same lease', async () => {
    expect(await refusals(owned(leaseUrn(), 'l1'))).toEqual([]);
    expect(await refusals(owned(leaseUrn(), 'l1'), { class: 'pro' })).toEqual(['class LeaseImmutable']);
    expect(await refusals(owned(leaseUrn(), 'l1', {}, { minimumDuration: '48h' }))).toEqual(['minimumDuration FloorTooShort']);
  });

  it('says what the control plane refuses in a dry run, and writes nothing', async () => {
    const scene = new Scene();
    scene.plane.refuse = (verb) => (verb === 'dry-run' ? fault('Invalid', 'no', [{ reason: 'SerialUnavailable', message: 'Mac c02free is not available' }]) : undefined);
    expect(await refusals(scene, { serial: 'c02free' })).toEqual(['serial SerialUnavailable']);
    expect(scene.plane.requests.filter((request) => /^(create|patch|remove) /.test(request))).toEqual([]);
  });

  it('refuses a second resource of the name, and a second pin on a Mac', async () => {
    const { lease } = startProvider();
    expect((await lease.check({}, leaseProps({ serial: 'C02XYZ' }))).failures).toEqual([]);
    expect((await lease.check({}, leaseProps())).failures).toMatchObject([{ property: 'name', reason: expect.stringMatching(/^AlreadyExists: two resources of this program/) as unknown }]);
    expect((await lease.check({}, leaseProps({ name: 'l2', serial: 'c02xyz' }))).failures).toMatchObject([{ property: 'serial', reason: expect.stringMatching(/^SerialUnavailable: /) as unknown }]);
  });

  it.each([['its', true], ['the other', false]])('refuses to take with adopt what another resource of the program has in the state, whichever is asked first: %s', async (_which, isFirst) => {
    const { lease } = startProvider(owned(leaseUrn(), 'l1'));
    const kept = () => lease.check(inState(), leaseProps());
    const adopting = () => lease.check({}, leaseProps({ owner: ownedBy(leaseUrn('again')), adopt: true }));
    const all = isFirst ? [await adopting(), await kept()] : [await kept(), await adopting()];
    expect(all.map(({ failures }) => failures.map(({ property, reason }) => `${property} ${reason.split('.')[0] ?? ''}`))).toEqual([[], ['name AlreadyExists: two resources of this program have the name team-a/l1']]);
  });

  it.each(['name', 'namespace'])('claims nothing while its %s is unknown', async (field) => {
    const { inputs, failures } = await startProvider(onServer('l1', { phase: 'Held' })).lease.check({}, leaseProps({ [field]: GUID }));
    expect([failures, inputs[field], inputs.leaseId]).toEqual([[], GUID, GUID]);
  });
});

describe('the check of a lease in the state', () => {
  it.each([
    ['class', { class: 'pro' }, 'class LeaseImmutable'],
    ['serial', { serial: 'c02abc' }, 'serial LeaseImmutable'],
    ['name', { name: 'l2' }, 'name LeaseImmutable'],
    ['namespace', { namespace: 'team-b' }, 'namespace LeaseImmutable'],
    ['class, with hold', { class: 'pro', onEarlyRelease: 'hold' }, 'class LeaseImmutable'],
  ])('refuses another %s inside the floor', async (_what, news, expected) => {
    expect(await refusals(onServer('l1'), news, inState())).toEqual([expected]);
  });

  it('refuses a lower minimum inside the floor, and lets it grow', async () => {
    expect(await refusals(onServer('l1', {}, { minimumDuration: '48h' }), { minimumDuration: '24h' }, inState({ minimumDuration: '48h' }))).toEqual(['minimumDuration FloorTooShort']);
    expect(await refusals(onServer('l1'), { minimumDuration: '48h' }, inState())).toEqual([]);
  });

  it('judges by the floor of the control plane, which a state without outputs does not have', async () => {
    const grown = onServer('l1', { earliestReleaseAt: '2026-12-24T10:00:00Z' });
    grown.plane.advance(25 * HOUR);
    grown.plane.put(classObject('pro', 1));
    expect(await refusals(grown, { class: 'pro' }, inState())).toEqual(['class LeaseImmutable']);
  });

  it('lets it be replaced past the floor where a Mac is free, and refuses to lose it where none is', async () => {
    for (const [free, expected] of [[1, []], [0, ['class NoCapacity']]] as const) {
      const scene = onServer('l1');
      scene.plane.put(classObject('pro', free));
      scene.plane.advance(24 * HOUR);
      expect(await refusals(scene, { class: 'pro' }, inState())).toEqual(expected);
    }
  });

  it.each(['Unreachable', 'Timeout', 'Forbidden'] as const)('refuses a change while the control plane answers %s, and nothing else', async (name) => {
    const scene = onServer('l1');
    scene.plane.refuse = () => fault(name);
    expect(await refusals(scene, { class: 'pro' }, inState())).toEqual([' NotChecked']);
    expect(await refusals(scene, {}, inState())).toEqual([]);
  });

  it('refuses an unknown class inside the floor: it may replace the lease', async () => {
    expect(await refusals(onServer('l1'), { class: GUID }, inState())).toEqual([' NotChecked']);
  });

  it('lets everything change of one that is gone or Released', async () => {
    expect(await refusals(new Scene(), { class: 'pro' }, inState())).toEqual([]);
    expect(await refusals(onServer('l1', { phase: 'Released' }), { class: 'pro' }, inState())).toEqual([]);
  });
});

describe('the check of a lease in the state, of which nothing changes', () => {
  it.each([['Unauthorized', [' Unauthorized']], ['Forbidden', []], ['Unreachable', []]] as const)('meets the answer %s with the refusals %j: only credentials that nobody accepts end a preview', async (name, refused) => {
    const scene = onServer('l1');
    scene.plane.refuse = () => fault(name);
    expect(await refusals(scene, {}, inState())).toEqual(refused);
  });
});

describe('the check of a Held lease that adopt takes back', () => {
  const SINCE = '2026-11-29T20:00:00Z';
  const held = (over: object = {}): Scene => onServer('l1', { phase: 'Held', heldSince: SINCE }, { release: true, ...over });
  const kept = async (scene: Scene, news: object = {}, olds: object = {}): Promise<unknown> => (await startProvider(scene).lease.check(inState({ adopt: true, ...olds }), leaseProps({ adopt: true, ...news }))).inputs.keptAgain;

  it('has since when it was Held as an input, whatever phase the state remembers', async () => {
    expect(await kept(held())).toBe(`Held since ${SINCE}`);
    expect(await kept(held(), {}, { keptAgain: 'Held since 2026-11-29T10:00:00Z' })).toBe(`Held since ${SINCE}`);
  });

  it('has no such input for one that is Bound, deleted on the server, not to be adopted, or new', async () => {
    expect([await kept(onServer('l1')), await kept(held({ deleted: true })), await kept(held(), { adopt: false })]).toEqual([undefined, undefined, undefined]);
    expect((await startProvider(held()).lease.check({}, leaseProps({ adopt: true }))).inputs).not.toHaveProperty('keptAgain');
  });

  it.each(['Unreachable', 'Timeout', 'Forbidden'] as const)('stays as it was while the control plane answers %s', async (name) => {
    for (const keptBefore of [undefined, 'Held since 2026-11-29T10:00:00Z']) {
      const scene = held();
      scene.plane.refuse = () => fault(name);
      expect(await kept(scene, {}, { keptAgain: keptBefore })).toBe(keptBefore);
    }
  });

  it('stays as it was once the lease is Bound again', async () => {
    expect(await kept(onServer('l1'), {}, { keptAgain: `Held since ${SINCE}` })).toBe(`Held since ${SINCE}`);
  });
});

describe('what check observes', () => {
  const observed = async (scene: Scene, news: object, olds: object): Promise<unknown> => (await startProvider(scene).lease.check({ ...olds }, leaseProps(news))).inputs.observed;
  const STATUS = { phase: 'Held', earliestReleaseAt: leaseObject('l1').status?.earliestReleaseAt, heldSince: '2026-11-29T20:00:00Z' };
  const held = (): Scene => onServer('l1', { phase: 'Held', heldSince: STATUS.heldSince });

  it('is an input of a lease in the state that asks for it', async () => {
    expect(await observed(held(), { statusInDiff: true }, inState({ statusInDiff: true }))).toEqual(STATUS);
  });

  it('is left out without the wish, of a new lease, and of one that is gone', async () => {
    expect(await observed(held(), {}, inState())).toBeUndefined();
    expect(await observed(held(), { statusInDiff: true, adopt: true }, {})).toBeUndefined();
    expect(await observed(new Scene(), { statusInDiff: true }, inState())).toBeUndefined();
  });

  it('stays as it was while nobody can be asked: silence is no difference', async () => {
    const scene = held();
    scene.plane.refuse = () => fault('Unreachable');
    expect(await observed(scene, { statusInDiff: true }, inState({ observed: { phase: 'Bound' } }))).toEqual({ phase: 'Bound' });
    expect(await observed(scene, { statusInDiff: true }, inState())).toBeUndefined();
  });
});
