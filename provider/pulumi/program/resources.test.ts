import { ComponentResource, interpolate, output, ResourceHook, secret } from '@pulumi/pulumi';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { instanceObject, leaseObject } from '../../core/testing/scene';
import { beginRun, runProgram, type FakeEngine } from '../testing/program';
import { instanceUrn, leaseUrn, ownedBy } from '../testing/provider-process';
import { MacNodeLease } from './mac-node-lease';
import { MacOSInstance } from './mac-os-instance';

let mockPlane: MemoryPlane;
jest.mock('../../../sdk/client/connect', () => ({ connect: () => Promise.resolve(mockPlane) }));

let engine: FakeEngine;
beforeEach(async () => {
  mockPlane = new MemoryPlane();
  engine = await beginRun();
});
afterEach(() => jest.restoreAllMocks());

const VM = { image: 'acme/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' } };
const HOOK = 'macrack:lease-floor/v1';
const of = (name: string) => engine.resources.find((each) => each.name === name);

describe('a lease of a program', () => {
  it('is registered with the hook, its owner, and delete first, whatever the program says of that', async () => {
    const own = (): ResourceHook => new ResourceHook('own', () => undefined);
    await runProgram(() => new MacNodeLease('ci', { class: 'base' }, { deleteBeforeReplace: false, hooks: { beforeDelete: [own()] } }));
    expect(of('ci')).toMatchObject({ deleteBeforeReplace: true, hooks: ['own', HOOK], inputs: { name: 'ci', class: 'base', owner: ownedBy(leaseUrn('ci')) } });
    expect(engine.hooks).toContain(`${HOOK} in previews`);
  });

  it('brings text into the state that calls the package, and nothing of it by value', async () => {
    await runProgram(() => [new MacNodeLease('ci', { class: 'base' }), new MacOSInstance('vm', { ...VM, lease: 'team-a/ci' })]);
    for (const [name, kind] of [['ci', 'lease'], ['vm', 'instance']] as const) {
      const text = String(of(name)?.inputs.__provider).replaceAll("'", '"');
      expect(text.match(/require\("macrack\/pulumi\/provider"\)\.\w+\.\w+/g)?.sort()).toEqual(['check', 'configure', 'create', 'delete', 'diff', 'read', 'update'].map((method) => `require("macrack/pulumi/provider").${kind}.${method}`));
      expect(text.length).toBeLessThan(3072);
    }
  });

  it('that is only read has neither hook nor owner, and is not judged', async () => {
    let lease: MacNodeLease | undefined;
    await runProgram(() => { lease = MacNodeLease.get('theirs', 'team-a/ci'); });
    expect([MacNodeLease.isLease(lease), engine.resources, mockPlane.requests.filter((request) => !request.startsWith('list') && !request.startsWith('time'))]).toEqual([true, [], []]);
  });
});

describe('a program that imports the package', () => {
  it('registers the hook, also when it declares nothing: the state may have leases', async () => {
    await runProgram(() => jest.isolateModules(() => void jest.requireActual('./index')));
    expect(engine.hooks).toEqual([`${HOOK} in previews`]);
  });
});

describe('the owner of a resource', () => {
  it('is the URN that the engine is going to give it, with the types of all components above it', async () => {
    await runProgram(() => {
      const outer = new ComponentResource('acme:index:Outer', 'outer');
      new MacNodeLease('ci', { class: 'base' });
      new MacNodeLease('inner', { class: 'base' }, { parent: new ComponentResource('acme:index:Fleet', 'fleet', {}, { parent: outer }) });
    });
    const urn = 'urn:pulumi:dev::demo::acme:index:Outer$acme:index:Fleet$pulumi-nodejs:dynamic/macrack:MacNodeLease::inner';
    expect([of('ci')?.inputs.owner, of('inner')?.inputs.owner]).toEqual([ownedBy(leaseUrn('ci')), ownedBy(urn)]);
  });
});

describe('an instance of a program', () => {
  it('is registered with delete first, and without a hook', async () => {
    await runProgram(() => new MacOSInstance('vm', { ...VM, lease: new MacNodeLease('ci', { class: 'base', name: 'l1' }) }, { deleteBeforeReplace: false }));
    expect(of('vm')).toMatchObject({ deleteBeforeReplace: true, hooks: [], inputs: { name: 'vm', owner: ownedBy(instanceUrn('vm')) }, dependencies: ['ci'] });
  });

  it('is made after a lease that it names by a text, where the program declares that one', async () => {
    mockPlane.put(leaseObject('other'));
    await runProgram(() => {
      new MacOSInstance('mine', { ...VM, lease: 'team-a/ci' });
      new MacOSInstance('theirs', { ...VM, lease: 'team-a/other' });
      new MacOSInstance('computed', { ...VM, lease: interpolate`${output('team-a')}/ci` });
      new MacNodeLease('ci', { class: 'base' });
    });
    expect([of('mine')?.dependencies, of('theirs')?.dependencies, of('theirs')?.inputs.lease, of('computed')?.dependencies]).toEqual([['ci'], [], 'team-a/other', ['ci']]);
  });

  it('or a lease without arguments is refused for what it lacks, as any other', async () => {
    const none = undefined as never;
    await runProgram(() => [new MacNodeLease('ci', none), new MacOSInstance('vm', none)]);
    expect(engine.told.all.filter(({ severity }) => severity === 'error').map(({ text }) => text.split('.')[0]).sort()).toEqual(['InvalidValue: MacNodeLease needs class', ...['image', 'lease', 'shape'].map((field) => `InvalidValue: MacOSInstance needs ${field}`)]);
  });
});

describe('what a run says before its first resource is registered', () => {
  it('is every refusal, each at its resource', async () => {
    mockPlane.put(leaseObject('full'));
    for (const name of ['a', 'b']) mockPlane.put(instanceObject(name, 'full'));
    await runProgram(() => {
      new MacNodeLease('short', { class: 'base', minimumDuration: '3h' });
      new MacNodeLease('ultra', { class: 'ultra' as 'base' });
      new MacOSInstance('third', { ...VM, lease: 'team-a/full' });
      new MacOSInstance('lost', { ...VM, lease: 'team-a/none' });
      new MacOSInstance('foreign', { ...VM, namespace: 'team-b', lease: 'team-a/full' });
      new MacOSInstance('fine', { ...VM, lease: new MacNodeLease('ci', { class: 'base' }) });
    });
    expect(engine.told.short.filter((said) => said.startsWith('error'))).toEqual(['error CrossTenant at foreign', 'error FloorTooShort at short', 'error InvalidValue at ultra', 'error LeaseNotFound at lost', 'error ThirdInstance at third']);
  });

  it('is nothing of values that are not there yet, or secret: the check knows them', async () => {
    await runProgram(() => [new MacNodeLease('later', { class: secret('base'), name: new Promise<string>((resolve) => setTimeout(() => resolve('x'), 1)) })]);
    expect(engine.told.all.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
