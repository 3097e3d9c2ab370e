import { RELEASE_MARGIN_MS, type MacNodeBinding, type MacOSInstance } from '../../../sdk/api';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { decideClaim } from './decide';
import type { ClaimFacts } from './facts';

const boundAt = parseInstant('2026-11-29T10:00:00Z');
const HOUR_MS = 3_600_000;
const at = (ms: number): Instant => instant(boundAt + ms);
const stored = { uid: 'u-1', resourceVersion: '1', creationTimestamp: '2026-11-29T10:00:00Z' };

const claimFor = (minimumDuration: string): MacNodeBinding => ({
  apiVersion: 'macrack.io/v1', kind: 'MacNodeBinding', metadata: { name: 'c02a', finalizers: ['macrack.io/claim'], ...stored },
  spec: { leaseNamespace: 'tenant-a', leaseName: 'ios', leaseUID: 'l-1', namespaceUID: 'n-1', tenant: 'tenant-a', minimumDuration },
});
const instance: MacOSInstance = {
  apiVersion: 'macrack.io/v1', kind: 'MacOSInstance', metadata: { name: 'one', namespace: 'tenant-a', ...stored, ownerReferences: [{ apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', name: 'ios', uid: 'l-1' }] },
  spec: { leaseName: 'ios', image: 'registry.example/macos:26', shape: { cpu: 2, memory: '4Gi', disk: '60Gi' }, running: true },
};
const rows = { writable: true, orphaned: true, stuck: false, intent: false, released: false };

/** A claim whose lease is gone, on a Mac that the administrator has taken out of the fleet: only time is in its way. */
const facts = (now: Instant, change: Partial<ClaimFacts> = {}): ClaimFacts => ({
  now, claim: claimFor('24h'), lease: null, mac: { macNode: null, node: null, claim: null }, instances: [], pods: [], clock: undefined, rows, live: true, doubt: null, ...change,
});
const RELEASABLE = at(24 * HOUR_MS + RELEASE_MARGIN_MS);
const doubt = { reason: 'AgentUnavailable' as const, why: 'nothing answers', retryAt: at(25 * HOUR_MS) };

describe('the end of a claim', () => {
  it('waits for its floor, and stops no machine before it', () => {
    expect(decideClaim(facts(at(24 * HOUR_MS - 1), { instances: [instance] }))).toEqual({ wait: at(24 * HOUR_MS) });
    expect(decideClaim(facts(at(24 * HOUR_MS), { instances: [instance] }))).toMatchObject({ step: { do: 'DeleteInstance' } });
  });

  it('is a margin past its floor, so that no clock stamps the deletion before it', () => {
    const end = 24 * HOUR_MS + RELEASE_MARGIN_MS;
    expect(decideClaim(facts(at(end - 1)))).toEqual({ wait: at(end) });
    expect(decideClaim(facts(at(end)))).toEqual({ step: { do: 'RecordIntent' } });
  });

  it('waits until its Mac confirms that it is wiped; one that was not asked has confirmed nothing', () => {
    expect(decideClaim(facts(RELEASABLE, { doubt }))).toEqual({ wait: doubt.retryAt });
    expect(decideClaim(facts(RELEASABLE, { doubt: undefined }))).toEqual({ wait: instant(RELEASABLE + 1_000) });
    const going = { ...claimFor('24h'), metadata: { ...claimFor('24h').metadata, deletionTimestamp: '2026-11-30T10:02:00Z' } };
    expect(decideClaim(facts(at(25 * HOUR_MS), { claim: going, doubt: { ...doubt, retryAt: at(26 * HOUR_MS) } }))).toEqual({ wait: at(26 * HOUR_MS) });
  });

  it('is looked at anew, live, where only what was watched is known', () => {
    expect(decideClaim(facts(RELEASABLE, { live: false, doubt: undefined }))).toHaveProperty('step');
  });

  it('waits for a longer floor', () => {
    expect(decideClaim(facts(at(25 * HOUR_MS), { claim: claimFor('48h') }))).toEqual({ wait: at(48 * HOUR_MS) });
  });
});
