import type { MacOSInstance } from '../../../sdk/api';
import { assignSlots } from './slots';

/** An instance that was made at a second of the hour. */
function made(uid: string, second: number, status: MacOSInstance['status'] = {}): MacOSInstance {
  const metadata = { name: uid, namespace: 'tenant-a', uid, resourceVersion: '1', creationTimestamp: `2026-11-29T10:00:${String(second).padStart(2, '0')}Z` };
  return { apiVersion: 'macrack.io/v1', kind: 'MacOSInstance', metadata, spec: { leaseName: 'ios', image: 'registry.example/macos:26', shape: { cpu: 2, memory: '4Gi', disk: '60Gi' }, running: true }, status };
}

const none = [null, null];

describe('the two slots of a lease', () => {
  it('go to the oldest: the youngest of three has none', () => {
    const { slots, surplus } = assignSlots([made('c', 3), made('a', 1), made('b', 2)], none, true);
    expect([[...slots], [...surplus]]).toEqual([[['a', 0], ['b', 1]], ['c']]);
  });

  it('go by uid among those of one second', () => {
    expect([...assignSlots([made('b', 1), made('c', 1), made('a', 1)], none, true).surplus]).toEqual(['c']);
  });

  it('stay with who has them, also against an older one', () => {
    const { surplus } = assignSlots([made('old', 1), made('x', 2, { slot: 0 }), made('y', 3, { slot: 1, phase: 'Stopped' })], none, true);
    expect([...surplus]).toEqual(['old']);
  });

  it('are free again when who had them is Failed', () => {
    const { slots, surplus } = assignSlots([made('x', 1, { slot: 0, phase: 'Running' }), made('y', 2, { slot: 1, phase: 'Failed' }), made('z', 3)], none, true);
    expect([slots.get('z'), surplus.size]).toEqual([1, 0]);
  });

  it('are given to nobody while the lease takes no new instances, and nobody is then too many', () => {
    const { slots, surplus } = assignSlots([made('a', 1), made('b', 2), made('c', 3)], none, false);
    expect([slots.size, surplus.size]).toEqual([0, 0]);
  });
});
