import type { MacNode, MacNodeLease, Node } from '../../../sdk/api';
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
