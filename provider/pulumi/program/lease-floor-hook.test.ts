import { secret, type ResourceHookArgs } from '@pulumi/pulumi';
import { Kinds, type MacNodeLease } from '../../../sdk/api/kinds';
import { Annotation } from '../../../sdk/api/names';
import { ConnectionError } from '../../../sdk/client/connect-options';
import { fault } from '../../../sdk/client/testing/memory/fault';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { HOUR, leaseObject } from '../../core/testing/scene';
import { beginRun, declaredLease, type FakeEngine } from '../testing/program';
import { leaseUrn, markOf } from '../testing/provider-process';
import { collectorOf } from './collector';
import { leaseFloorHook } from './lease-floor-hook';
import * as shared from './shared';

let mockPlane: MemoryPlane;
let mockConnect: () => Promise<MemoryPlane>;
jest.mock('../../../sdk/client/connect', () => ({ connect: () => mockConnect() }));

let engine: FakeEngine;
beforeEach(async () => {
  mockPlane = new MemoryPlane();
  mockConnect = () => Promise.resolve(mockPlane);
  engine = await beginRun();
});
afterEach(() => jest.restoreAllMocks());

function put(name: string, ...[status, over]: [Parameters<typeof leaseObject>[1]?, Parameters<typeof leaseObject>[2]?]): MacNodeLease {
  const lease = leaseObject(name, status, over);
  return mockPlane.put({ ...lease, metadata: { ...lease.metadata, annotations: { [Annotation.Owner]: markOf(leaseUrn(name)) } } });
}

const outputs = (name: string, over: object = {}): object => ({ namespace: 'team-a', name, class: 'base', minimumDuration: '24h', onEarlyRelease: 'refuse', uid: `uid-${name}`, phase: 'Bound', ...over });

/** What the engine asks before a delete. */
function ask(name: string, oldOutputs: unknown = outputs(name)): Promise<void> {
  const args = { urn: leaseUrn(name), id: `team-a/${name}`, name, type: 'pulumi-nodejs:dynamic/macrack:MacNodeLease', oldInputs: {}, oldOutputs };
  return Promise.resolve(leaseFloorHook()?.callback(args as unknown as ResourceHookArgs));
}

describe('the hook before the delete of a lease', () => {
  it('refuses it inside the floor, with the instant and what to do', async () => {
    put('l1');
    await expect(ask('l1')).rejects.toThrow(/^EarlyRelease: .*2026-11-30T10:00:00Z.*onEarlyRelease: "hold"/);
  });

  it.each([['Binding', { phase: 'Binding' }], ['Held and its floor has not come', { phase: 'Held' }]] as const)('refuses one that is %s', async (_phase, status) => {
    put('l1', { ...status });
    await expect(ask('l1')).rejects.toThrow(/^EarlyRelease: /);
  });

  it('judges by the server, not by the state: a floor that has grown counts', async () => {
    put('l1', { earliestReleaseAt: '2026-12-24T10:00:00Z' });
    mockPlane.advance(25 * HOUR);
    await expect(ask('l1', outputs('l1', { earliestReleaseAt: '2026-11-30T10:00:00Z' }))).rejects.toThrow(/2026-12-24/);
  });

  it('lets it go at the floor, and one that was never bound, is Released, or is not there', async () => {
    put('l1');
    mockPlane.advance(24 * HOUR);
    await ask('l1');
    put('l2', { phase: 'Pending' });
    put('l3', { phase: 'Released' });
    for (const name of ['l2', 'l3', 'l4']) await ask(name);
    expect(engine.told.all).toEqual([]);
  });

  it('lets it go with hold where that is in the state, and says until when it is billed', async () => {
    put('l1');
    await ask('l1', outputs('l1', { onEarlyRelease: 'hold' }));
    expect(engine.told.short).toEqual(['warning BilledUntil at l1']);
  });

  it('asks anew: a floor may have passed since the program began', async () => {
    put('l1');
    const session = await collectorOf(engine.monitor).session.get();
    await session.core.facts.leases('team-a');
    mockPlane.change(Kinds.MacNodeLease, { namespace: 'team-a', name: 'l1' }, (lease): MacNodeLease => ({ ...lease, status: { phase: 'Released' } }));
    await ask('l1');
  });
});

describe('the hook in doubt', () => {
  it.each([['Unreachable', 'NotChecked'], ['Timeout', 'NotChecked'], ['Unavailable', 'NotChecked'], ['Forbidden', 'Forbidden'], ['Unauthorized', 'Unauthorized']] as const)('refuses while the control plane answers %s', async (name, reason) => {
    put('l1');
    mockPlane.refuse = () => fault(name);
    await expect(ask('l1')).rejects.toThrow(new RegExp(`^${reason}: `));
  });

  // The engine takes an error without a text for success.
  it.each([
    ['an Error', new Error('')], ['an AggregateError', new AggregateError([new Error('ECONNREFUSED')])], ['a text', ''], ['blanks', new Error(' \n')], ['nothing', undefined], ['null', null], ['an object', {}],
  ])('refuses with a text when what went wrong is %s without one', async (_what, thrown) => {
    put('l1');
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever a dependency throws
    mockPlane.list = () => Promise.reject(thrown);
    const error: unknown = await ask('l1').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message.trim()).not.toBe('');
  });

  it('refuses where no control plane is known, in one sentence', async () => {
    mockConnect = () => Promise.reject(new ConnectionError('config_path names no file', 'config_path'));
    await expect(ask('l1')).rejects.toThrow(/^NotConnected: macrack:kubeconfig names no file\. /);
  });

  it.each(['namespace', 'name', 'uid', 'onEarlyRelease'])('judges a lease whose %s is a secret in the state as any other', async (field) => {
    put('l1');
    const plain = outputs('l1') as Record<string, unknown>;
    await expect(ask('l1', { ...plain, [field]: secret(plain[field]) })).rejects.toThrow(/^EarlyRelease: /);
  });

  it.each([['nothing', null], ['no uid', { namespace: 'team-a', name: 'l1' }], ['no name', { namespace: 'team-a', uid: 'uid-l1' }]])('refuses a delete from a state with %s: what it names cannot be told', async (_what, state) => {
    put('l1');
    await expect(ask('l1', state)).rejects.toThrow(/^NotChecked: /);
  });
});

