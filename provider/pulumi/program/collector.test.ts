import { ConnectionError } from '../../../sdk/client/connect-options';
import { Annotation } from '../../../sdk/api/names';
import { until } from '../../../sdk/client/until';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { classObject, instanceObject, leaseObject } from '../../core/testing/scene';
import { declaredLease, programRun } from '../testing/program';
import { instanceProps, instanceUrn, leaseUrn, markOf } from '../testing/provider-process';
import { Told } from '../testing/told';
import { Collector } from './collector';
import { NOT_YET, type Declared } from './declaration';
import type { ProgramRun } from './program-run';

let mockPlane: MemoryPlane;
let mockConnect: () => Promise<MemoryPlane>;
jest.mock('../../../sdk/client/connect', () => ({ connect: () => mockConnect() }));

let told: Told;
beforeEach(() => {
  mockPlane = new MemoryPlane();
  mockConnect = () => Promise.resolve(mockPlane);
  told = new Told();
});

const collector = (over: Partial<ProgramRun> = {}): Collector => new Collector(new Set(), new Set(), programRun(told, over));
const instance = (name: string, over: object = {}): Declared => ({ kind: 'instance', urn: instanceUrn(name), props: () => ({ ...instanceProps(name), owner: undefined, ...over }) });
const errors = (): string[] => told.short.filter((said) => said.startsWith('error'));
const declareAll = (of: Collector, all: readonly Declared[]): Promise<unknown> => Promise.all(all.map((each) => of.declare(each)));

describe('the collector of a program', () => {
  it('says each refusal of what is declared together, at its resource, and once', async () => {
    const shorts = Array.from({ length: 100 }, (_, i) => declaredLease(`short-${i}`, { minimumDuration: '3h' }));
    await declareAll(collector(), [...shorts, declaredLease('fine')]);
    expect(errors()).toEqual(shorts.map((_, i) => `error FloorTooShort at short-${i}`).sort());
  });

  it('counts all instances of the program and the server together, whatever their order', async () => {
    mockPlane.put(leaseObject('l1'));
    mockPlane.put(instanceObject('old'));
    await declareAll(collector(), [instance('x'), instance('y')]);
    expect(errors()).toHaveLength(1);
    expect(told.all.find(({ severity }) => severity === 'error')?.text).toMatch(/^ThirdInstance: (?=.*\bold\b)(?=.*\bx\b)(?=.*\by\b)/);
  });

  it('asks for the lists of a namespace once, however many resources there are', async () => {
    await declareAll(collector(), Array.from({ length: 20 }, (_, i) => declaredLease(`l${i}`)));
    const lists = mockPlane.requests.filter((request) => request.startsWith('list'));
    expect([...new Set(lists)].sort()).toEqual([...lists].sort());
  });

  it('says what is about the run as a whole at the stack, in a preview alone', async () => {
    mockPlane.put(classObject('base', 1));
    await declareAll(collector(), [declaredLease('l1'), declaredLease('l2')]);
    expect(told.all.filter(({ urn }) => urn === '').map(({ text }) => text.split(':')[0]).sort()).toEqual(['NewLeases', 'NoCapacity']);
    told = new Told();
    await declareAll(collector({ isDryRun: false }), [declaredLease('l1', { minimumDuration: '3h' }), declaredLease('l2')]);
    expect(told.short).toEqual(['error FloorTooShort at l1']);
  });

  it('judges what is declared later with what was declared before', async () => {
    const one = collector();
    await one.declare(declaredLease('l1', { serial: 'c02x' }));
    await one.declare(declaredLease('l2', { serial: 'C02X' }));
    expect(errors()).toEqual(['error SerialUnavailable at l2']);
  });

  it.each(['name', 'namespace', 'class', 'minimumDuration'])('claims nothing of a lease whose %s is not there yet', async (field) => {
    await collector().declare(declaredLease('l1', { [field]: NOT_YET }));
    expect(errors()).toEqual([]);
  });

  it('leaves a name that is taken to the check, which knows the state', async () => {
    mockPlane.put(leaseObject('l1'));
    mockPlane.put(leaseObject('l2', { phase: 'Held' }, { release: true }));
    await declareAll(collector(), [declaredLease('l1'), declaredLease('l2')]);
    expect(errors()).toEqual([]);
  });

  it('takes what the engine ignores for what it is, of a resource that is there; a new one has what is written', async () => {
    const marked = <T extends { metadata: object }>(object: T, urn: string): T => ({ ...object, metadata: { ...object.metadata, annotations: { [Annotation.Owner]: markOf(urn) } } });
    mockPlane.put(classObject('base', 3));
    mockPlane.put(marked(leaseObject('l1'), leaseUrn('l1')));
    mockPlane.put(marked(instanceObject('vm'), instanceUrn('vm')));
    const all = [declaredLease('l1', { class: 'pro' }), instance('vm', { shape: { cpu: 200, memory: '8Gi', disk: '100Gi' } })];
    await declareAll(collector(), all.map((each, i) => ({ ...each, ignored: [i === 0 ? 'class' : 'shape.cpu'] })));
    await declareAll(collector(), all.map((each) => ({ ...each, ignored: ['*'] })));
    expect(errors()).toEqual([]);
    await declareAll(collector(), [...all, { ...declaredLease('l2', { minimumDuration: '3h' }), ignored: ['minimumDuration'] }]);
    expect(errors()).toEqual(['error FloorTooShort at l2', 'error LeaseImmutable at l1', 'error ShapeTooLarge at vm']);
  });

  it('says nothing where no control plane is known: each check says it', async () => {
    mockConnect = () => Promise.reject(new ConnectionError('no kubeconfig'));
    await collector().declare(declaredLease('l1', { minimumDuration: '3h' }));
    expect(told.all).toEqual([]);
  });

  it('fails what is declared where the configuration keeps a credential in clear', async () => {
    const checkSecrets = (): never => { throw new Error('InvalidValue: macrack:token is a credential'); };
    await expect(collector({ checkSecrets, isDryRun: false }).declare(declaredLease('l1'))).rejects.toThrow('macrack:token');
  });

  it('finds a lease of the program by what an instance names, with the namespace that it has by default', async () => {
    const one = collector({ readConfig: (key) => (key === 'namespace' ? 'team-b' : undefined) });
    const declared = declaredLease('ci');
    const resource = { urn: { apply: () => undefined } };
    await one.declare(declared);
    one.name(resource as never, declared);
    expect([await one.leaseNamed('team-b/ci'), await one.leaseNamed('team-a/ci')]).toEqual([resource, undefined]);
  });
});

