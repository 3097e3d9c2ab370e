import * as runtime from '@pulumi/pulumi/runtime';
import { ConnectionError } from '../../../sdk/client/connect-options';
import { fault } from '../../../sdk/client/testing/memory/fault';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { classObject, leaseObject } from '../../core/testing/scene';
import { beginRun } from '../testing/program';
import { getMacClass, getMacNodeLease, getMacNodeLeases } from './lookups';

let mockPlane: MemoryPlane;
let mockConnect: () => Promise<MemoryPlane>;
jest.mock('../../../sdk/client/connect', () => ({ connect: () => mockConnect() }));

beforeEach(async () => {
  mockPlane = new MemoryPlane();
  mockConnect = () => Promise.resolve(mockPlane);
  await beginRun();
  runtime.setAllConfig({});
});
afterEach(() => jest.restoreAllMocks());

describe('a look at a lease', () => {
  it('answers plain data, without what is not set', async () => {
    mockPlane.put(leaseObject('l1', { phase: 'Held', heldSince: '2026-11-29T20:00:00Z' }));
    const lease = await getMacNodeLease({ name: 'l1' });
    expect(lease).toMatchObject({ leaseId: 'team-a/l1', namespace: 'team-a', name: 'l1', class: 'base', phase: 'Held', heldSince: '2026-11-29T20:00:00Z', chassis: 'c02xyz' });
    expect(Object.values(lease)).not.toContain(undefined);
  });

  it('takes the namespace of the query, else of the stack configuration, else of the context', async () => {
    for (const namespace of ['team-a', 'team-b', 'team-c']) mockPlane.put({ ...leaseObject('l1'), metadata: { ...leaseObject('l1').metadata, namespace } });
    expect((await getMacNodeLease({ name: 'l1' })).namespace).toBe('team-a');
    runtime.setAllConfig({ 'macrack:namespace': 'team-b' });
    expect((await getMacNodeLease({ name: 'l1' })).namespace).toBe('team-b');
    expect((await getMacNodeLease({ name: 'l1', namespace: 'team-c' })).namespace).toBe('team-c');
  });

  it('that is not there is LeaseNotFound', async () => {
    await expect(getMacNodeLease({ name: 'none' })).rejects.toThrow('LeaseNotFound: namespace team-a has no lease none. Correct the name, or create the lease first.');
  });

  it('lists by phase and class, in the order of names', async () => {
    mockPlane.put(leaseObject('b'));
    mockPlane.put(leaseObject('a', { phase: 'Held' }));
    mockPlane.put(leaseObject('c', {}, { class: 'pro' }));
    const names = async (query?: Parameters<typeof getMacNodeLeases>[0]): Promise<string[]> => (await getMacNodeLeases(query)).map(({ name }) => name);
    expect([await names(), await names({ phase: 'Held' }), await names({ class: 'pro' }), await names({ namespace: 'team-z' })]).toEqual([['a', 'b', 'c'], ['a'], ['c'], []]);
  });
});

describe('a look at a class', () => {
  it('answers what a Mac has and how many are free', async () => {
    mockPlane.put(classObject('base', 3));
    expect(await getMacClass({ name: 'base' })).toEqual({ name: 'base', cpu: 8, memory: '16Gi', disk: '256Gi', total: 4, unleased: 3, leased: 1, held: 0 });
    await expect(getMacClass({ name: 'ultra' })).rejects.toThrow(/^NotFound: there is no class ultra\. /);
  });
});

describe('a look that fails', () => {
  it.each([[undefined], [null], [{}], [{ name: '' }], [{ name: 5 }]])('for want of a name is one sentence: %j', async (query) => {
    for (const look of [getMacNodeLease, getMacClass]) await expect(look(query as never)).rejects.toThrow(/^InvalidValue: getMac\w+ needs a name\. Write/);
  });

  it.each([['Forbidden', 'Forbidden'], ['Unauthorized', 'Unauthorized'], ['Unreachable', 'NotChecked']] as const)('at a control plane that answers %s is one sentence, without a stack', async (name, reason) => {
    mockPlane.refuse = () => fault(name);
    for (const look of [getMacNodeLease({ name: 'l1' }), getMacNodeLeases(), getMacClass({ name: 'base' })]) {
      const error = await look.then(() => undefined, (thrown: unknown) => thrown as Error);
      expect([error?.message.split(':')[0], error?.stack?.split('\n').length]).toEqual([reason, 1]);
    }
  });

  it('for want of a way to the control plane says what to set', async () => {
    mockConnect = () => Promise.reject(new ConnectionError('config_path names no file', 'config_path'));
    await expect(getMacClass({ name: 'base' })).rejects.toThrow(/^NotConnected: macrack:kubeconfig names no file\. Set it with/);
  });
});