describe('what a refused delete tells of others', () => {
  it('are the leases that the program no longer has, each at its resource and once', async () => {
    for (const name of ['l1', 'l2', 'l3', 'kept']) put(name);
    put('free', { phase: 'Pending' });
    collectorOf(engine.monitor).urns.add(leaseUrn('kept'));
    await Promise.allSettled([ask('l1'), ask('l2')]);
    expect(engine.told.short.filter((said) => !/ at l[12]$/.test(said))).toEqual(['error EarlyRelease at l3']);
    await ask('l1').catch(() => undefined);
    expect(engine.told.short.filter((said) => said.endsWith('at l3'))).toHaveLength(1);
  });

  it('are all of the stack in a destroy, when the engine has answered for what the program declares', async () => {
    const { urns, registered } = collectorOf(engine.monitor);
    for (const name of ['l1', 'l2', 'l3']) {
      put(name);
      urns.add(leaseUrn(name));
    }
    // Without an answer it is the delete of a replacement.
    await expect(ask('l1')).rejects.toThrow(/would be replaced/);
    expect(engine.told.all).toEqual([]);
    registered.add(leaseUrn('l2'));
    await expect(ask('l2')).rejects.toThrow(/would be destroyed/);
    expect(engine.told.short).toEqual(['error EarlyRelease at l3']);
  });

  it('are none that the state lets go: what was applied is repeated on the lease', async () => {
    put('l1');
    const held = put('l2');
    mockPlane.put({ ...held, metadata: { ...held.metadata, annotations: { ...held.metadata.annotations, [Annotation.OnEarlyRelease]: 'hold' } } });
    await ask('l1').catch(() => undefined);
    expect(engine.told.all).toEqual([]);
  });

  it('are also those of the other namespaces of the program', async () => {
    const collector = collectorOf(engine.monitor);
    for (const [name, namespace] of [['l1', 'team-a'], ['l2', 'team-b']] as const) {
      const lease = put(name);
      mockPlane.put({ ...lease, metadata: { ...lease.metadata, namespace } });
      void collector.declare(declaredLease(name, { namespace }));
      collector.registered.add(leaseUrn(name));
    }
    await expect(ask('l1')).rejects.toThrow(/would be destroyed/);
    expect(engine.told.short).toContain('error EarlyRelease at l2');
  });

  it('are no leases of another stack', async () => {
    put('l1');
    const other = leaseObject('other');
    mockPlane.put({ ...other, metadata: { ...other.metadata, annotations: { [Annotation.Owner]: markOf(leaseUrn('other')).replace(':dev::', ':prod::') } } });
    await ask('l1').catch(() => undefined);
    expect(engine.told.all).toEqual([]);
  });
});

describe('the registration of the hook', () => {
  it('is made once for a run, under the name that states keep, for previews too', async () => {
    const hook = leaseFloorHook();
    expect(leaseFloorHook()).toBe(hook);
    await (hook as unknown as { readonly __registered: Promise<void> }).__registered;
    expect(engine.hooks).toEqual(['macrack:lease-floor/v1 in previews']);
  });

  it('is shared by two copies of the package', () => {
    const first = leaseFloorHook();
    jest.isolateModules(() => {
      const copy = jest.requireActual<typeof shared>('./shared');
      expect(copy).not.toBe(shared);
      expect(copy.sharedHook(engine.monitor, () => 'another')).toBe(first);
    });
  });

  it('is one of each run', async () => {
    const first = leaseFloorHook();
    await beginRun();
    expect(leaseFloorHook()).not.toBe(first);
  });

  it('is left out in the unit tests of a program', async () => {
    await beginRun({ withHooks: false });
    expect(leaseFloorHook()).toBeUndefined();
  });

  it('fails a run whose engine knows no hooks, in one line', () => {
    const { getStore } = jest.requireActual<{ readonly getStore: () => { supportsResourceHooks: boolean } }>('@pulumi/pulumi/runtime/state');
    jest.spyOn(jest.requireActual<{ registerResourceHook(): Promise<void> }>('@pulumi/pulumi/runtime/resource'), 'registerResourceHook').mockResolvedValue();
    getStore().supportsResourceHooks = false;
    expect(leaseFloorHook).toThrow(/^MacRack needs Pulumi 3\.187\.0 or later/);
    const error = (() => { try { leaseFloorHook(); } catch (thrown) { return thrown as Error; } return undefined; })();
    expect(error?.stack?.split('\n')).toHaveLength(1);
  });
});