describe('what a preview says once everything is declared', () => {
  const put = (name: string, ...[status, over]: [Parameters<typeof leaseObject>[1]?, Parameters<typeof leaseObject>[2]?]): void => {
    const lease = leaseObject(name, status, over);
    mockPlane.put({ ...lease, metadata: { ...lease.metadata, annotations: { [Annotation.Owner]: markOf(leaseUrn(name)) } } });
  };

  it('is of Held leases at their resources, of other Held ones once, and of leases that nobody declares', async () => {
    put('held', { phase: 'Held' }, { release: true });
    put('gone', { phase: 'Held' }, { release: true });
    put('orphan');
    put('released', { phase: 'Released' });
    mockPlane.put(leaseObject('theirs', { phase: 'Held' }, { release: true }));
    await collector().declare(declaredLease('held'));
    const strays = await until('the strays are told of', () => Promise.resolve(told.short.some((said) => said.includes('Orphan')) ? told.all.filter(({ text }) => /^(Held|Orphan)/.test(text)) : undefined));
    expect(strays.map(({ text, urn }) => `${text.split(':')[0] ?? ''} at ${urn.split('::').at(-1) ?? ''}`).sort()).toEqual(['Held at ', 'Held at held', 'Orphan at ']);
    expect(strays.find(({ text }) => text.startsWith('Held: in namespace'))?.text).toMatch(/2 leases are Held.*team-a\/gone.*team-a\/theirs/);
    expect(strays.find(({ text }) => text.startsWith('Orphan'))?.text).toMatch(/team-a\/orphan.*kubectl patch macnodelease orphan -n team-a/);
  });

  it('is nothing of a lease whose resource was renamed: its mark has the old name until an update', async () => {
    const renamed = (name: string, urn: string, over: object = {}): Declared => ({ ...declaredLease(name, over), urn: leaseUrn(urn) });
    put('old');
    await collector().declare(renamed('old', 'new', { minimumDuration: '3h' }));
    expect(errors()).toEqual(['error FloorTooShort at new']);
    put('held', { phase: 'Held' }, { release: true });
    told = new Told();
    await declareAll(collector(), [renamed('old', 'new'), renamed('held', 'kept')]);
    await until('the Held lease is told of', () => Promise.resolve(told.short.includes('warning Held at kept') || undefined));
    expect(told.short.filter((said) => /Orphan|Held at $/.test(said))).toEqual([]);
  });

  it('is of the removed leases that are refused as well, where a check refuses the run before its deletes', async () => {
    put('removed');
    await collector().declare(declaredLease('short', { minimumDuration: '3h' }));
    expect(errors()).toEqual(['error EarlyRelease at removed', 'error FloorTooShort at short']);
  });

  it('is nothing in an update', async () => {
    put('orphan');
    const one = collector({ isDryRun: false });
    one.expectRest();
    await one.declare(declaredLease('l1'));
    expect(told.all).toEqual([]);
  });
});
