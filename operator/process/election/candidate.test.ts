import type { CoordinationLease } from '../../../sdk/api';
import { Candidate } from './candidate';
import { LEASE_DURATION_MS, RENEW_DEADLINE_MS } from './record';

let now: number;
let candidate: Candidate;

beforeEach(() => {
  now = 1_000_000;
  candidate = new Candidate('me', () => now);
});

const lease = (holderIdentity: string | undefined, version: string): CoordinationLease => ({
  apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'macrack-operator', namespace: 'macrack-system', uid: 'u', resourceVersion: version, creationTimestamp: '2026-11-29T10:00:00Z' },
  // A clock that is years ahead or behind must not matter.
  spec: { renewTime: '1999-01-01T00:00:00.000000Z', ...(holderIdentity === undefined ? {} : { holderIdentity }) },
});

it('makes the lease where there is none, and takes one that nobody holds', () => {
  expect(candidate.judge(null)).toBe('create');
  expect(candidate.judge(lease(undefined, '1'))).toBe('take');
  expect(candidate.judge(lease('', '2'))).toBe('take');
});

it('waits for a holder until it has itself seen no change for the whole duration, whatever the stamps say', () => {
  expect(candidate.judge(lease('other', '1'))).toBe('wait');
  now += LEASE_DURATION_MS - 1;
  expect(candidate.judge(lease('other', '1'))).toBe('wait');
  now += 1;
  expect(candidate.judge(lease('other', '1'))).toBe('take');
});

it('begins to wait anew at every change', () => {
  for (const version of ['1', '2', '3']) {
    expect(candidate.judge(lease('other', version))).toBe('wait');
    now += LEASE_DURATION_MS - 1;
  }
  expect(candidate.judge(lease('other', '3'))).toBe('wait');
});

it('leads from the moment its write was sent until the deadline, and again when it renews', () => {
  expect(candidate.leads()).toBe(false);
  candidate.wrote(lease('me', '1'), now);
  now += RENEW_DEADLINE_MS - 1;
  expect(candidate.leads()).toBe(true);
  expect(candidate.judge(lease('me', '1'))).toBe('renew');
  candidate.wrote(lease('me', '2'), now);
  now += RENEW_DEADLINE_MS - 1;
  expect(candidate.leads()).toBe(true);
  now += 1;
  expect(candidate.leads()).toBe(false);
});

it('stops leading before any other replica may begin', () => {
  const other = new Candidate('other', () => now);
  candidate.wrote(lease('me', '1'), now);
  expect(other.judge(lease('me', '1'))).toBe('wait');
  while (other.judge(lease('me', '1')) === 'wait') now += 100;
  expect(candidate.leads()).toBe(false);
});

it('does not lead when the lease is somebody else\'s', () => {
  candidate.wrote(lease('me', '1'), now);
  candidate.lost();
  expect(candidate.leads()).toBe(false);
});
