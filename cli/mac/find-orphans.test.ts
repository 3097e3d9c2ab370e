import type { MacNode, MacNodeBinding, MacNodeLease, MacOSInstance } from '../../sdk/api/kinds';
import { parseInstant } from '../../sdk/rules/instant';
import { findOrphans, type Fleet } from './find-orphans';

const now = parseInstant('2026-11-30T12:00:00Z');
const claim = (metadata: object = {}): MacNodeBinding => ({
  metadata: { name: 'c02a', uid: 'claim-1', creationTimestamp: '2026-11-30T10:00:00Z', ...metadata }, spec: { leaseNamespace: 'tenant-a', leaseName: 'ci', leaseUID: 'lease-1', minimumDuration: '24h' },
}) as MacNodeBinding;
const lease = (status: object = { phase: 'Bound', chassis: 'c02a' }, uid = 'lease-1'): MacNodeLease => ({ metadata: { name: 'ci', namespace: 'tenant-a', uid }, spec: {}, status }) as MacNodeLease;
const mac = (status: object | undefined, spec: object = {}): MacNode => ({ metadata: { name: 'c02a', creationTimestamp: '2026-11-01T00:00:00Z' }, spec: { class: 'base', ...spec }, ...(status && { status: { lastSeen: '2026-11-30T11:59:50Z', ...status } }) }) as MacNode;
const vm = (bindingUID: string) => ({ instanceUID: 'inst-1', bindingUID, mac: '02:00', startedAt: '2026-11-30T11:00:00Z' });
const find = (fleet: Partial<Fleet>) => findOrphans({ now, macNodes: [mac({})], claims: [], leases: [], instances: [], ...fleet });

describe('the orphan report', () => {
  it('is empty for a fleet in order', () => {
    expect(find({ claims: [claim()], leases: [lease()], macNodes: [mac({ vms: [vm('claim-1')] })] })).toEqual([]);
  });

  it('leaves a lease that is being bound alone', () => {
    expect(find({ claims: [claim()], leases: [lease({ phase: 'Binding' })] })).toEqual([]);
  });

  it.each<[string, Partial<Fleet>, RegExp]>([
    ['whose lease is gone', { claims: [claim()] }, /nothing: the operator ends it at 2026-12-01T10:01:00Z/],
    ['whose lease is another of that name', { claims: [claim()], leases: [lease({ phase: 'Pending' }, 'lease-2')] }, /nothing: the operator ends it/],
    ['whose lease has another Mac', { claims: [claim()], leases: [lease({ phase: 'Bound', chassis: 'c02b' })] }, /nothing: the operator ends it/],
    ['past its floor', { claims: [claim({ creationTimestamp: '2026-11-29T10:00:00Z' })] }, /when the Mac confirms that it is wiped.*macrack mac retire c02a/],
    ['that was deleted before its floor', { claims: [claim({ deletionTimestamp: '2026-11-30T11:00:00Z' })] }, /cannot end through the API: repair it on the control-plane host/],
  ])('names a claim %s, since when, and what to do', (_what, fleet, todo) => {
    const [found, ...others] = find(fleet);
    expect([found?.kind, found?.serial, others]).toEqual(['ClaimWithoutLease', 'c02a', []]);
    expect(found?.since).toMatch(/^2026-11-(29|30)T1[01]:00:00Z$/);
    expect(found?.todo).toMatch(todo);
  });

  it.each<[string, string, Partial<Fleet>]>([
    ['of nobody', '', { claims: [claim()], leases: [lease()] }],
    ['of a claim that is gone', 'claim-0', { claims: [claim()], leases: [lease()] }],
    ['on a Mac without a claim', 'claim-1', {}],
  ])('names a machine %s, since when, and what to do', (_what, bindingUID, fleet) => {
    expect(find({ ...fleet, macNodes: [mac({ vms: [vm(bindingUID)] })] })).toEqual([{
      kind: 'MachineWithoutClaim', serial: 'c02a', since: '2026-11-30T11:00:00Z', what: expect.stringContaining('inst-1') as string, todo: expect.stringContaining('stop it') as string,
    }]);
  });

  it('names a Mac whose agent is silent, and one that has never reported', () => {
    expect(find({ macNodes: [mac({ lastSeen: '2026-11-30T11:00:00Z' })] })).toMatchObject([{ kind: 'MacWithoutAgent', since: '2026-11-30T11:00:00Z', todo: expect.stringContaining('macrack mac retire c02a') as string }]);
    expect(find({ macNodes: [mac(undefined)] })).toMatchObject([{ kind: 'MacWithoutAgent', since: '2026-11-01T00:00:00Z', todo: expect.stringContaining('macrack mac enrol c02a') as string }]);
  });

  it('names a lease past its floor that nothing runs on, and how it is released; one inside its floor, or with an instance, is in order', () => {
    const idle = (earliestReleaseAt: string) => lease({ phase: 'Bound', chassis: 'c02a', earliestReleaseAt });
    const instance = { metadata: { name: 'vm', namespace: 'tenant-a' }, spec: { leaseName: 'ci' } } as MacOSInstance;
    const past = idle('2026-11-30T12:00:00Z');
    expect(find({ claims: [claim()], leases: [past] })).toMatchObject([{ kind: 'IdleLease', serial: 'c02a', since: '2026-11-30T12:00:00Z', todo: expect.stringContaining('kubectl patch macnodelease ci -n tenant-a') as string }]);
    expect(find({ claims: [claim()], leases: [past], instances: [instance] })).toEqual([]);
    expect(find({ claims: [claim()], leases: [idle('2026-11-30T12:00:01Z')] })).toEqual([]);
  });

  it('expects nothing of a retired Mac', () => {
    expect(find({ macNodes: [mac({ lastSeen: '2026-11-30T11:00:00Z' }, { retired: true })] })).toEqual([]);
  });
});
