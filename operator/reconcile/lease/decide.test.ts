import { Label, Taint, type MacNode, type MacNodeBinding, type MacNodeLease, type Node } from '../../../sdk/api';
import { instant, parseInstant } from '../../../sdk/rules/instant';
import { decideLease } from './decide';
import type { LeaseFacts } from './facts';

const now = parseInstant('2026-11-29T10:00:00Z');
const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-29T09:00:00Z' };
const lease = (phase: 'Pending' | 'Binding'): MacNodeLease => ({
  apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { name: 'ios', namespace: 'tenant-a', finalizers: ['macrack.io/floor'], ...stored },
  spec: { class: 'base', minimumDuration: '24h', release: false }, status: { phase, ...(phase === 'Binding' ? { node: 'mac-c02a' } : {}) },
});
const macNode: MacNode = {
  apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: 'c02a', ...stored }, spec: { class: 'base', serial: 'c02a', hardwareUUID: 'hw', cordoned: false, retired: false },
  status: { lastSeen: '2026-11-29T09:59:59Z', hardwareUUID: 'hw', conditions: [{ type: 'Ready', status: 'True', reason: 'AgentReady', message: '', lastTransitionTime: '2026-11-29T09:00:00Z' }] },
};
const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-c02a', ...stored }, spec: { taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] } };
const claim: MacNodeBinding = {
  apiVersion: 'macrack.io/v1', kind: 'MacNodeBinding', metadata: { name: 'c02a', finalizers: ['macrack.io/floor'], ...stored },
  spec: { tenant: 'tenant-a', namespaceUID: 'n', leaseNamespace: 'tenant-a', leaseName: 'ios', leaseUID: 'u', minimumDuration: '24h' },
};
const facts = (phase: 'Pending' | 'Binding', change: Partial<LeaseFacts> = {}): LeaseFacts => ({
  now, lease: lease(phase), serial: 'c02a', mac: { macNode, node, claim: null }, claim: null, slots: { total: 2, used: 0, leaked: 0 },
  rows: { writable: true, bound: false, held: false, released: false, lost: false }, live: true, doubt: null, doubted: undefined, retryAt: undefined, ...change,
});
const doubt = { reason: 'AgentUnavailable' as const, why: 'nothing answers', retryAt: instant(now + 2_000) };

describe('a lease that is about to claim a Mac', () => {
  it('claims the one that confirms, asked live, that it is the enrolled Mac and empty', () => {
    expect(decideLease(facts('Pending'))).toMatchObject({ step: { do: 'WriteStatus', status: { phase: 'Binding', node: 'mac-c02a' } } });
    expect(decideLease(facts('Binding'))).toEqual({ step: { do: 'Claim', serial: 'c02a' } });
  });

  it('goes back in line from one that does not confirm, or was not asked', () => {
    for (const unsure of [doubt, undefined]) {
      expect(decideLease(facts('Pending', { doubt: unsure }))).toMatchObject({ step: { do: 'WriteStatus', status: { phase: 'Pending' } } });
      expect(decideLease(facts('Binding', { doubt: unsure }))).toMatchObject({ step: { do: 'BackToPending', serial: 'c02a' } });
    }
  });

  it('says nothing of the Mac that it waits for', () => {
    const decision = decideLease(facts('Pending', { doubt }));
    expect(JSON.stringify(decision)).not.toMatch(/c02a|nothing answers/);
  });
});

describe('the floor that a bound lease shows', () => {
  const bound = (earliestReleaseAt: string | undefined, live: boolean): LeaseFacts => {
    const bare = lease('Pending');
    const status = { phase: 'Bound' as const, chassis: 'c02a', node: 'mac-c02a', bindingUID: 'u', boundAt: '2026-11-29T09:00:00Z', earliestReleaseAt, slots: { total: 2, used: 0, leaked: 0 } };
    return { ...facts('Pending', { live, claim, rows: { ...facts('Pending').rows, bound: true } }), lease: { ...bare, status }, mac: { macNode, node: leasedNode, claim } };
  };
  const leasedNode: Node = { ...node, spec: { taints: [{ key: Taint.Tenant, value: 'tenant-a', effect: 'NoSchedule' }] }, metadata: { ...node.metadata, labels: { [Label.NodeSerial]: 'c02a' } } };

  it.each([['2026-11-30T08:00:00Z'], [undefined]])('is raised from %s on live facts only, for it never goes down again', (shown) => {
    expect(decideLease(bound(shown, false))).toMatchObject({ step: { do: 'WriteStatus', status: { earliestReleaseAt: '2026-11-30T09:00:00Z' }, reversible: false } });
  });

  it('stays where it is later than the claim says, and other changes beside it need no live facts', () => {
    expect(decideLease({ ...bound('2026-11-30T10:00:00Z', false), slots: { total: 2, used: 1, leaked: 0 } })).toMatchObject({ step: { do: 'WriteStatus', status: { earliestReleaseAt: '2026-11-30T10:00:00Z', slots: { used: 1 } }, reversible: true } });
  });
});
