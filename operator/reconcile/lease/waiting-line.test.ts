import * as fc from 'fast-check';
import type { MacNodeLease } from '../../../sdk/api';
import { assign } from './waiting-line';

const lease = (uid: string, stamp = '2026-11-29T10:00:00Z', spec: Partial<MacNodeLease['spec']> = {}, status?: MacNodeLease['status']): MacNodeLease => ({
  apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { name: uid, namespace: 't', uid, resourceVersion: '1', creationTimestamp: stamp },
  spec: { class: 'base', minimumDuration: '24h', release: false, ...spec }, ...(status === undefined ? {} : { status }),
});

describe('the waiting line', () => {
  it('gives the Mac to the oldest lease, and to the smaller uid of two of one second', () => {
    expect(assign([lease('z', '2026-11-29T10:00:01Z'), lease('b'), lease('a')], ['m1', 'm2'])).toEqual(new Map([['a', 'm1'], ['b', 'm2']]));
  });

  it('gives a pinned lease its own Mac or none', () => {
    expect(assign([lease('a', undefined, { serial: 'M2' })], ['m1', 'm2'])).toEqual(new Map([['a', 'm2']]));
    expect(assign([lease('a', undefined, { serial: 'm9' })], ['m1'])).toEqual(new Map());
  });

  it('keeps a Mac for a younger pin while another is free, but passes nobody over for it', () => {
    const pin = lease('b', '2026-11-29T10:00:01Z', { serial: 'm1' });
    expect(assign([lease('a'), pin], ['m1', 'm2'])).toEqual(new Map([['a', 'm2'], ['b', 'm1']]));
    expect(assign([lease('a'), pin], ['m1'])).toEqual(new Map([['a', 'm1']]));
  });

  it('leaves out leases that are asked to go or are past Pending', () => {
    expect(assign([lease('a', undefined, { release: true }), lease('b', undefined, {}, { phase: 'Bound' })], ['m1'])).toEqual(new Map());
  });

  it('never gives one Mac twice, and never more Macs than there are', () => {
    const leases = fc.uniqueArray(fc.record({ uid: fc.string({ minLength: 1, maxLength: 4 }), second: fc.integer({ min: 10, max: 59 }), pin: fc.option(fc.constantFrom('m1', 'm2', 'm3')) }), { selector: (l) => l.uid });
    fc.assert(fc.property(leases, fc.subarray(['m1', 'm2', 'm3']), (wanted, free) => {
      const given = [...assign(wanted.map((w) => lease(w.uid, `2026-11-29T10:00:${w.second}Z`, w.pin === null ? {} : { serial: w.pin })), free).values()];
      return new Set(given).size === given.length && given.every((serial) => free.includes(serial));
    }));
  });
});
